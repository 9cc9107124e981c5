#include <cmath>
#include <cstring>
#include <limits>

#include "bindings/fmi/instance.h"

// FMI 2.0: the functions of the standard (FMI for Model Exchange and Co-Simulation 2.0.4, chapters 2 to 4), as thin as
// can be. Variables are real numbers; others are refused.

namespace {

using namespace stiction::fmi;

using Component = void*;
using Reference = unsigned;
using Logger = void (*)(void* environment, const char* instance, int status, const char* category, const char* message,
                        ...);
struct Callbacks {
  Logger logger;
  void* (*allocate)(std::size_t, std::size_t);
  void (*free)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};
struct EventInfo {
  int new_discrete_states_needed, terminate, nominals_changed, values_changed, next_event_defined;
  double next_event_time;
};

void log2(const Instance& instance, int status, const char* message) {
  const auto logger = reinterpret_cast<Logger>(instance.logger);
  if (logger) logger(instance.environment, instance.name.c_str(), status, "logStatusError", "%s", message);
}

int refuse(Component component, std::size_t count) {
  if (count == 0) return ok;
  return guard(component, [](Instance&) { throw std::runtime_error("this model has real variables only"); });
}

}  // namespace

extern "C" {
#define FMI2_API __attribute__((visibility("default")))

FMI2_API const char* fmi2GetTypesPlatform() {
  return "default";
}
FMI2_API const char* fmi2GetVersion() {
  return "2.0";
}
FMI2_API int fmi2SetDebugLogging(Component, int, std::size_t, const char* const*) {
  return ok;
}

FMI2_API Component fmi2Instantiate(const char* name, int type, const char* token, const char* location,
                                   const Callbacks* callbacks, int, int) {
  auto* instance = new (std::nothrow) Instance;
  if (!instance) return nullptr;
  const int status = guard(instance, [&](Instance& made) {
    made.name = name ? name : "";
    made.environment = callbacks ? callbacks->environment : nullptr;
    made.logger = callbacks ? reinterpret_cast<void*>(callbacks->logger) : nullptr;
    made.log = log2;
    made.resources = to_path(location);
    made.model_exchange = type == 0;
    check_token(made.resources, token);
    made.model = std::make_unique<Model>(made.resources, made.model_exchange);
  });
  if (status == ok) return instance;
  delete instance;
  return nullptr;
}
FMI2_API void fmi2FreeInstance(Component component) {
  delete static_cast<Instance*>(component);
}
FMI2_API int fmi2SetupExperiment(Component component, int tolerance_defined, double tolerance, double start, int,
                                 double) {
  return guard(component, [&](Instance& i) {
    if (start != 0) throw std::runtime_error("a scene starts at time 0");
    if (tolerance_defined) i.model->set_tolerance(tolerance);
  });
}
FMI2_API int fmi2EnterInitializationMode(Component component) {
  return guard(component, [](Instance&) {});
}
FMI2_API int fmi2ExitInitializationMode(Component component) {
  return guard(component, [](Instance&) {});
}
FMI2_API int fmi2Terminate(Component component) {
  return guard(component, [](Instance&) {});
}
FMI2_API int fmi2Reset(Component component) {
  return guard(component, [](Instance& i) { i.model->reset(); });
}

FMI2_API int fmi2GetReal(Component component, const Reference* references, std::size_t count, double* values) {
  return guard(component, [&](Instance& i) {
    for (std::size_t k = 0; k < count; ++k) values[k] = i.model->get(references[k]);
  });
}
FMI2_API int fmi2SetReal(Component component, const Reference* references, std::size_t count, const double* values) {
  return guard(component, [&](Instance& i) {
    for (std::size_t k = 0; k < count; ++k) i.model->set(references[k], values[k]);
  });
}
FMI2_API int fmi2GetInteger(Component c, const Reference*, std::size_t n, int*) {
  return refuse(c, n);
}
FMI2_API int fmi2GetBoolean(Component c, const Reference*, std::size_t n, int*) {
  return refuse(c, n);
}
FMI2_API int fmi2GetString(Component c, const Reference*, std::size_t n, const char**) {
  return refuse(c, n);
}
FMI2_API int fmi2SetInteger(Component c, const Reference*, std::size_t n, const int*) {
  return refuse(c, n);
}
FMI2_API int fmi2SetBoolean(Component c, const Reference*, std::size_t n, const int*) {
  return refuse(c, n);
}
FMI2_API int fmi2SetString(Component c, const Reference*, std::size_t n, const char* const*) {
  return refuse(c, n);
}

FMI2_API int fmi2GetFMUstate(Component component, void** state) {
  return guard(component, [&](Instance& i) {
    std::string bytes = i.model->save();
    if (!*state) *state = new SavedState;
    need_state(*state).bytes = std::move(bytes);
  });
}
FMI2_API int fmi2SetFMUstate(Component component, void* state) {
  return guard(component, [&](Instance& i) { i.model->restore(need_state(state).bytes); });
}
FMI2_API int fmi2FreeFMUstate(Component, void** state) {
  if (state) delete static_cast<SavedState*>(*state), *state = nullptr;
  return ok;
}
FMI2_API int fmi2SerializedFMUstateSize(Component component, void* state, std::size_t* size) {
  return guard(component, [&](Instance&) { *size = need_state(state).bytes.size(); });
}
FMI2_API int fmi2SerializeFMUstate(Component component, void* state, char* bytes, std::size_t size) {
  return guard(component, [&](Instance&) {
    const std::string& from = need_state(state).bytes;
    if (size < from.size()) throw std::runtime_error("the buffer is too small for the state");
    std::memcpy(bytes, from.data(), from.size());
  });
}
FMI2_API int fmi2DeSerializeFMUstate(Component component, const char* bytes, std::size_t size, void** state) {
  return guard(component, [&](Instance&) {
    if (!*state) *state = new SavedState;
    need_state(*state).bytes.assign(bytes, size);
  });
}
FMI2_API int fmi2GetDirectionalDerivative(Component component, const Reference*, std::size_t, const Reference*,
                                          std::size_t, const double*, double*) {
  return guard(component, [](Instance&) { throw std::runtime_error("there are no directional derivatives"); });
}

// Co-simulation

FMI2_API int fmi2SetRealInputDerivatives(Component c, const Reference*, std::size_t n, const int*, const double*) {
  return refuse(c, n);
}
FMI2_API int fmi2GetRealOutputDerivatives(Component c, const Reference*, std::size_t n, const int*, double*) {
  return refuse(c, n);
}
FMI2_API int fmi2DoStep(Component component, double t, double h, int) {
  return guard(component, [&](Instance& i) { i.model->step(t, h, false); });
}
FMI2_API int fmi2CancelStep(Component) {
  return error;
}
FMI2_API int fmi2GetStatus(Component, int, int*) {
  return discard;
}
FMI2_API int fmi2GetRealStatus(Component component, int, double* value) {
  return guard(component, [&](Instance& i) { *value = i.model->time(); });
}
FMI2_API int fmi2GetIntegerStatus(Component, int, int*) {
  return discard;
}
FMI2_API int fmi2GetBooleanStatus(Component, int, int*) {
  return discard;
}
FMI2_API int fmi2GetStringStatus(Component, int, const char**) {
  return discard;
}

// Model exchange

FMI2_API int fmi2EnterEventMode(Component component) {
  return guard(component, [](Instance&) {});
}
FMI2_API int fmi2NewDiscreteStates(Component component, EventInfo* info) {
  return guard(component, [&](Instance& i) {
    *info = {};
    info->values_changed = i.model->exchange().handle_events() ? 1 : 0;
    const double next = i.model->exchange().next_break();
    info->next_event_defined = std::isfinite(next) ? 1 : 0;
    info->next_event_time = std::isfinite(next) ? next : 0;
  });
}
FMI2_API int fmi2EnterContinuousTimeMode(Component component) {
  return guard(component, [](Instance&) {});
}
FMI2_API int fmi2CompletedIntegratorStep(Component component, int, int* enter_event_mode, int* terminate) {
  return guard(component, [&](Instance& i) {
    *terminate = 0;
    *enter_event_mode = i.model->has_drifted() ? 1 : 0;
  });
}
FMI2_API int fmi2SetTime(Component component, double t) {
  return guard(component, [&](Instance& i) { i.model->exchange().set_time(t); });
}
FMI2_API int fmi2SetContinuousStates(Component component, const double* y, std::size_t) {
  return guard(component, [&](Instance& i) { i.model->exchange().set_states(y); });
}
FMI2_API int fmi2GetDerivatives(Component component, double* dy, std::size_t) {
  return guard(component, [&](Instance& i) { copy_to(i.model->exchange().calc_derivatives(), dy); });
}
FMI2_API int fmi2GetEventIndicators(Component component, double* values, std::size_t) {
  return guard(component, [&](Instance& i) { copy_to(i.model->exchange().calc_indicators(), values); });
}
FMI2_API int fmi2GetContinuousStates(Component component, double* y, std::size_t) {
  return guard(component, [&](Instance& i) { copy_to(i.model->exchange().states(), y); });
}
FMI2_API int fmi2GetNominalsOfContinuousStates(Component component, double* nominals, std::size_t count) {
  return guard(component, [&](Instance&) { std::fill_n(nominals, count, 1.0); });
}
}
