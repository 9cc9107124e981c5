#include <cmath>
#include <cstdint>
#include <cstring>

#include "bindings/fmi/instance.h"

// FMI 3.0: the functions of the standard (FMI 3.0.2, chapters 2 to 4). Variables are Float64; others are refused.

namespace {

using namespace stiction::fmi;

using Handle = void*;
using Reference = std::uint32_t;
using Log = void (*)(void* environment, int status, const char* category, const char* message);

void log3(const Instance& instance, int status, const char* message) {
  const auto logger = reinterpret_cast<Log>(instance.logger);
  if (logger) logger(instance.environment, status, "logStatusError", message);
}

int refuse3(Handle handle, std::size_t count) {
  if (count == 0) return ok;
  return guard(handle, [](Instance&) { throw std::runtime_error("this model has Float64 variables only"); });
}
int refuse_call(Handle handle) {
  return guard(handle, [](Instance&) { throw std::runtime_error("this model does not support the function"); });
}
int accept(Handle handle) {
  return guard(handle, [](Instance&) {});
}

Handle instantiate(const char* name, const char* token, const char* resources, bool model_exchange, bool early,
                   void* environment, Log logger) {
  auto* instance = new (std::nothrow) Instance;
  if (!instance) return nullptr;
  const int status = guard(instance, [&](Instance& made) {
    made.name = name ? name : "";
    made.environment = environment;
    made.logger = reinterpret_cast<void*>(logger);
    made.log = log3;
    made.resources = to_path(resources);
    made.model_exchange = model_exchange;
    made.early_return = early;
    check_token(made.resources, token);
    made.model = std::make_unique<Model>(made.resources, model_exchange);
  });
  if (status == ok) return instance;
  delete instance;
  return nullptr;
}

}  // namespace

extern "C" {
#define FMI3_API __attribute__((visibility("default")))

FMI3_API const char* fmi3GetVersion() {
  return "3.0";
}
FMI3_API int fmi3SetDebugLogging(Handle, bool, std::size_t, const char* const*) {
  return ok;
}
FMI3_API Handle fmi3InstantiateModelExchange(const char* name, const char* token, const char* resources, bool, bool,
                                             void* environment, Log logger) {
  return instantiate(name, token, resources, true, false, environment, logger);
}
FMI3_API Handle fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool, bool,
                                            bool, bool early, const Reference*, std::size_t, void* environment,
                                            Log logger, void*) {
  return instantiate(name, token, resources, false, early, environment, logger);
}
FMI3_API Handle fmi3InstantiateScheduledExecution(const char*, const char*, const char*, bool, bool, void*, Log, void*,
                                                  void*, void*) {
  return nullptr;
}
FMI3_API void fmi3FreeInstance(Handle handle) {
  delete static_cast<Instance*>(handle);
}
FMI3_API int fmi3EnterInitializationMode(Handle handle, bool tolerance_defined, double tolerance, double start, bool,
                                         double) {
  return guard(handle, [&](Instance& i) {
    if (start != 0) throw std::runtime_error("a scene starts at time 0");
    if (tolerance_defined) i.model->set_tolerance(tolerance);
  });
}
FMI3_API int fmi3ExitInitializationMode(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3EnterEventMode(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3Terminate(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3Reset(Handle handle) {
  return guard(handle, [](Instance& i) { i.model->reset(); });
}

FMI3_API int fmi3GetFloat64(Handle handle, const Reference* references, std::size_t count, double* values,
                            std::size_t) {
  return guard(handle, [&](Instance& i) {
    for (std::size_t k = 0; k < count; ++k) values[k] = i.model->get(references[k]);
  });
}
FMI3_API int fmi3SetFloat64(Handle handle, const Reference* references, std::size_t count, const double* values,
                            std::size_t) {
  return guard(handle, [&](Instance& i) {
    for (std::size_t k = 0; k < count; ++k) i.model->set(references[k], values[k]);
  });
}
#define FMI3_REFUSED(name, type)                                                                         \
  FMI3_API int fmi3Get##name(Handle handle, const Reference*, std::size_t n, type*, std::size_t) {       \
    return refuse3(handle, n);                                                                           \
  }                                                                                                      \
  FMI3_API int fmi3Set##name(Handle handle, const Reference*, std::size_t n, const type*, std::size_t) { \
    return refuse3(handle, n);                                                                           \
  }
FMI3_REFUSED(Float32, float)
FMI3_REFUSED(Int8, std::int8_t)
FMI3_REFUSED(UInt8, std::uint8_t)
FMI3_REFUSED(Int16, std::int16_t)
FMI3_REFUSED(UInt16, std::uint16_t)
FMI3_REFUSED(Int32, std::int32_t)
FMI3_REFUSED(UInt32, std::uint32_t)
FMI3_REFUSED(Int64, std::int64_t)
FMI3_REFUSED(UInt64, std::uint64_t)
FMI3_REFUSED(Boolean, bool)
FMI3_REFUSED(String, char*)
FMI3_API int fmi3GetBinary(Handle handle, const Reference*, std::size_t n, std::size_t*, const std::uint8_t**,
                           std::size_t) {
  return refuse3(handle, n);
}
FMI3_API int fmi3SetBinary(Handle handle, const Reference*, std::size_t n, const std::size_t*,
                           const std::uint8_t* const*, std::size_t) {
  return refuse3(handle, n);
}
FMI3_API int fmi3GetClock(Handle handle, const Reference*, std::size_t n, bool*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3SetClock(Handle handle, const Reference*, std::size_t n, const bool*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3GetNumberOfVariableDependencies(Handle handle, Reference, std::size_t*) {
  return refuse_call(handle);
}
FMI3_API int fmi3GetVariableDependencies(Handle handle, Reference, std::size_t*, Reference*, std::size_t*, int*,
                                         std::size_t) {
  return refuse_call(handle);
}

FMI3_API int fmi3GetFMUState(Handle handle, void** state) {
  return guard(handle, [&](Instance& i) {
    std::string bytes = i.model->save();
    if (!*state) *state = new SavedState;
    need_state(*state).bytes = std::move(bytes);
  });
}
FMI3_API int fmi3SetFMUState(Handle handle, void* state) {
  return guard(handle, [&](Instance& i) { i.model->restore(need_state(state).bytes); });
}
FMI3_API int fmi3FreeFMUState(Handle, void** state) {
  if (state) delete static_cast<SavedState*>(*state), *state = nullptr;
  return ok;
}
FMI3_API int fmi3SerializedFMUStateSize(Handle handle, void* state, std::size_t* size) {
  return guard(handle, [&](Instance&) { *size = need_state(state).bytes.size(); });
}
FMI3_API int fmi3SerializeFMUState(Handle handle, void* state, std::uint8_t* bytes, std::size_t size) {
  return guard(handle, [&](Instance&) {
    const std::string& from = need_state(state).bytes;
    if (size < from.size()) throw std::runtime_error("the buffer is too small for the state");
    std::memcpy(bytes, from.data(), from.size());
  });
}
FMI3_API int fmi3DeserializeFMUState(Handle handle, const std::uint8_t* bytes, std::size_t size, void** state) {
  return guard(handle, [&](Instance&) {
    if (!*state) *state = new SavedState;
    need_state(*state).bytes.assign(reinterpret_cast<const char*>(bytes), size);
  });
}
FMI3_API int fmi3GetDirectionalDerivative(Handle handle, const Reference*, std::size_t, const Reference*, std::size_t,
                                          const double*, std::size_t, double*, std::size_t) {
  return refuse_call(handle);
}
FMI3_API int fmi3GetAdjointDerivative(Handle handle, const Reference*, std::size_t, const Reference*, std::size_t,
                                      const double*, std::size_t, double*, std::size_t) {
  return refuse_call(handle);
}
FMI3_API int fmi3EnterConfigurationMode(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3ExitConfigurationMode(Handle handle) {
  return accept(handle);
}

// Clocks: there are none.
FMI3_API int fmi3GetIntervalDecimal(Handle handle, const Reference*, std::size_t n, double*, int*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3GetIntervalFraction(Handle handle, const Reference*, std::size_t n, std::uint64_t*, std::uint64_t*,
                                     int*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3GetShiftDecimal(Handle handle, const Reference*, std::size_t n, double*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3GetShiftFraction(Handle handle, const Reference*, std::size_t n, std::uint64_t*, std::uint64_t*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3SetIntervalDecimal(Handle handle, const Reference*, std::size_t n, const double*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3SetIntervalFraction(Handle handle, const Reference*, std::size_t n, const std::uint64_t*,
                                     const std::uint64_t*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3SetShiftDecimal(Handle handle, const Reference*, std::size_t n, const double*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3SetShiftFraction(Handle handle, const Reference*, std::size_t n, const std::uint64_t*,
                                  const std::uint64_t*) {
  return refuse3(handle, n);
}
FMI3_API int fmi3EvaluateDiscreteStates(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3UpdateDiscreteStates(Handle handle, bool* needed, bool* terminate, bool* nominals, bool* values,
                                      bool* next_defined, double* next_time) {
  return guard(handle, [&](Instance& i) {
    *needed = *terminate = *nominals = *values = *next_defined = false;
    if (!i.model_exchange) return;
    *values = i.model->exchange().handle_events();
    const double next = i.model->exchange().next_break();
    *next_defined = std::isfinite(next);
    *next_time = *next_defined ? next : 0;
  });
}

// Model exchange

FMI3_API int fmi3EnterContinuousTimeMode(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3CompletedIntegratorStep(Handle handle, bool, bool* enter_event_mode, bool* terminate) {
  return guard(handle, [&](Instance& i) {
    *terminate = false;
    *enter_event_mode = i.model->has_drifted();
  });
}
FMI3_API int fmi3SetTime(Handle handle, double t) {
  return guard(handle, [&](Instance& i) { i.model->exchange().set_time(t); });
}
FMI3_API int fmi3SetContinuousStates(Handle handle, const double* y, std::size_t) {
  return guard(handle, [&](Instance& i) { i.model->exchange().set_states(y); });
}
FMI3_API int fmi3GetContinuousStateDerivatives(Handle handle, double* dy, std::size_t) {
  return guard(handle, [&](Instance& i) { copy_to(i.model->exchange().calc_derivatives(), dy); });
}
FMI3_API int fmi3GetEventIndicators(Handle handle, double* values, std::size_t) {
  return guard(handle, [&](Instance& i) { copy_to(i.model->exchange().calc_indicators(), values); });
}
FMI3_API int fmi3GetContinuousStates(Handle handle, double* y, std::size_t) {
  return guard(handle, [&](Instance& i) { copy_to(i.model->exchange().states(), y); });
}
FMI3_API int fmi3GetNominalsOfContinuousStates(Handle handle, double* nominals, std::size_t count) {
  return guard(handle, [&](Instance&) { std::fill_n(nominals, count, 1.0); });
}
FMI3_API int fmi3GetNumberOfEventIndicators(Handle handle, std::size_t* count) {
  return guard(handle, [&](Instance& i) { *count = static_cast<std::size_t>(i.model->exchange().indicator_count()); });
}
FMI3_API int fmi3GetNumberOfContinuousStates(Handle handle, std::size_t* count) {
  return guard(handle, [&](Instance& i) { *count = static_cast<std::size_t>(i.model->exchange().state_count()); });
}

// Co-simulation

FMI3_API int fmi3EnterStepMode(Handle handle) {
  return accept(handle);
}
FMI3_API int fmi3GetOutputDerivatives(Handle handle, const Reference*, std::size_t n, const std::int32_t*, double*,
                                      std::size_t) {
  return refuse3(handle, n);
}
FMI3_API int fmi3DoStep(Handle handle, double t, double h, bool, bool* event_handling, bool* terminate, bool* early,
                        double* last_time) {
  return guard(handle, [&](Instance& i) {
    *event_handling = *terminate = false;
    *early = i.model->step(t, h, i.early_return);
    *last_time = *early ? i.model->time() : t + h;
  });
}
FMI3_API int fmi3ActivateModelPartition(Handle handle, Reference, double) {
  return refuse_call(handle);
}
}
