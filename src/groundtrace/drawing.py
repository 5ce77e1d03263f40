"""Pictures of audits as DOT, SVG and Mermaid text, made without any program of the system.

Texts come from strangers. Each format has its own way to be broken by them, so each writer
escapes for itself; graphviz and graphlay quote, Mermaid gets number codes.
"""

import re
import unicodedata
from typing import Any, Final, Literal, NamedTuple, get_args

from groundtrace.errors import InputError
from groundtrace.models.audit import Audit
from groundtrace.models.trace import Trace
from groundtrace.picture import (
    INKS,
    Box,
    BoxKind,
    Junction,
    Line,
    Picture,
    audit_picture,
    segment_picture,
)

PictureFormat = Literal["dot", "svg", "mermaid"]

SVG_LINES = 500
SVG_WAYPOINTS = 1500
"""Lines times the layers they cross. The layout is slower than quadratic in both: up to these
bounds it stays within some seconds, and pictures beyond them are too large to read anyway."""
MERMAID_LINES = 500
MERMAID_CHARACTERS = 50_000
"""What Mermaid accepts unless its page is set up otherwise (maxEdges, maxTextSize)."""

TEXT_COLOR = "#1d2533"
FONT = "Helvetica, Arial, sans-serif"
FONT_SIZE = 12.0
COLUMN = 6.9
LINE_HEIGHT = 16.0
MARGIN = 12.0
SMALLEST_WIDTH = 110.0
JUNCTION_SIZE = 8.0


class Paint(NamedTuple):
    """How the boxes of one kind look."""

    fill: str
    border: str


PAINTS: Final[dict[BoxKind, Paint]] = {
    "leaf": Paint("#dcebfb", "#1565c0"),
    "supported": Paint("#e2f3e1", "#2e7d32"),
    "unsupported": Paint("#ffecc8", "#b26a00"),
    "orphan": Paint("#eceff1", "#607d8b"),
    "contradicted": Paint("#fbdddd", "#c62828"),
}


def draw_segment(
    trace: Trace,
    audit: Audit,
    index: int,
    format: PictureFormat,  # noqa: A002
) -> str:
    """Return a picture of why one segment has its outcome, the same bytes each time.

    It shows the best support tree of a supported segment; the failed supports of an
    unsupported one, down to where the reasoning breaks; the relations that came closest to
    supporting an orphan, dashed; and what contradicts a contradicted one.

    Args:
        trace: The trace.
        audit: Its audit.
        index: Number of a segment that is not a leaf.
        format: What to write; SVG is laid out here, the others by whoever shows them.

    Raises:
        InputError: there is no such segment, it is a leaf, the audit is of another trace, or
            the picture is too large for its format.
    """
    return _written(segment_picture(trace, audit, index), format)


def draw_audit(trace: Trace, audit: Audit, format: PictureFormat) -> str:  # noqa: A002
    """Return a picture of all supports and contradictions, the same bytes each time.

    Args:
        trace: The trace.
        audit: Its audit.
        format: What to write; SVG is laid out here, the others by whoever shows them.

    Raises:
        InputError: the audit is of another trace, or the picture is too large for its format.
    """
    return _written(audit_picture(trace, audit), format)


def _written(picture: Picture, chosen: PictureFormat) -> str:
    """Return a picture in a format.

    Raises:
        InputError: there is no such format, or the picture is too large for it.
    """
    writers = {"dot": _dot, "svg": _svg, "mermaid": _mermaid}
    if chosen not in writers:
        raise InputError(f"format: expected {' or '.join(get_args(PictureFormat))}, got {chosen!r}")
    return writers[chosen](picture)


def _too_large(picture: Picture, name: str, why: str) -> InputError:
    return InputError(
        f"the picture has {len(picture.boxes):,} segments and {len(picture.lines):,} lines, too "
        f"large for {name} ({why}); use --format dot, or draw a single segment"
    )


def _legend(picture: Picture) -> list[tuple[str, str]]:
    """Return each line of the legend with its colour."""
    said = [(f"{INKS[label].word}: {label}", INKS[label].color) for label in picture.labels]
    return said + [(note, TEXT_COLOR) for note in picture.notes]


# --- DOT


def _dot(picture: Picture) -> str:
    import graphviz

    legend = "".join(f"{_dot_text(text)}\\l" for text, _ in _legend(picture))
    graph = graphviz.Digraph(
        graph_attr={"fontname": FONT, "label": graphviz.nohtml(legend), "labeljust": "l"},
        node_attr={"fontname": FONT, "fontcolor": TEXT_COLOR, "shape": "box"},
    )
    for box in picture.boxes:
        paint = PAINTS[box.kind]
        graph.node(
            box.name,
            label=graphviz.nohtml("\\n".join(_dot_text(line) for line in box.lines)),
            style="filled,rounded" if box.kind == "leaf" else "filled",
            fillcolor=paint.fill,
            color=paint.border,
        )
    for junction in picture.junctions:
        graph.node(junction.name, shape="point", width="0.1", color=INKS[junction.label].color)
    for line in picture.lines:
        ink = INKS[line.label]
        graph.edge(
            line.source,
            line.target,
            color=ink.color,
            penwidth=str(ink.width),
            style="dashed" if line.dashed else None,
            arrowhead=("tee" if line.label == "contradiction" else None) if line.arrow else "none",
        )
    return graph.source


def _dot_text(text: str) -> str:
    """Return text that DOT shows as it is: it reads backslashes and HTML entities in labels."""
    import graphviz

    return graphviz.escape(text.replace("&", "&amp;"))


# --- SVG


def _svg(picture: Picture) -> str:
    """Return an SVG document.

    Raises:
        InputError: the picture is too large to be laid out.
    """
    import graphlay

    graph = graphlay.Graph()
    for box in picture.boxes:
        width, height = _size(box)
        graph.node(box.name, width=width, height=height)
    for junction in picture.junctions:
        graph.node(junction.name, width=JUNCTION_SIZE, height=JUNCTION_SIZE, shape="ellipse")
    for line in picture.lines:
        graph.edge(line.source, line.target)
    try:
        layout = graphlay.layout(graph, options=_layout_options(picture))
    except graphlay.GraphlayError as error:
        raise _too_large(picture, "SVG", str(error)) from None
    places = zip((*picture.boxes, *picture.junctions), layout.nodes, strict=True)
    routes = zip(picture.lines, layout.edges, strict=True)
    scene = {
        "background": "#ffffff",
        "padding": 16.0,
        "font": {"family": FONT, "size": FONT_SIZE},
        "nodes": [_scene_node(node, place) for node, place in places],
        "edges": [_scene_edge(line, route["points"]) for line, route in routes],
        "overlays": [_scene_legend(picture, layout.bounds)],
    }
    return str(graphlay.render_scene(scene))


def _layout_options(picture: Picture) -> dict[str, Any]:
    return {
        # Segments without lines go to a grid below the others, but without any lines at all
        # graphlay puts them in one endless row: a column is better.
        "direction": "topbottom" if picture.lines else "leftright",
        "effort": "fast",
        "limits": {"max_edges": SVG_LINES, "max_dummies": SVG_WAYPOINTS},
        "spacing": {"layer_gap": 40.0, "node_gap": 28.0, "isolated_max_columns": 5},
    }


def _size(box: Box) -> tuple[float, float]:
    """Return the width and height that hold the lines of a box, in pixels."""
    columns = max(sum(_columns(character) for character in line) for line in box.lines)
    width = max(SMALLEST_WIDTH, columns * COLUMN + 2 * MARGIN)
    return width, len(box.lines) * LINE_HEIGHT + 2 * MARGIN


def _columns(character: str) -> float:
    """Return about how wide a character is drawn, a small letter being 1."""
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 1.5 if character in "mw@%—…" or character.isupper() else 1


def _scene_node(node: Box | Junction, place: dict[str, Any]) -> dict[str, Any]:
    """Return a box or a junction where the layout put it."""
    center, size = place["center"], place["size"]
    width, height = size["width"], size["height"]
    rect = {"x": center["x"] - width / 2, "y": center["y"] - height / 2, "w": width, "h": height}
    if isinstance(node, Junction):
        color = INKS[node.label].color
        stroke = {"paint": color, "width": 1.0}
        return {"rect": rect, "shape": {"kind": "ellipse"}, "fill": color, "stroke": stroke}
    paint = PAINTS[node.kind]
    return {
        "rect": rect,
        "shape": {"kind": "rect", "corner_radius": 18.0 if node.kind == "leaf" else 2.0},
        "fill": paint.fill,
        "stroke": {"paint": paint.border, "width": 1.4},
        "content": [
            {
                "kind": "text",
                "text": line,
                "dx": 0.0,
                "dy": (number - (len(node.lines) - 1) / 2) * LINE_HEIGHT,
                "size": FONT_SIZE,
                "weight": 600.0 if number == len(node.lines) - 1 else 400.0,
                "color": TEXT_COLOR,
                "anchor": "middle",
                "baseline": "central",
            }
            for number, line in enumerate(node.lines)
        ],
        "attrs": {"class": [node.kind], "data": [["segment", node.name[1:]]]},
    }


def _scene_edge(line: Line, points: list[dict[str, float]]) -> dict[str, Any]:
    """Return a line along the points that the layout gave it."""
    ink = INKS[line.label]
    marker = "arrow_bar" if line.label == "contradiction" else "arrow"
    end = {"kind": "builtin", "marker": marker, "color": ink.color} if line.arrow else None
    return {
        "points": points,
        "stroke": {
            "paint": ink.color,
            "width": ink.width,
            "dash": "6 4" if line.dashed else None,
        },
        "corner_radius": 6.0,
        "marker_end": end or {"kind": "none"},
        "attrs": {"class": [line.label]},
    }


def _scene_legend(picture: Picture, bounds: dict[str, Any]) -> dict[str, Any]:
    """Return the legend below the drawing."""
    items = [
        {"label": text, "swatch": {"kind": "color", "color": color}}
        for text, color in _legend(picture)
    ]
    origin = {"x": bounds["min"]["x"], "y": bounds["max"]["y"] + 2 * LINE_HEIGHT}
    return {"content": {"kind": "panel", "origin": origin, "sections": [{"items": items}]}}


# --- Mermaid


def _mermaid(picture: Picture) -> str:
    """Return a Mermaid flowchart.

    Raises:
        InputError: it is larger than Mermaid accepts by default.
    """
    rows = [
        *(_mermaid_box(box) for box in picture.boxes),
        *(f"{junction.name}(( )):::{junction.label}" for junction in picture.junctions),
        *(_mermaid_line(line) for line in picture.lines),
    ]
    legend = "<br/>".join(_mermaid_text(text) for text, _ in _legend(picture))
    if legend:
        rows.append(f'legend["{legend}"]:::legend')
    rows += _mermaid_styles(picture)
    text = "".join(f"{row}\n" for row in ["flowchart TD", *(f"    {row}" for row in rows)])
    if len(picture.lines) > MERMAID_LINES:
        raise _too_large(picture, "Mermaid", f"it draws at most {MERMAID_LINES} lines")
    if len(text) > MERMAID_CHARACTERS:
        raise _too_large(picture, "Mermaid", f"it reads at most {MERMAID_CHARACTERS:,} characters")
    return text


def _mermaid_box(box: Box) -> str:
    label = "<br/>".join(_mermaid_text(line) for line in box.lines)
    start, end = ("([", "])") if box.kind == "leaf" else ("[", "]")
    return f'{box.name}{start}"{label}"{end}:::{box.kind}'


def _mermaid_line(line: Line) -> str:
    head = "" if not line.arrow else "x" if line.label == "contradiction" else ">"
    body = "-.-" if line.dashed else "--"
    return f"{line.source} {body}{head or '-'} {line.target}"


def _mermaid_styles(picture: Picture) -> list[str]:
    """Return the colours; Mermaid knows lines by their place."""
    rows = [
        f"classDef {kind} fill:{paint.fill},stroke:{paint.border},color:{TEXT_COLOR}"
        for kind, paint in PAINTS.items()
    ]
    rows.append(f"classDef legend fill:none,stroke:none,color:{TEXT_COLOR}")
    for label in picture.labels:
        ink = INKS[label]
        numbers = [str(at) for at, line in enumerate(picture.lines) if line.label == label]
        rows.append(f"classDef {label} fill:{ink.color},stroke:{ink.color}")
        rows.append(f"linkStyle {','.join(numbers)} stroke:{ink.color},stroke-width:{ink.width}px")
    return rows


_MERMAID_RISKY = re.compile(r"[!-+/:-@\[-`{-~¶]")
"""ASCII signs but for comma, hyphen and full stop; Mermaid itself marks codes with ¶."""


def _mermaid_text(text: str) -> str:
    return _MERMAID_RISKY.sub(lambda sign: f"#{ord(sign.group())};", text)
