# SPDX-License-Identifier: Apache-2.0
"""Pictures that gnuplot has drawn, made smaller for docs/pictures: what is empty, drawn twice or a
default goes, what neighbours share stands once."""

import re

LARGEST = 100_000  # bytes

EMPTY = re.compile(r'<g fill="none"[^>]*>\s*</g>\s*')
# What a group of gnuplot says each time; the canvas says it once.
DEFAULTS = re.compile(r' (?:stroke-linecap="butt"|stroke-linejoin="miter"|stroke-width="1\.00"|'
                      r'fill="none"|color="(?:black|gray|white)"|stroke="currentColor")')
CANVAS = '<g id="gnuplot_canvas">'
ALL = '<g id="gnuplot_canvas" fill="none" font-family="Helvetica" font-size="12">'
# What tells nothing: names of curves as gnuplot counts them, what the canvas says of text.
NAMES = re.compile(r' id="gnuplot_plot_\w+" |<title>gnuplot_plot_\w+</title>|'
                   r' stroke="none"(?= fill="black")| font-family="Helvetica"| font-size="12\.00" ')
GRID = re.compile(r"<path stroke='#dddddd' stroke-dasharray='2,4' class=\"gridline\"\s+"
                  r"d='([^']*)'/>\s*")
COLOUR = re.compile(r"rgb\( *(\d+), *(\d+), *(\d+)\)")
MARK = re.compile(r"<use xlink:href='(#\w+)' transform='translate\(([\d.]+),([\d.]+)\) "
                  r"scale\(([\d.]+)\)' color='([^']*)'/>\s*")
# White, behind an open mark: the line of the curve may go through it.
HALO = re.compile(r"<use [^>]*scale\(4\.50\)' color='#ffffff'/>\s*", re.I)
# A group that has only marks, and the next one like it.
PARTED = re.compile(r'(<g stroke-width="1\.50">\s*(?:<use [^>]*/>\s*)+)</g>\s*'
                    r'<g stroke-width="1\.50">\s*(?=<use )')
ALIKE = re.compile(rf"{MARK.pattern}(?:<use xlink:href='\1' transform='translate\([\d.,]+\) "
                   r"scale\(\4\)' color='\5'/>\s*)*")
# An error bar: the line, then a stroke at either end.
BAR = re.compile(r"M([\d.]+),([\d.]+)V([\d.]+)\s*M([\d.]+),\2H([\d.]+)\s*M\4,\3H\5\s*")

# One of no length: what is left of it is two strokes in one place.
NO_BAR = re.compile(r"M[\d.]+,([\d.]+)\s*M([\d.]+),\1H([\d.]+)\s*M\2,\1H\3\s*")


def bar(match):
    """An error bar in one stroke of the pen."""
    middle, top, bottom, left, right = match.groups()
    wide, back = float(right) - float(left), float(middle) - float(right)
    return f"M{left},{top}h{wide:.3g}m{back:.3g},0V{bottom}m{back:.3g},0h{wide:.3g}"


def without_doubles(text):
    """Of marks that are alike and in one place the last one stays: bars and curves have both."""
    seen, kept, end = set(), [], len(text)
    for match in reversed(list(MARK.finditer(text))):
        if match[0].strip() in seen:
            kept.append(text[match.end():end])
            end = match.start()
        seen.add(match[0].strip())
    return "".join(reversed([*kept, text[:end]]))


def grouped(text):
    """Marks of one curve in a group that has their colour and size."""
    def group(match):
        scale = float(match[4])
        uses = "".join(f"<use xlink:href='{name}' x='{float(x) / scale:.1f}' "
                       f"y='{float(y) / scale:.1f}'/>\n"
                       for name, x, y, _, _ in MARK.findall(match[0]))
        return f"<g color='{match[5]}' transform='scale({match[4]})'>\n{uses}</g>\n"

    return ALIKE.sub(group, text)


def one_grid(body):
    """All lines of all grids in one path, behind everything."""
    lines = "".join(" ".join(d.split()) for d in GRID.findall(body))
    background, rest = re.match(r"(\s*<rect[^>]*/>)(.*)", body, re.S).groups()
    grid = (f"<path stroke='#dddddd' stroke-width='0.5' stroke-dasharray='2,4' d='{lines}'/>\n"
            if lines else "")
    return f"{background}\n{grid}" + re.sub(r"<g[^>]*>\s*</g>\s*", "", GRID.sub("", rest))


def compact(text):
    """A drawing of gnuplot, smaller; another one as it is."""
    head, canvas, body = text.partition(CANVAS)
    if not canvas:
        return text
    body = DEFAULTS.sub("", EMPTY.sub("", HALO.sub("", body)))
    body = re.sub(r'<g stroke-width="1\.50">\s*</g>\s*', "", body)
    while PARTED.search(body):
        body = PARTED.sub(r"\1", body)
    body = COLOUR.sub(lambda m: f"#{int(m[1]):02x}{int(m[2]):02x}{int(m[3]):02x}", body)
    body = one_grid(NAMES.sub("", grouped(without_doubles(body))))
    body = re.sub(r"(?<=[MLh, (-])(\d+\.\d)\d(?=[, )'\n])", r"\1", body)
    body = re.sub(r"M([\d.]+),([\d.]+)\s+L\1,([\d.]+) ?", r"M\1,\2V\3", body)
    body = re.sub(r"M([\d.]+),([\d.]+)\s+L([\d.]+),\2(?![\d.]) ?", r"M\1,\2H\3", body)
    body = NO_BAR.sub("", BAR.sub(bar, body))
    return re.sub(r"[ \t]*\n\s*", "\n", head + ALL + body)


def too_large(folder):
    return [f"{path.name}: {path.stat().st_size} bytes; a picture has at most {LARGEST}"
            for path in sorted(folder.glob("*.svg")) if path.stat().st_size > LARGEST]
