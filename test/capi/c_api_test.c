/* The C interface as a C program sees it. Arguments: the folder of the examples. Prints what fails; exit code 1 then. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction.h>

static int failures = 0;
#define EXPECT(condition)                                                                                   \
  do {                                                                                                      \
    if (!(condition)) {                                                                                     \
      fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, stiction_last_error()); \
      ++failures;                                                                                           \
    }                                                                                                       \
  } while (0)

static char path[1024];
static const char* example(const char* folder, const char* name) {
  snprintf(path, sizeof path, "%s/%s.toml", folder, name);
  return path;
}

static void run_to_end(stiction_simulation* s, char hash[17]) {
  while (stiction_time(s) < stiction_duration(s)) EXPECT(stiction_step(s) == STICTION_OK);
  EXPECT(stiction_hash(s, hash) == STICTION_OK);
}

/* Two runs, a copy and a saved state end in the same bits. */
static void test_states(const char* folder) {
  const char* overrides[] = {"time.duration=0.4"};
  stiction_simulation *s = NULL, *copy = NULL;
  char first[17], second[17];
  EXPECT(stiction_open(example(folder, "falling_rod"), overrides, 1, &s) == STICTION_OK);
  EXPECT(stiction_duration(s) == 0.4);
  EXPECT(stiction_step_to(s, 0.2) == STICTION_OK && fabs(stiction_time(s) - 0.2) < 1e-12);
  EXPECT(stiction_copy(s, &copy) == STICTION_OK);
  size_t size = 0;
  EXPECT(stiction_save(s, NULL, &size) == STICTION_OK && size > 0);
  void* saved = malloc(size);
  size_t too_small = size - 1;
  EXPECT(stiction_save(s, saved, &too_small) == STICTION_BAD_INPUT);
  EXPECT(stiction_save(s, saved, &size) == STICTION_OK);
  run_to_end(s, first);
  run_to_end(copy, second);
  EXPECT(strcmp(first, second) == 0);
  EXPECT(stiction_restore(s, saved, size) == STICTION_OK && fabs(stiction_time(s) - 0.2) < 1e-12);
  run_to_end(s, second);
  EXPECT(strcmp(first, second) == 0);
  EXPECT(stiction_restore(s, saved, size - 8) == STICTION_BAD_INPUT);
  EXPECT(stiction_reset(s) == STICTION_OK && stiction_time(s) == 0);
  run_to_end(s, second);
  EXPECT(strcmp(first, second) == 0);
  free(saved);
  stiction_free(copy);
  stiction_free(s);
}

static const char* ball = "[world]\ngravity = [0, 0, -10]\n[time]\nduration = 1\nstep = 0.01\n"
                          "[body.floor]\nfixed = true\nshape = { type = \"halfspace\" }\n"
                          "[body.ball]\nmass = 2\nposition = [0, 0, 0.2]\nshape = { type = \"sphere\", radius = 0.1 }\n"
                          "[contact.default]\nfriction = 0.5\n";

/* It falls, touches (an event), rests: the force is the weight, 20 N, to the solver's tolerance; then it is lifted. */
static void test_bodies_and_contacts(void) {
  stiction_simulation* s = NULL;
  EXPECT(stiction_read(ball, NULL, 0, &s) == STICTION_OK);
  int body = 0, signal = 0, input = 0;
  double p[3], q[4], v[3], w[3], value;
  EXPECT(stiction_body_count(s) == 2);
  EXPECT(strcmp(stiction_body_name(s, 0), "world") == 0 && stiction_body_name(s, 3) == NULL);
  EXPECT(stiction_find_body(s, "ball", &body) == STICTION_OK);
  EXPECT(strcmp(stiction_body_name(s, body), "ball") == 0);
  EXPECT(stiction_find_body(s, "bal", &body) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "did you mean"));
  EXPECT(stiction_find_body(s, "ball", &body) == STICTION_OK);
  EXPECT(stiction_step_to(s, 0.5) == STICTION_OK);
  int impacts = 0;
  for (int i = 0; i < stiction_event_count(s); ++i) {
    const char *kind, *name;
    double t;
    EXPECT(stiction_get_event(s, i, &t, &kind, &name) == STICTION_OK);
    if (strcmp(kind, "impact") == 0) ++impacts;
  }
  EXPECT(impacts == 1);
  EXPECT(stiction_get_pose(s, body, p, q) == STICTION_OK && fabs(p[2] - 0.1) < 1e-9 && fabs(q[0] - 1) < 1e-12);
  EXPECT(stiction_get_velocity(s, body, v, w) == STICTION_OK && fabs(v[2]) < 1e-8);
  for (int wrong = -1; wrong <= 17; wrong += 18) {
    EXPECT(stiction_get_pose(s, wrong, p, q) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "no body number"));
    EXPECT(stiction_get_velocity(s, wrong, v, w) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "no body number"));
    EXPECT(stiction_body_name(s, wrong) == NULL && strstr(stiction_last_error(), "no body number"));
    EXPECT(stiction_get_event(s, wrong + 10 * (wrong > 0), NULL, NULL, NULL) == STICTION_BAD_INPUT);
    EXPECT(strstr(stiction_last_error(), "no event number"));
    EXPECT(stiction_input_name(s, wrong) == NULL && strstr(stiction_last_error(), "no input number"));
    EXPECT(stiction_input_unit(s, wrong) == NULL && stiction_signal_unit(s, 1000 * wrong) == NULL);
    EXPECT(stiction_get_signal(s, 1000 * wrong, &value) == STICTION_BAD_INPUT);
    EXPECT(strstr(stiction_last_error(), "no signal number"));
    EXPECT(stiction_get_input(s, wrong, &value) == STICTION_BAD_INPUT && stiction_set_input(s, wrong, 0) == STICTION_BAD_INPUT);
    EXPECT(strstr(stiction_last_error(), "no input number"));
  }
  EXPECT(stiction_find_signal(s, "ball.position.zz", &signal) == STICTION_BAD_INPUT && signal == -1);
  EXPECT(strstr(stiction_last_error(), "did you mean"));
  EXPECT(stiction_find_input(s, "bal.force.x", &input) == STICTION_BAD_INPUT && input == -1);
  EXPECT(stiction_find_input(s, NULL, &input) == STICTION_BAD_INPUT && stiction_find_body(NULL, "x", &input) != STICTION_OK);
  EXPECT(stiction_contact_count(s) == 1);
  stiction_contact contact;
  EXPECT(stiction_get_contact(s, 0, &contact) == STICTION_OK);
  EXPECT(strcmp(contact.shape_a, "floor") == 0 && strcmp(contact.shape_b, "ball") == 0);
  EXPECT(fabs(contact.force[2] - 20) < 1e-7 && fabs(contact.normal[2] - 1) < 1e-12 && fabs(contact.gap) < 1e-9);
  EXPECT(stiction_get_contact(s, 1, &contact) == STICTION_BAD_INPUT);
  EXPECT(stiction_get_contact(s, -1, &contact) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "no contact number"));
  EXPECT(stiction_find_signal(s, "ball.position.z", &signal) == STICTION_OK);
  EXPECT(stiction_get_signal(s, signal, &value) == STICTION_OK && value == p[2]);
  EXPECT(strcmp(stiction_signal_unit(s, signal), "m") == 0);
  EXPECT(strcmp(stiction_signal_name(s, signal), "ball.position.z") == 0);
  EXPECT(stiction_signal_name(s, -1) == NULL && stiction_signal_count(s) > signal);
  /* A signal on request changes neither numbers nor names that were given away, nor does a state that is restored. */
  int energy, gap;
  const int count = stiction_signal_count(s);
  EXPECT(stiction_find_signal(s, "energy.total", &energy) == STICTION_OK);
  const char* energy_name = stiction_signal_name(s, energy);
  EXPECT(stiction_find_signal(s, "contact.floor/ball.gap", &gap) == STICTION_OK && gap == count);
  EXPECT(stiction_get_signal(s, energy, &value) == STICTION_OK && fabs(value - 2 * 10 * 0.1) < 1e-7);
  EXPECT(stiction_get_signal(s, gap, &value) == STICTION_OK && fabs(value) < 1e-9);
  double same_q[7];
  EXPECT(stiction_get_state(s, same_q, NULL) == STICTION_OK);
  same_q[0] = NAN;
  EXPECT(stiction_set_state(s, same_q, NULL) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "not finite"));
  memset(same_q, 0, sizeof same_q);
  EXPECT(stiction_set_state(s, same_q, NULL) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "body \"ball\" is zero"));
  EXPECT(stiction_find_signal(s, "contact.floor/bal.gap", &signal) == STICTION_BAD_INPUT);
  EXPECT(strstr(stiction_last_error(), "contact signals: contact"));
  /* Steps that the time does not resolve would stand still. */
  EXPECT(stiction_set_step(s, 1e-300) == STICTION_BAD_INPUT && strstr(stiction_last_error(), "too short"));
  EXPECT(strcmp(energy_name, "energy.total") == 0 && stiction_signal_name(s, energy) == energy_name);
  /* a = 30 N / 2 kg - 10 m/s^2 = 5 m/s^2 for 0.2 s */
  EXPECT(stiction_find_input(s, "ball.force.z", &input) == STICTION_OK);
  EXPECT(strcmp(stiction_input_unit(s, input), "N") == 0 && stiction_input_count(s) == 6);
  EXPECT(stiction_set_input(s, input, 30) == STICTION_OK);
  EXPECT(stiction_get_input(s, input, &value) == STICTION_OK && value == 30);
  EXPECT(stiction_set_input(s, input, NAN) == STICTION_BAD_INPUT);
  EXPECT(stiction_set_input(s, 99, 1) == STICTION_BAD_INPUT);
  EXPECT(stiction_step_to(s, 0.7) == STICTION_OK);
  EXPECT(stiction_get_pose(s, body, p, NULL) == STICTION_OK && fabs(p[2] - 0.2) < 1e-8);
  EXPECT(stiction_set_step(s, 1e-3) == STICTION_OK && stiction_step(s) == STICTION_OK);
  EXPECT(fabs(stiction_time(s) - 0.701) < 1e-12);
  double coordinates[7], velocities[6];
  EXPECT(stiction_q_size(s) == 7 && stiction_v_size(s) == 6);
  EXPECT(stiction_get_state(s, coordinates, velocities) == STICTION_OK);
  memset(velocities, 0, sizeof velocities);
  EXPECT(stiction_set_state(s, NULL, velocities) == STICTION_OK);
  EXPECT(stiction_get_velocity(s, body, v, w) == STICTION_OK && v[2] == 0);
  stiction_free(s);
}

/* Parameters changed between runs: the force at rest is the weight, m g; what is refused changes nothing. */
static void test_parameters(void) {
  stiction_simulation* s = NULL;
  stiction_contact contact;
  EXPECT(stiction_read(ball, NULL, 0, &s) == STICTION_OK);
  const char* masses[] = {"3", "4000 g", "5 kg"};
  for (int i = 0; i < 3; ++i) {
    EXPECT(stiction_set(s, "body.ball.mass", masses[i]) == STICTION_OK && stiction_time(s) == 0);
    EXPECT(strcmp(stiction_body_name(s, 2), "ball") == 0 && stiction_event_count(s) == 0);
    EXPECT(stiction_step_to(s, 0.5) == STICTION_OK && stiction_contact_count(s) == 1);
    EXPECT(stiction_get_contact(s, 0, &contact) == STICTION_OK && fabs(contact.force[2] - 10 * (3 + i)) < 1e-6);
  }
  EXPECT(stiction_set(s, "body.ball.mas", "1") == STICTION_BAD_INPUT && strstr(stiction_last_error(), "did you mean"));
  EXPECT(stiction_set(s, "body.ball.mass", "-1") == STICTION_BAD_INPUT && stiction_set(s, NULL, "1") == STICTION_BAD_INPUT);
  EXPECT(stiction_set(s, "body.ball.mass", NULL) == STICTION_BAD_INPUT && stiction_set(NULL, "a", "1") == STICTION_BAD_INPUT);
  EXPECT(fabs(stiction_time(s) - 0.5) < 1e-12 && stiction_event_count(s) > 0);
  EXPECT(stiction_set(s, "body.ball.copies", "{ count = [2, 1, 1], spacing = [1, 0, 0] }") == STICTION_OK);
  EXPECT(stiction_body_count(s) == 3);
  stiction_free(s);
}

static void test_errors(void) {
  stiction_simulation* s = (stiction_simulation*)1;
  EXPECT(stiction_open("/nowhere/scene.toml", NULL, 0, &s) == STICTION_IO && s == NULL);
  EXPECT(stiction_read("[body.a]\nmas = 1\n[body.b]\nmass = -1\n", NULL, 0, &s) == STICTION_BAD_INPUT && s == NULL);
  EXPECT(strstr(stiction_last_error(), "mas") && strstr(stiction_last_error(), "2 errors"));
  EXPECT(stiction_read(NULL, NULL, 0, &s) == STICTION_BAD_INPUT);
  EXPECT(stiction_read(ball, NULL, 1, &s) == STICTION_BAD_INPUT);
  EXPECT(stiction_read(ball, NULL, 0, NULL) == STICTION_BAD_INPUT);
  EXPECT(stiction_step(NULL) == STICTION_BAD_INPUT && stiction_contact_count(NULL) == 0);
  EXPECT(stiction_restore(NULL, "x", 1) == STICTION_BAD_INPUT);
  stiction_free(NULL);
  stiction_pair_free(NULL);
  EXPECT(strlen(stiction_version()) >= 5);
}

static const char* normal = "contact.default.normal={ law = \"hertz\", stiffness = 1e5, restitution = 0.5 }";

/* Bytes that are damaged are refused or are another state: nothing else happens. Every word of the state is replaced by
 * numbers that are none, or too large for what they count, or by 0, which is the floor where it is a shape. */
static void test_damaged_states(const char* const* overrides, size_t count) {
  stiction_simulation* s = NULL;
  EXPECT(stiction_read(ball, overrides, count, &s) == STICTION_OK && stiction_step_to(s, 0.5) == STICTION_OK);
  size_t size = 0;
  EXPECT(stiction_save(s, NULL, &size) == STICTION_OK);
  char *good = malloc(size), *bad = malloc(size);
  EXPECT(stiction_save(s, good, &size) == STICTION_OK);
  const double numbers[] = {NAN, INFINITY, -1e300, 1e18, -1, 0};
  const int64_t counts[] = {-1, INT64_MAX, 1, (int64_t)1 << 61};
  for (size_t word = 0; word < size / 8; ++word) {
    for (int k = 0; k < 10; ++k) {
      memcpy(bad, good, size);
      memcpy(bad + 8 * word, k < 6 ? (const void*)&numbers[k] : (const void*)&counts[k - 6], 8);
      const stiction_status status = stiction_restore(s, bad, size);
      EXPECT(status == STICTION_OK || (status == STICTION_BAD_INPUT && strlen(stiction_last_error()) > 0));
      stiction_contact contact;
      for (int i = 0; i < stiction_contact_count(s); ++i) stiction_get_contact(s, i, &contact);
      const double t = stiction_time(s);
      EXPECT(isfinite(t) && (stiction_step(s) == STICTION_STEP || stiction_time(s) > t));
    }
    EXPECT(stiction_restore(s, good, size - 8 * word) == (word == 0 ? STICTION_OK : STICTION_BAD_INPUT));
  }
  free(good), free(bad);
  stiction_free(s);
}

/* A linear spring of 1000 N/m: 0.01 m deep, 10 N; the wrench on both bodies balances. */
static void test_pair(void) {
  const char* scene = "[body.floor]\nfixed = true\nshape = { type = \"halfspace\" }\n"
                      "[body.ball]\nmass = 1\n" /* in the floor: where the bodies stand is told in every call */
                      "shape = { type = \"sphere\", radius = 0.5, position = [0, 0, 0.1] }\n"
                      "[contact.default]\nnormal = { law = \"linear\", stiffness = 1000 }\nfriction = { law = \"none\" }\n";
  stiction_pair* pair = NULL;
  EXPECT(stiction_pair_read(scene, "floor", "ball", &pair) == STICTION_OK);
  stiction_body_state floor = {{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  stiction_body_state sphere = {{0.3, 0, 0.39}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  stiction_contact_memory memory = {{0}, 0};
  stiction_contact_output out;
  int changed = 0;
  EXPECT(stiction_pair_update(pair, &floor, &sphere, &memory, &changed) == STICTION_OK && changed && memory.touching);
  EXPECT(stiction_pair_evaluate(pair, &floor, &sphere, &memory, &out) == STICTION_OK);
  EXPECT(fabs(out.gap + 0.01) < 1e-12 && fabs(out.normal_force - 10) < 1e-9 && fabs(out.force_b[2] - 10) < 1e-9);
  EXPECT(fabs(out.force_a[2] + 10) < 1e-9 && fabs(out.torque_a[1] - 3) < 1e-9 && fabs(out.torque_b[1]) < 1e-9);
  EXPECT(fabs(out.stored - 0.5 * 1000 * 1e-4) < 1e-9);
  sphere.position[2] = 1;
  EXPECT(stiction_pair_update(pair, &floor, &sphere, &memory, &changed) == STICTION_OK && changed && !memory.touching);
  sphere.position[0] = NAN;
  EXPECT(stiction_pair_evaluate(pair, &floor, &sphere, &memory, &out) == STICTION_BAD_INPUT);
  sphere.position[0] = 0;
  memory.values[3] = NAN;
  EXPECT(stiction_pair_evaluate(pair, &floor, &sphere, &memory, &out) == STICTION_BAD_INPUT);
  EXPECT(stiction_pair_update(pair, &floor, &sphere, &memory, NULL) == STICTION_BAD_INPUT);
  EXPECT(strstr(stiction_last_error(), "memory of the contact is not finite"));
  stiction_pair* none = NULL;
  EXPECT(stiction_pair_read(scene, "floor", "bal", &none) == STICTION_BAD_INPUT && none == NULL);
  EXPECT(stiction_pair_read(scene, "floor", "floor", &none) == STICTION_BAD_INPUT);
  EXPECT(strstr(stiction_last_error(), "one of the two bodies must be free to move"));
  stiction_pair_free(pair);
}

/* A sphere of R = 0.5 m pressed slowly by d into a Winkler foundation of k_v = 1e6 N/m^3: the force is k_v V with the cap
 * V = pi d^2 (R - d/3), the energy its integral k_v pi (R d^3/3 - d^4/12), which the host integrates by the midpoint. */
static void test_volume_pair(void) {
  const char* scene = "[body.floor]\nfixed = true\nshape = { type = \"halfspace\" }\n"
                      "[body.ball]\nmass = 1\nshape = { type = \"sphere\", radius = 0.5 }\n"
                      "[contact.default]\nnormal = { law = \"volume\", stiffness = 1e6, restitution = 1 }\n"
                      "friction = { law = \"none\" }\n";
  stiction_pair* pair = NULL;
  EXPECT(stiction_pair_read(scene, "floor", "ball", &pair) == STICTION_OK);
  if (!pair) return;
  const double pi = 3.14159265358979324, R = 0.5, k = 1e6, speed = 1e-3, d = 0.01;
  const stiction_body_state floor = {{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  stiction_body_state sphere = {{0, 0, R}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, -speed}};
  stiction_contact_memory memory = {{0}, 0};
  stiction_contact_output out;
  const int steps = 1000;
  for (int k_step = 0; k_step < steps; ++k_step) {
    sphere.position[2] = R - d * (k_step + 0.5) / steps;
    EXPECT(stiction_pair_update(pair, &floor, &sphere, &memory, NULL) == STICTION_OK && memory.touching);
    EXPECT(stiction_pair_evaluate(pair, &floor, &sphere, &memory, &out) == STICTION_OK);
    for (int i = 0; i < STICTION_MEMORY_SIZE; ++i) memory.values[i] += d / speed / steps * out.rates[i];
  }
  sphere.position[2] = R - d;
  EXPECT(stiction_pair_evaluate(pair, &floor, &sphere, &memory, &out) == STICTION_OK);
  const double force = k * pi * d * d * (R - d / 3), energy = k * pi * (R * d * d * d / 3 - d * d * d * d / 12);
  EXPECT(fabs(out.normal_force / force - 1) < 1e-9);
  EXPECT(fabs(out.stored / energy - 1) < 1e-6); /* of the midpoint rule: 1 / (4 steps^2) */
  stiction_pair_free(pair);
}

/* Threads: each has its own simulation, and its own message. */
static void* run_thread(void* hash) {
  stiction_simulation* s = NULL;
  if (stiction_read("nonsense", NULL, 0, &s) != STICTION_BAD_INPUT || strlen(stiction_last_error()) == 0) return NULL;
  if (stiction_read(ball, NULL, 0, &s) != STICTION_OK) return NULL;
  while (stiction_time(s) < stiction_duration(s)) {
    if (stiction_step(s) != STICTION_OK) return NULL;
  }
  stiction_hash(s, hash);
  stiction_free(s);
  return hash;
}

static void test_threads(void) {
  pthread_t threads[4];
  char hashes[4][17] = {{0}};
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, run_thread, hashes[i]);
  for (int i = 0; i < 4; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    EXPECT(result != NULL && strcmp(hashes[i], hashes[0]) == 0);
  }
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  test_states(argv[1]);
  test_bodies_and_contacts();
  test_parameters();
  test_errors();
  const char* sleeping[] = {"method.sleep=0.05"};
  const char* fixed[] = {"method.type=\"compliant\"", "method.integrator=\"rk4\"", normal};
  const char* adaptive[] = {"method.type=\"compliant\"", "method.integrator=\"dormand_prince\"", normal};
  test_damaged_states(NULL, 0);
  test_damaged_states(sleeping, 1);
  test_damaged_states(fixed, 3);
  test_damaged_states(adaptive, 3);
  test_pair();
  test_volume_pair();
  test_threads();
  if (failures == 0) printf("all passed\n");
  return failures == 0 ? 0 : 1;
}
