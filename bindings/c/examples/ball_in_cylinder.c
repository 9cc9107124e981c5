/* A host simulator that takes its contact forces from Stiction: the ball in a cylinder of gonthier-thesis-2007, section
 * 5.1.3 and Appendix A.6. The host knows the ball and its equations of motion; pairs, laws and friction come from the
 * contact core; the memory of the contact is the host's.
 *
 *   ./ball_in_cylinder SCENE fixed|events H     prints t, position and energy at the end
 *
 * fixed: explicit steps of length H; touching begins and ends at the end of a step.
 * events: the same steps, but one in which the gap changes sign is cut where that happens. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction.h>

static const double mass = 2, radius = 0.1, gravity = 9.81;

/* What the host integrates: the ball (a sphere: its orientation has no effect) and the memory of its contact. */
typedef struct {
  double t;
  stiction_body_state ball;
  stiction_contact_memory memory;
} host_state;

static stiction_pair* pair;
static const stiction_body_state cylinder = {{0, 0, 1}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};

static void check(stiction_status status) {
  if (status == STICTION_OK) return;
  fprintf(stderr, "%s\n", stiction_last_error());
  exit(1);
}

static stiction_contact_output evaluate(const host_state* s) {
  stiction_contact_output out;
  check(stiction_pair_evaluate(pair, &s->ball, &cylinder, &s->memory, &out));
  return out;
}

/* Velocities first, then positions with the new velocities; the memory along with them. */
static host_state step(host_state s, double h) {
  const stiction_contact_output out = evaluate(&s);
  const double inertia = 0.4 * mass * radius * radius;
  for (int i = 0; i < 3; ++i) {
    s.ball.linear[i] += h * (out.force_a[i] / mass - (i == 2 ? gravity : 0));
    s.ball.angular[i] += h * out.torque_a[i] / inertia;
    s.ball.position[i] += h * s.ball.linear[i];
  }
  for (int i = 0; i < STICTION_MEMORY_SIZE; ++i) s.memory.values[i] += h * out.rates[i];
  s.t += h;
  return s;
}

/* The longest step up to h at whose end the gap has not yet changed sign, by bisection. */
static double find_event(const host_state* s, double h) {
  double low = 0, high = h;
  const int apart = evaluate(s).gap > 0;
  while (high - low > 1e-15) {
    const double middle = 0.5 * (low + high);
    const host_state tried = step(*s, middle);
    if ((evaluate(&tried).gap > 0) == apart) {
      low = middle;
    } else {
      high = middle;
    }
    if (middle == low && high - low <= 1e-14 * h) break;
  }
  return high;
}

static double calc_energy(const host_state* s) {
  double v2 = 0, w2 = 0;
  for (int i = 0; i < 3; ++i) v2 += s->ball.linear[i] * s->ball.linear[i], w2 += s->ball.angular[i] * s->ball.angular[i];
  return 0.5 * mass * v2 + 0.2 * mass * radius * radius * w2 + mass * gravity * s->ball.position[2] + evaluate(s).stored;
}

int main(int argc, char** argv) {
  if (argc != 4) return fprintf(stderr, "usage: %s SCENE fixed|events H\n", argv[0]), 2;
  FILE* file = fopen(argv[1], "rb");
  if (!file) return fprintf(stderr, "cannot read %s\n", argv[1]), 2;
  char* scene = calloc(1, 1 << 16);
  fread(scene, 1, (1 << 16) - 1, file);
  fclose(file);
  check(stiction_pair_read(scene, "ball", "cylinder", &pair));
  free(scene);

  const int events = strcmp(argv[2], "events") == 0;
  const double h = atof(argv[3]), end = 1;
  host_state s = {0, {{0.3, 0, 0.5}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0.3, 0}}, {{0}, 0}};
  while (s.t < end - 1e-12) {
    const double length = fmin(h, end - s.t);
    host_state next = step(s, length);
    const int changes = (evaluate(&next).gap > 0) != (evaluate(&s).gap > 0);
    if (events && changes) next = step(s, find_event(&s, length));
    check(stiction_pair_update(pair, &next.ball, &cylinder, &next.memory, NULL));
    s = next;
  }
  printf("%.9f %.9f %.9f %.9f %.9f\n", s.t, s.ball.position[0], s.ball.position[1], s.ball.position[2], calc_energy(&s));
  stiction_pair_free(pair);
  return 0;
}
