// SPDX-License-Identifier: Apache-2.0
// Runs: when their members arrive, what looks after them, what comes out of them.
#include "muster/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "app/page_output.hpp"
#include "app/run_options.hpp"
#include "bindings.hpp"
#include "muster/run/arrivals.hpp"
#include "muster/run/result.hpp"

namespace muster::python {

namespace {

/// Beyond it cycles would not add up.
constexpr std::uint64_t kLatest = std::uint64_t{1} << 62;

/// Arrivals that Python functions tell. Any thread may ask, without the interpreter's lock.
class CalledArrivals : public run::Arrivals {
 public:
  /// One for each group, or one for all.
  explicit CalledArrivals(std::vector<nb::object> functions) : functions_(std::move(functions)) {
    const nb::object& first = functions_.front();
    const nb::object named =
        nb::hasattr(first, "__qualname__") ? first : nb::borrow<nb::object>(first.type());
    name_ = nb::cast<std::string>(nb::str(nb::getattr(named, "__qualname__")));
  }
  ~CalledArrivals() override {
    const nb::gil_scoped_acquire lock;
    functions_.clear();
  }
  CalledArrivals(const CalledArrivals&) = delete;
  CalledArrivals& operator=(const CalledArrivals&) = delete;

  std::string name() const override { return name_; }

  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    if (functions_.size() > 1 && group >= functions_.size())
      throw InputError(
          "arrivals: has {} functions, and none for group {}; give one per group, or one for all",
          functions_.size(), group);
    if (all_end()) return earliest;
    const nb::gil_scoped_acquire lock;
    const nb::object& function = functions_.size() == 1 ? functions_[0] : functions_[group];
    const nb::object answer = function(member, barrier, earliest);
    return answer.is_none() ? fabric::kNever : cycle_of(answer, member, barrier);
  }

 private:
  static std::uint64_t cycle_of(const nb::object& answer, std::uint32_t member,
                                std::uint32_t barrier) {
    const nb::object number = nb::steal(PyNumber_Index(answer.ptr()));
    if (!number.is_valid()) {
      PyErr_Clear();
      throw nb::type_error(
          fmt::format("arrivals: {} for member {} at barrier {}; give a whole number of cycles, or "
                      "None for never",
                      nb::cast<std::string>(nb::repr(answer)), member, barrier)
              .c_str());
    }
    const std::uint64_t cycle = PyLong_AsUnsignedLongLong(number.ptr());
    const bool out = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (!out && cycle <= kLatest) return cycle;
    throw InputError("arrivals: cycle {} for member {} at barrier {} is out of range",
                     nb::cast<std::string>(nb::str(number)), member, barrier);
  }

  std::vector<nb::object> functions_;
  std::string name_;
};

/// None: nullptr, and the run's own. A list with a callable for each group, or one for all:
/// callable(member, barrier, now) gives the cycle of the arrival, or None for never. What it raises
/// ends the run and is raised there. Lists of times [group][barrier][member], from _runs.py.
std::shared_ptr<const run::Arrivals> arrivals_of(const nb::object& given) {
  if (given.is_none()) return nullptr;
  run::ListedArrivals::List times;
  if (nb::try_cast(given, times)) return std::make_shared<run::ListedArrivals>(std::move(times));
  std::vector<nb::object> functions;
  for (const nb::handle function : given) functions.push_back(nb::borrow<nb::object>(function));
  return std::make_shared<CalledArrivals>(std::move(functions));
}

/// A request to end runs, from any thread.
class Stop {
 public:
  void set() { set_ = true; }
  bool is_set() const { return set_; }

 private:
  std::atomic<bool> set_{false};
};

/// Looks after one run while the interpreter's lock is released: signals, a Stop, progress. The
/// lock is taken several times a second and no more often.
class Watch {
 public:
  /// `progress`: None or called with cycle and barriers done. Both outlive the run.
  Watch(std::shared_ptr<Stop> stop, nb::object progress)
      : stop_(std::move(stop)), progress_(std::move(progress)) {}

  /// Puts itself into `spec`. REQUIRES: it outlives the run.
  void look_after(run::RunSpec& spec) {
    spec.interrupted = [this] { return interrupted(); };
    if (!progress_.is_none())
      spec.progress = [this](std::uint64_t cycle, std::uint64_t done) { tell(cycle, done); };
  }

  /// What a signal handler raised, such as KeyboardInterrupt; None if nothing.
  nb::object raised() const {
    return raised_ ? nb::borrow<nb::object>(raised_->value()) : nb::none();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kEvery{50};

  /// Signals come to the main thread only; in others nothing is there to be seen.
  bool interrupted() {
    if (all_end() || (stop_ && stop_->is_set())) return true;
    if (Clock::now() - looked_ < kEvery) return false;
    looked_ = Clock::now();
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    raised_.emplace();
    return true;
  }

  void tell(std::uint64_t cycle, std::uint64_t done) {
    if (all_end() || Clock::now() - told_ < kEvery) return;
    told_ = Clock::now();
    const nb::gil_scoped_acquire lock;
    progress_(cycle, done);
  }

  std::shared_ptr<Stop> stop_;
  nb::object progress_;
  Clock::time_point looked_ = Clock::now(), told_ = Clock::now();
  std::optional<nb::python_error> raised_;
};

/// An array that owns its numbers.
template <class T, class Field>
nb::object column(const std::vector<run::BarrierRecord>& barriers, Field field) {
  auto* numbers = new std::vector<T>;
  nb::capsule owner(numbers, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  numbers->reserve(std::max<std::size_t>(barriers.size(), 1));  // an address, even of none
  for (const run::BarrierRecord& b : barriers) numbers->push_back(b.*field);
  return nb::cast(
      nb::ndarray<nb::numpy, T, nb::ndim<1>>(numbers->data(), {numbers->size()}, owner));
}

/// A NumPy array for each field of a barrier, in the order of the barriers.
nb::dict columns_of(const std::vector<run::BarrierRecord>& barriers) {
  using run::BarrierRecord;
  nb::dict found;
  found["group"] = column<std::uint32_t>(barriers, &BarrierRecord::group);
  found["number"] = column<std::uint32_t>(barriers, &BarrierRecord::number);
  found["latency_cycles"] = column<std::uint64_t>(barriers, &BarrierRecord::latency_cycles);
  found["reduction_cycles"] = column<std::uint64_t>(barriers, &BarrierRecord::reduction_cycles);
  found["distribution_cycles"] =
      column<std::uint64_t>(barriers, &BarrierRecord::distribution_cycles);
  found["exit_skew_cycles"] = column<std::uint64_t>(barriers, &BarrierRecord::exit_skew_cycles);
  found["released_at_cycle"] = column<std::uint64_t>(barriers, &BarrierRecord::released_at);
  found["hops"] = column<std::uint32_t>(barriers, &BarrierRecord::hops);
  found["failed"] = column<std::uint8_t>(barriers, &BarrierRecord::failed);
  return found;
}

/// The words of `muster run` with a network, in `options`. Throws InputError, the line without the
/// program's name.
void read_words(app::RunOptions& options, const std::string& label,
                std::vector<std::string> words) {
  CLI::App command;
  app::add_run_options(command, options, engines());
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  words.push_back(label);
  try {
    command.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  options.file = label;
}

/// What a run gives, the fields of Outcome in _results.py, and what a signal raised meanwhile or
/// None.
nb::tuple run_words(const Network& network, const std::vector<std::string>& words,
                    const nb::object& arrivals, std::shared_ptr<Stop> stop, nb::object progress) {
  std::shared_ptr<const run::Arrivals> own = arrivals_of(arrivals);
  Watch watch(std::move(stop), std::move(progress));
  std::string json, text;
  run::RunResult result;
  double clock_ns = 0;
  {
    const Unlocked unlocked;
    app::RunOptions options;
    read_words(options, network.label(), words);
    run::RunSpec spec =
        app::specify(options, network.with_routes(), engines(), options.common.seed);
    if (own) spec.arrivals = std::move(own);
    watch.look_after(spec);
    app::Context context;
    context.origin = origin_of(fmt::format("{}{}{}", network.command("run"),
                                           words.empty() ? "" : " ", fmt::join(words, " ")));
    context.origin.seed = options.common.seed;
    context.words = {"muster", "run", network.label()};
    context.words.insert(context.words.end(), words.begin(), words.end());
    Outputs outputs;
    app::PageOutput page(options, context);
    page.watch(spec, outputs);
    const auto resolved = app::resolve(options.file, std::move(spec));
    result = run::run_barriers(*resolved);
    page.put(*resolved, result, outputs);
    outputs.commit();
    json = run::run_to_json(resolved->spec, result, context.origin);
    text = run::switches_to_text(resolved->spec, result.config) +
           run::run_to_text(resolved->spec, result);
    clock_ns = resolved->spec.profile.clock_ns;
  }
  return nb::make_tuple(
      nb::make_tuple(json, text, columns_of(result.barriers), result.ok(), clock_ns),
      watch.raised());
}

}  // namespace

void bind_run(nb::module_& m) {
  nb::class_<Stop>(m, "Stop",
                   "A request to end runs: any thread may call set(), and the runs that were given "
                   "it end\nwith what was measured until then.")
      .def(nb::init<>())
      .def("set", &Stop::set, "Ends the runs that have it, those that begin later too.")
      .def("is_set", &Stop::is_set, "Whether set() was called.");
  m.def("run", &run_words, "network"_a, "words"_a, "arrivals"_a.none(), "stop"_a.none(),
        "progress"_a.none());
}

}  // namespace muster::python
