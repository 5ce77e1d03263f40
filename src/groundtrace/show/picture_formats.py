"""Pictures as DOT, SVG and Mermaid text, made without any program of the system.

Texts come from strangers. Each format has its own way to be broken by them, so each writer
escapes for itself; graphviz and graphlay quote, Mermaid gets number codes.
"""

import unicodedata
from string import punctuation
from typing import TYPE_CHECKING, Any

from groundtrace.errors import InputError
from groundtrace.show.picture import INKS, PAINTS, TEXT_COLOR, Box, Junction, Line, Picture
from groundtrace.vocabulary import Label

if TYPE_CHECKING:
    import graphlay

SVG_LINES = 500
SVG_WAYPOINTS = 1500
"""Layers crossed, over all lines. Layout times grow steeply with both, but are at most some 3 s
within these bounds, and pictures beyond them are too large to be read."""
MERMAID_LINES = 500
MERMAID_CHARACTERS = 50_000
"""What Mermaid accepts unless its page is set up otherwise (maxEdges, maxTextSize)."""

FONT = "Helvetica, Arial, sans-serif"
FONT_SIZE = 12.0
COLUMN = 6.9
LINE_HEIGHT = 16.0
MARGIN = 12.0
SMALLEST_WIDTH = 110.0
JUNCTION_SIZE = 8.0


def _size_error(picture: Picture, name: str, why: str) -> InputError:
    return InputError(
        f"the picture has {len(picture.boxes):,} segments and {len(picture.lines):,} lines, too "
        f"large for {name} ({why}); use --format dot, or draw one segment alone"
    )


# --- DOT


def write_dot(picture: Picture) -> str:
    """Return a DOT graph, to be laid out by Graphviz or its like."""
    import graphviz

    legend = "".join(f"{_dot_text(text)}\\l" for text, _ in picture.legend)
    font = {"fontname": "Helvetica"}
    graph = graphviz.Digraph(
        graph_attr={**font, "label": graphviz.nohtml(legend), "labeljust": "l"},
        node_attr={**font, "fontcolor": TEXT_COLOR, "shape": "box", "margin": "0.2,0.1"},
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
    return str(graph.source)


def _dot_text(text: str) -> str:
    """Return text that DOT shows as it is: it reads backslashes and HTML entities in labels."""
    import graphviz

    return str(graphviz.escape(text.replace("&", "&amp;")))


# --- SVG


def write_svg(picture: Picture) -> str:
    """Return an SVG document.

    Args:
        picture: Of up to SVG_LINES lines.

    Raises:
        InputError: the picture is too large to be laid out.
    """
    import graphlay

    layout = _layout_of(picture)
    nodes: list[Box | Junction] = [*picture.boxes, *picture.junctions]
    places = zip(nodes, layout.nodes, strict=True)
    routes = zip(picture.lines, layout.edges, strict=True)
    scene = {
        "background": "#ffffff",
        "padding": 16.0,
        "font": {"family": FONT, "size": FONT_SIZE},
        "markers": [_scene_marker(label) for label in picture.labels],
        "nodes": [_scene_node(node, place) for node, place in places],
        "edges": [_scene_edge(line, route["points"]) for line, route in routes],
        "overlays": [_scene_legend(picture, layout.bounds)],
    }
    return f"{graphlay.render_scene(scene)}\n"


def _layout_of(picture: Picture) -> "graphlay.Layout":
    """Return where everything goes.

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
    options = {
        # Segments without lines go to a grid below the others, but without any lines at all
        # graphlay puts them in one endless row: a column is better.
        "direction": "topbottom" if picture.lines else "leftright",
        "effort": "fast",
        "limits": {"max_edges": SVG_LINES, "max_dummies": SVG_WAYPOINTS},
        "spacing": {"layer_gap": 44.0, "node_gap": 28.0, "isolated_max_columns": 5},
    }
    try:
        return graphlay.layout(graph, options=options)
    except graphlay.GraphlayError as error:
        raise _size_error(picture, "SVG", str(error)) from None


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


def _scene_marker(label: Label) -> dict[str, Any]:
    """Return the end of the lines of a label: an arrowhead, or a bar for a contradiction.

    graphlay has markers of its own, but numbers them: with two pictures in one HTML page, the
    second would take its arrowheads from the first.
    """
    bar, arrow = ("M1,0 H4 V12 H1 Z", 4.0), ("M1,1 L11,6 L1,11 Z", 10.0)
    outline, length = bar if label == "contradiction" else arrow
    return {
        "id": f"groundtrace-{label}",
        "ref_point": {"x": 1.0, "y": 6.0},
        "tip_gap": length,
        "markup": f'<path d="{outline}" fill="{INKS[label].color}"/>',
    }


def _scene_node(node: Box | Junction, place: dict[str, Any]) -> dict[str, Any]:
    """Return a box or a junction where the layout put it."""
    center, width, height = place["center"], place["size"]["width"], place["size"]["height"]
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
                "dy": (number - (len(node.lines) - 1) / 2) * LINE_HEIGHT,
                "size": FONT_SIZE,
                "weight": 600.0 if number == len(node.lines) - 1 else 400.0,
                "color": TEXT_COLOR,
            }
            for number, line in enumerate(node.lines)
        ],
        "attrs": {"class": [node.kind], "data": [["segment", node.name[1:]]]},
    }


def _scene_edge(line: Line, points: list[dict[str, float]]) -> dict[str, Any]:
    """Return a line along the points that the layout gave it."""
    ink = INKS[line.label]
    stroke = {"paint": ink.color, "width": ink.width, "dash": "6 4" if line.dashed else None}
    end = {"kind": "custom", "id": f"groundtrace-{line.label}"} if line.arrow else {"kind": "none"}
    return {
        "points": points,
        "stroke": stroke,
        "corner_radius": 6.0,
        "marker_end": end,
        "attrs": {"class": [line.label]},
    }


def _scene_legend(picture: Picture, bounds: dict[str, Any]) -> dict[str, Any]:
    """Return the legend below the drawing."""
    items = [
        {"text": said, "swatch": {"kind": "color", "color": ink} if ink else {"kind": "none"}}
        for said, ink in picture.legend
    ]
    origin = {"x": bounds["min"]["x"], "y": bounds["max"]["y"] + 2 * LINE_HEIGHT}
    return {"content": {"kind": "panel", "origin": origin, "sections": [{"items": items}]}}


# --- Mermaid


def write_mermaid(picture: Picture) -> str:
    """Return a Mermaid flowchart.

    Args:
        picture: Of up to MERMAID_LINES lines.

    Raises:
        InputError: it is larger than Mermaid accepts by default.
    """
    rows = [
        *(_mermaid_box(box) for box in picture.boxes),
        *(f"{junction.name}(( )):::{junction.label}" for junction in picture.junctions),
        *(_mermaid_line(line) for line in picture.lines),
    ]
    legend = "<br/>".join(_mermaid_text(text) for text, _ in picture.legend)
    if legend:
        rows.append(f'legend["{legend}"]:::legend')
    rows += _mermaid_styles(picture)
    text = "".join(f"{row}\n" for row in ["flowchart TD", *(f"    {row}" for row in rows)])
    if len(picture.lines) > MERMAID_LINES:
        raise _size_error(picture, "Mermaid", f"it draws at most {MERMAID_LINES} lines")
    if len(text) > MERMAID_CHARACTERS:
        raise _size_error(picture, "Mermaid", f"it reads at most {MERMAID_CHARACTERS:,} characters")
    return text


def _mermaid_box(box: Box) -> str:
    # Mermaid breaks lines as its font demands; breaks of ours would only add to its own.
    label = f"{_mermaid_text(box.text)}<br/>{_mermaid_text(box.outcome)}"
    start, end = ("([", "])") if box.kind == "leaf" else ("[", "]")
    return f'{box.name}{start}"{label}"{end}:::{box.kind}'


def _mermaid_line(line: Line) -> str:
    head = "x" if line.label == "contradiction" else ">"
    arrow, plain = (f"-.-{head}", "-.-") if line.dashed else (f"--{head}", "---")
    return f"{line.source} {arrow if line.arrow else plain} {line.target}"


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


# Mermaid looks for \n and $$…$$ once more when the codes are decoded, and for its own marks,
# which are ﬂ and ¶: a space of no width follows these, so that nothing is found.
_MERMAID_CODES = str.maketrans(
    {sign: f"#{ord(sign)};" for sign in {*punctuation} - {*",-."}}
    | {sign: f"#{ord(sign)};#8203;" for sign in "$\\ﬂ¶"}
)


def _mermaid_text(text: str) -> str:
    return text.translate(_MERMAID_CODES)
