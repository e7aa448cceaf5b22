// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/provenance.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::figures {

/// One measured point.
struct Point {
  double x = 0.0;                    ///< in the unit of the axis
  std::optional<double> y;           ///< none: not defined there
  std::optional<double> half_width;  ///< of the 95 % confidence interval, if it is a mean
};

/// One curve.
struct Series {
  std::string name;           ///< in the legend
  std::vector<Point> points;  ///< by x
  bool rings = false;         ///< no curve: each point is a ring around one of another curve
};

/// A value that the paper prints, to stand beside ours.
struct Printed {
  std::string what;         ///< "bypass, paper"
  double x = 0.0;           ///< in the unit of its axis
  double y = 0.0;           ///< in the unit of its axis
  std::string measured_by;  ///< the series that has our value at the same x; may be empty
};

/// One graph: axes with units in their labels.
struct Panel {
  std::string name;              ///< short, for files: "a"; may be empty if it is the only one
  std::string title;             ///< above the graph
  std::string x_label;           ///< with the unit
  std::string y_label;           ///< with the unit
  bool log2_x = false;           ///< x are powers of two
  bool log10_y = false;          ///< y over several powers of ten; none may be 0
  std::vector<Series> series;    ///< its curves
  std::vector<Printed> printed;  ///< values of the paper
};

/// A file that belongs to a figure beside its curves: a picture of another kind.
struct Attachment {
  std::string name;     ///< ending included, after the figure's id and a dash
  std::string content;  ///< of the file
};

/// Everything that is known of a figure once it has been measured.
struct FigureData {
  std::string title;                              ///< of all panels
  std::vector<Panel> panels;                      ///< drawn side by side; may be empty
  std::map<std::string, std::string> parameters;  ///< what is the same for all points
  std::vector<std::string> notes;                 ///< what a reader must know
  std::vector<Attachment> attachments;            ///< further files
  std::uint64_t violations = 0;                   ///< of the checks that ran with it
};

/// How figures are to be measured.
struct FigureSetting {
  std::shared_ptr<const fabric::BankFactory> engine = nullptr;  ///< must be given
  std::uint64_t seed = 1;                                       ///< of everything random
  unsigned threads = 1;                                         ///< at least 1
  std::optional<std::uint32_t> repetitions;  ///< sessions a point, instead of the figure's own
  /// Called now and then; what it throws ends the measurement. May be absent.
  std::function<void(const std::string&)> progress;
};

/// One figure of a paper. Figures that share measurements get them from a cache of their own kind,
/// which lives as long as its figures.
class Figure {
 public:
  virtual ~Figure() = default;
  virtual std::string id() const = 0;     ///< "esc-5"
  virtual std::string about() const = 0;  ///< one line
  /// Throws InputError if the engine cannot do it.
  virtual FigureData measure(const FigureSetting& setting) = 0;
};

/// The figures of a program, in the order in which they were added.
class FigureList {
 public:
  /// Throws InternalError if the id is taken.
  void add(std::unique_ptr<Figure> figure);
  /// The figures of these names, or all for "all", each once and as added. Throws InputError that
  /// names what there is.
  std::vector<Figure*> find_all(const std::vector<std::string>& ids) const;
  /// The one figure of a name, or all for "all". Throws as above.
  std::vector<Figure*> find(const std::string& id) const { return find_all({id}); }
  const std::vector<std::unique_ptr<Figure>>& all() const { return figures_; }  ///< as added

 private:
  std::vector<std::unique_ptr<Figure>> figures_;
};

/// Every figure of every system.
FigureList all_figures();

/// One row a point: panel, series, x, y, half-width; printed values as a series of their own.
std::string figure_to_csv(const FigureData& data);
/// Schema muster-figure-1: enough to draw it again.
std::string figure_to_json(const std::string& id, const FigureData& data,
                           const FigureSetting& setting, const Provenance& origin);
/// The printed values with ours beside them, and the notes.
std::string figure_to_text(const std::string& id, const FigureData& data);

}  // namespace muster::figures
