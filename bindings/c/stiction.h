#ifndef STICTION_H
#define STICTION_H
/* The C interface of Stiction: a simulation that is stepped, and the core of compliant contact for other simulators.
 *
 * Every function that can fail returns a stiction_status; stiction_last_error() is then the message, of this thread's
 * last failure. No C++ exception leaves the library. Different objects may be used by different threads at a time, one
 * object by one thread at a time. Strings are UTF-8 and end with 0; those that are returned stay valid as long as their
 * object, those of events until the next call of step, step_to or advance, and stiction_last_error() until this
 * thread's next failure; NULL: there is none, and stiction_last_error() says why. SI units, world axes; a quaternion is
 * w, x, y, z.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#define STICTION_API __attribute__((visibility("default")))
#else
#define STICTION_API
#endif

typedef enum {
  STICTION_OK = 0,
  STICTION_BAD_INPUT = 1, /* the scene, a name or an argument; the message lists all faults of a scene */
  STICTION_IO = 2,        /* a file cannot be read or written */
  STICTION_STEP = 3,      /* a step failed: it diverged, or a constraint cannot hold; the last good state is kept */
  STICTION_MEMORY = 4,    /* out of memory */
  STICTION_INTERNAL = 5   /* a fault of this library */
} stiction_status;

STICTION_API const char* stiction_version(void);
STICTION_API const char* stiction_last_error(void);

/* ---- A simulation ---- */

typedef struct stiction_simulation stiction_simulation;

/* From a file, or from text; overrides "key.path=value", as --set of the command line (may be NULL if there are none).
 */
STICTION_API stiction_status stiction_open(const char* file, const char* const* overrides, size_t override_count,
                                           stiction_simulation** simulation);
STICTION_API stiction_status stiction_read(const char* toml, const char* const* overrides, size_t override_count,
                                           stiction_simulation** simulation);
/* Goes on as the original does, bit for bit. */
STICTION_API stiction_status stiction_copy(stiction_simulation* original, stiction_simulation** copy);
STICTION_API void stiction_free(stiction_simulation* simulation);

STICTION_API double stiction_time(const stiction_simulation* simulation);
STICTION_API double stiction_duration(const stiction_simulation* simulation);
STICTION_API double stiction_step_length(const stiction_simulation* simulation);
STICTION_API stiction_status stiction_step(stiction_simulation* simulation);
STICTION_API stiction_status stiction_step_to(stiction_simulation* simulation, double t);
/* One step at most, never beyond t_limit. */
STICTION_API stiction_status stiction_advance(stiction_simulation* simulation, double t_limit);
STICTION_API stiction_status stiction_set_step(stiction_simulation* simulation, double step);
STICTION_API stiction_status stiction_reset(stiction_simulation* simulation);

/* Coordinates and velocities. Either pointer may be NULL. */
STICTION_API size_t stiction_q_size(const stiction_simulation* simulation);
STICTION_API size_t stiction_v_size(const stiction_simulation* simulation);
STICTION_API stiction_status stiction_get_state(const stiction_simulation* simulation, double* q, double* v);
STICTION_API stiction_status stiction_set_state(stiction_simulation* simulation, const double* q, const double* v);
/* All that determines the future, as bytes: *size is what the buffer holds, and becomes what is needed. With a buffer
 * that is NULL or too small nothing is written (too small: STICTION_BAD_INPUT). */
STICTION_API stiction_status stiction_save(stiction_simulation* simulation, void* buffer, size_t* size);
STICTION_API stiction_status stiction_restore(stiction_simulation* simulation, const void* buffer, size_t size);
/* 16 hexadecimal digits of the state, as `stiction run` prints them, and 0. */
STICTION_API stiction_status stiction_hash(const stiction_simulation* simulation, char hash[17]);

/* Bodies: 1 to count; 0 is the world. */
STICTION_API int stiction_body_count(const stiction_simulation* simulation);
STICTION_API const char* stiction_body_name(const stiction_simulation* simulation, int body);
STICTION_API stiction_status stiction_find_body(const stiction_simulation* simulation, const char* name, int* body);
STICTION_API stiction_status stiction_get_pose(stiction_simulation* simulation, int body, double position[3],
                                               double quaternion[4]);
STICTION_API stiction_status stiction_get_velocity(stiction_simulation* simulation, int body, double linear[3],
                                                   double angular[3]);

/* Contacts of the last step: 0 to count - 1. */
typedef struct {
  const char *shape_a, *shape_b; /* BODY, or BODY.PART */
  double position[3];            /* [m] */
  double normal[3];              /* from A to B */
  double gap;                    /* [m] */
  double force[3];               /* on B [N] */
  double moment[3];              /* on B, about the point [N m] */
  double slip[3];                /* of B's surface against A's [m/s] */
  int mode;                      /* 0 open, 1 sticks, 2 slips */
} stiction_contact;
STICTION_API int stiction_contact_count(stiction_simulation* simulation);
STICTION_API stiction_status stiction_get_contact(stiction_simulation* simulation, int index,
                                                  stiction_contact* contact);

/* Events of the last call of step, step_to or advance. */
STICTION_API int stiction_event_count(const stiction_simulation* simulation);
STICTION_API stiction_status stiction_get_event(const stiction_simulation* simulation, int index, double* t,
                                                const char** kind, const char** name);

/* Signals ("ball.position.z") and inputs ("motor.drive.effort", "ball.force.x"), by index; -1: there is none. An index
 * stays what it is; signals on request (gaps) are added at the end when they are first asked for. */
STICTION_API int stiction_signal_count(stiction_simulation* simulation);
STICTION_API const char* stiction_signal_name(stiction_simulation* simulation, int index);
STICTION_API const char* stiction_signal_unit(stiction_simulation* simulation, int index);
STICTION_API stiction_status stiction_find_signal(stiction_simulation* simulation, const char* name, int* index);
STICTION_API stiction_status stiction_get_signal(stiction_simulation* simulation, int index, double* value);
STICTION_API int stiction_input_count(const stiction_simulation* simulation);
STICTION_API const char* stiction_input_name(const stiction_simulation* simulation, int index);
STICTION_API const char* stiction_input_unit(const stiction_simulation* simulation, int index);
STICTION_API stiction_status stiction_find_input(const stiction_simulation* simulation, const char* name, int* index);
STICTION_API stiction_status stiction_get_input(const stiction_simulation* simulation, int index, double* value);
STICTION_API stiction_status stiction_set_input(stiction_simulation* simulation, int index, double value);

/* ---- The core of compliant contact ---- */

/* Two shapes and their law. It remembers nothing: the memory of a contact is the caller's, a stiction_contact_memory
 * that starts as zeros. */
typedef struct stiction_pair stiction_pair;

/* `scene`: text with two bodies or more and their contact tables, as a scene file has them; the pair is that of the two
 * bodies, or shapes (BODY.PART), named. They touch in one point (half-space, sphere, ellipsoid, capsule, cylinder...),
 * or, with a volume law, in one patch. */
STICTION_API stiction_status stiction_pair_read(const char* scene, const char* shape_a, const char* shape_b,
                                                stiction_pair** pair);
STICTION_API void stiction_pair_free(stiction_pair* pair);

typedef struct {
  double position[3];   /* of the body's origin [m] */
  double quaternion[4]; /* w, x, y, z */
  double angular[3];    /* [rad/s] */
  double linear[3];     /* of the origin [m/s] */
} stiction_body_state;

/* What a contact remembers. `values` are integrated by the host with the rates of stiction_pair_evaluate: six of the
 * friction law (bristles: deflection (3) [m], dwell [-], twist [rad], energy [J]; spring: deflection (3), twist,
 * energy; else none), four of the normal law (powers: offset [m], then three that change when bodies touch only), and
 * of patches with volume the elastic energy [J]. What a law does not use is 0. */
#define STICTION_MEMORY_SIZE 11
typedef struct {
  double values[STICTION_MEMORY_SIZE];
  int touching;
} stiction_contact_memory;

typedef struct {
  double gap;       /* > 0 apart; the event indicator: contact begins and ends where it changes sign [m] */
  double point[3];  /* of action [m] */
  double normal[3]; /* from A to B */
  double normal_force, friction_force[3]; /* on B [N] */
  double force_a[3], torque_a[3];         /* on A, at its origin [N, N m] */
  double force_b[3], torque_b[3];         /* on B, at its origin */
  double stored;                          /* energy in springs and bristles [J] */
  double dissipated;                      /* power [W] */
  double rates[STICTION_MEMORY_SIZE];     /* of the memory's values [1/s] */
  int sticks;
} stiction_contact_output;

/* Forces and rates at an instant; the memory is not changed. Nothing allocates. */
STICTION_API stiction_status stiction_pair_evaluate(const stiction_pair* pair, const stiction_body_state* a,
                                                    const stiction_body_state* b, const stiction_contact_memory* memory,
                                                    stiction_contact_output* output);
/* After every accepted step, or at a located event: touching begins and ends in the memory. *changed may be NULL. */
STICTION_API stiction_status stiction_pair_update(const stiction_pair* pair, const stiction_body_state* a,
                                                  const stiction_body_state* b, stiction_contact_memory* memory,
                                                  int* changed);

#ifdef __cplusplus
}
#endif
#endif
