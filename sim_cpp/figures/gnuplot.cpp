// SPDX-License-Identifier: Apache-2.0
#include "figures/gnuplot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "muster/core/error.hpp"

namespace muster::figures {
namespace {

constexpr std::size_t kManyPoints = 50;  ///< then a curve is a line only

/// Colour and point type of the k-th curve; with the dash told apart in grey, too.
std::string style(std::size_t k) {
  static constexpr std::array<const char*, 8> kColours = {
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999"};
  static constexpr std::array<int, 8> kPoints = {7, 5, 9, 13, 6, 4, 8, 12};
  return fmt::format("lc rgb '{}' pt {} ps 0.6 lw 1.5", kColours[k % 8], kPoints[k % 8]);
}

std::string data_block(const std::string& name, const Series& series) {
  std::string text = fmt::format("${} << EOD\n", name);
  for (const Point& p : series.points)
    if (p.y) text += fmt::format("{} {} {}\n", p.x, *p.y, p.half_width.value_or(0.0));
  return text + "EOD\n";
}

std::string printed_block(const std::string& name, const Panel& panel) {
  std::string text = fmt::format("${} << EOD\n", name);
  for (const Printed& p : panel.printed) text += fmt::format("{} {} \"{}\"\n", p.x, p.y, p.y);
  return text + "EOD\n";
}

/// Axes begin at 0, but those of powers of ten and of values below 0.
const char* y_range(const Panel& panel) {
  if (panel.log10_y) return "set logscale y 10\nset yrange [*:*]";
  for (const Series& series : panel.series)
    for (const Point& p : series.points)
      if (p.y && *p.y < 0.0) return "unset logscale y\nset yrange [*:*]";
  return "unset logscale y\nset yrange [0:*]";
}

std::string plot(std::size_t number, const Panel& panel) {
  std::string blocks, curves;
  for (std::size_t k = 0; k < panel.series.size(); ++k) {
    const std::string name = fmt::format("p{}s{}", number, k);
    blocks += data_block(name, panel.series[k]);
    if (panel.series[k].rings) {
      curves += fmt::format("${} with points title {} lc rgb 'black' pt 6 ps 1.3 lw 1, ", name,
                            gnuplot_quote(panel.series[k].name));
      continue;
    }
    const auto& points = panel.series[k].points;
    if (!points.empty() && points[0].half_width)
      curves += fmt::format("${} with yerrorbars notitle {}, ", name, style(k));
    curves += fmt::format("${} with {} title {} {} dt {}, ", name,
                          points.size() > kManyPoints ? "lines" : "linespoints",
                          gnuplot_quote(panel.series[k].name), style(k), k % 4 + 1);
  }
  if (!panel.printed.empty()) {
    const std::string name = fmt::format("p{}printed", number);
    blocks += printed_block(name, panel);
    curves += fmt::format(
        "${0} with points title 'printed' lc rgb 'black' pt 2 ps 1.2 lw 2, "
        "${0} using 1:2:3 with labels right boxed offset -1,0.3 font ',10' notitle, ",
        name);
  }
  curves.resize(curves.size() - 2);
  return fmt::format(
      "{}set title {}\nset xlabel {}\nset ylabel {}\n{}\n{}\nplot {}\n", blocks,
      gnuplot_quote(panel.name.empty() ? panel.title
                                       : fmt::format("({}) {}", panel.name, panel.title)),
      gnuplot_quote(panel.x_label), gnuplot_quote(panel.y_label),
      panel.log2_x ? "set logscale x 2" : "unset logscale x", y_range(panel), curves);
}

}  // namespace

std::string gnuplot_quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string gnuplot_script(const FigureData& data) {
  const std::size_t panels = data.panels.size();
  const std::size_t rows = panels > 3 ? 2 : 1, columns = (panels + rows - 1) / rows;
  std::string text = fmt::format(
      "set terminal svg size {},{} noenhanced font 'Helvetica,12' background 'white'\n"
      "set encoding utf8\nset style textbox opaque margins 0.3,0.3 noborder\n"
      "set multiplot layout {},{} title {}\n"
      "set key below maxcols 2 title ' ' samplen 2 font ',10'\n"  // a line off the axis title
      "set grid lc rgb '#dddddd'\nset yrange [0:*]\n"
      "set autoscale noextend\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n",
      panels == 1 ? 640 : 400 * columns, 460 * rows, rows, columns, gnuplot_quote(data.title));
  for (std::size_t p = 0; p < panels; ++p) text += plot(p, data.panels[p]);
  return text + "unset multiplot\n";
}

std::string run_gnuplot(const std::string& script) {
  std::string folder = (std::filesystem::temp_directory_path() / "muster-plot-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw InputError(folder + ": cannot be made");
  const std::string file = folder + "/script";
  std::ofstream(file, std::ios::binary) << script;
  std::string svg;
  FILE* const pipe = popen(fmt::format("gnuplot '{}' 2>'{}/errors'", file, folder).c_str(), "r");
  std::array<char, 65536> buffer;
  while (pipe != nullptr) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe);
    if (got == 0) break;
    svg.append(buffer.data(), got);
  }
  const int status = pipe == nullptr ? -1 : pclose(pipe);
  std::string error;
  std::getline(std::ifstream(folder + "/errors"), error);
  std::filesystem::remove_all(folder);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw InputError("figures are drawn by gnuplot, which is not installed (package gnuplot-nox)");
  if (status != 0 || svg.empty()) throw InternalError(fmt::format("gnuplot fails: {}", error));
  return svg;
}

}  // namespace muster::figures
