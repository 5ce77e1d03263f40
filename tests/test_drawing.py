"""Pictures: what they show of the worked example, and that no text can break them."""

import html
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtrace.auditing.auditor import audit
from groundtrace.errors import InputError
from groundtrace.files.reading import trace_from
from groundtrace.models.audit import Audit, TreeNode
from groundtrace.models.trace import Trace
from groundtrace.phrases import quote
from groundtrace.show.audit_pictures import RELATIONS_SHOWN, PictureFormat, draw_audit, draw_segment
from tests.command import ROOT
from tests.strategies import cases, trace_of

FORMATS: tuple[PictureFormat, ...] = get_args(PictureFormat)
EXAMPLES = ("clinical", "algebra", "lease")
GREEN, ORANGE, RED, GREY = "#2e7d32", "#ef6c00", "#c62828", "#757575"

CLINICAL_8_DOT = """\
digraph {
	graph [fontname=Helvetica label="green, thick: entailment\\l" labeljust=l]
	node [fontcolor="#1d2533" fontname=Helvetica margin="0.2,0.1" shape=box]
	s4 [label="4: “Her cough has come and\\ngone with her…”\\nsupported" color="#2e7d32" \
fillcolor="#e2f3e1" style=filled]
	s5 [label="5: “Two rules govern cough\\nin general…”\\norphan" color="#607d8b" \
fillcolor="#eceff1" style=filled]
	s8 [label="8: “Ramipril should be\\nreplaced with an…”\\nunsupported" color="#b26a00" \
fillcolor="#ffecc8" style=filled]
	s8_1 [color="#2e7d32" shape=point width=0.1]
	s4 -> s8_1 [arrowhead=none color="#2e7d32" penwidth=2.6]
	s5 -> s8_1 [arrowhead=none color="#2e7d32" penwidth=2.6]
	s8_1 -> s8 [color="#2e7d32" penwidth=2.6]
}
"""

CLINICAL_8_MERMAID = """\
flowchart TD
    s4["4#58; “Her cough has come and gone with her…”<br/>supported"]:::supported
    s5["5#58; “Two rules govern cough in general…”<br/>orphan"]:::orphan
    s8["8#58; “Ramipril should be replaced with an…”<br/>unsupported"]:::unsupported
    s8_1(( )):::entailment
    s4 --- s8_1
    s5 --- s8_1
    s8_1 --> s8
"""

HOSTILE = (
    'say "hi" & <b>bold</b>',
    "&lt; &#10; #quot; #35; &amp;",
    "</svg><script>alert(1)</script>",
    "]]><!-- <![CDATA[ <?xml ?>",
    "back\\slash \\n \\l \\N \\G",
    'ends with \\" and \\',
    "{a|b} [c] (d) `code` $$x$$ **b** %%{init: {}}%%",
    "<TABLE><TR><TD>x</TD></TR></TABLE>",
    "end; subgraph x; click s1 call f()",
    'style s1: #a; classDef x: #b; s1 --> s2"]:::leaf',
    "one\ntwo\r\nthree\u2028four\tfive",
    "\x00\x01\x1b[31m\ufffe\uffff\x85",
    "naïve 😀 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 Å\u0301\u0301\u0301",
    "שלום \u202eevil\u202c مرحبا",
    "ﬂ°°60¶ß ﬂ°lt¶ß",
    "",
    " ",
    "x" * 100_000,
    "<" * 100_000,
)


def example(name: str) -> tuple[Trace, Audit]:
    trace = trace_from(json.loads((ROOT / "data" / f"{name}.json").read_text(encoding="utf-8")))
    return trace, audit(trace)


def made(segments: int, relations: Mapping[Any, str], **more: Any) -> Trace:
    return trace_from(
        {
            "segments": [f"segment {index}" for index in range(1, segments + 1)],
            "relations": [
                {"premises": premises, "target": target, "label": label}
                for (premises, target), label in relations.items()
            ],
            **more,
        }
    )


EVERY_OUTCOME = made(
    5,
    {
        ((1,), 2): "entailment",
        ((1,), 3): "neutral",
        ((2, 3), 4): "implied",
        ((1,), 5): "contradiction",
    },
)
EVERY_OUTCOME_AUDIT = audit(EVERY_OUTCOME)


# --- reading pictures back, strictly

STRING = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
VALUE = rf"(?:{STRING}|[A-Za-z]+|[0-9.]+)"
DOT_NODE = re.compile(rf"\t(\w+) \[(?:label=({STRING}) )?((?:\w+={VALUE} ?)+)\]")
DOT_EDGE = re.compile(rf"\t(\w+) -> (\w+) \[((?:\w+={VALUE} ?)+)\]")

CODED = r"(?:[A-Za-z0-9 ,.\-]|#\d{1,6};|[^\x00-\x9f\u2028\u2029\ufeffﬂ¶])*"
KIND = "(?:leaf|supported|unsupported|orphan|contradicted)"
LABEL = "(?:entailment|implied|neutral|contradiction)"
MERMAID_BOX = re.compile(rf'    s(\d+)(?:\(\["|\[")({CODED}<br/>{CODED})"\]\)?:::({KIND})')
MERMAID_ROWS = [
    re.compile(r"flowchart TD"),
    MERMAID_BOX,
    re.compile(rf"    s\d+_\d+\(\( \)\):::{LABEL}"),
    re.compile(r"    s[\d_]+ (?:---|-->|--x|-\.-|-\.->|-\.-x) s[\d_]+"),
    re.compile(rf'    legend\["{CODED}(?:<br/>{CODED})*"\]:::legend'),
    re.compile(r"    classDef \w+ [a-z#0-9:,]+"),
    re.compile(r"    linkStyle \d+(?:,\d+)* stroke:#[0-9a-f]{6},stroke-width:[\d.]+px"),
]
SVG = "{http://www.w3.org/2000/svg}"
SVG_TAGS = {"svg", "defs", "marker", "g", "path", "rect", "ellipse", "text"}


def dot_said(source: str) -> dict[int, str]:
    """Return what each box says, having checked every line of a DOT graph."""
    said = {}
    first, *rows, last, end = source.split("\n")
    assert (first, last, end) == ("digraph {", "}", "")
    for row in rows:
        if DOT_EDGE.fullmatch(row):
            continue
        node = DOT_NODE.fullmatch(row)
        assert node, row
        if re.fullmatch(r"s\d+", node[1]):
            text = re.sub(r"\\n", " ", node[2][1:-1].replace("\\\\", "\0"))
            text = text.replace('\\"', '"').replace("\0", "\\")
            assert "\\" not in node[2].replace("\\\\", "").replace("\\n", "").replace('\\"', "")
            assert not re.search("&(?!amp;)", text)
            said[int(node[1][1:])] = html.unescape(text)
    return said


def parsed(svg: str) -> ElementTree.Element:
    assert "<!" not in svg
    return ElementTree.fromstring(svg)  # noqa: S314 — our own output, without entities


def svg_said(source: str) -> dict[int, str]:
    """Return what each box says, having checked every element of an SVG."""
    root = parsed(source)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in SVG_TAGS
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    return {
        int(group.attrib["data-segment"]): " ".join(
            text.text or "" for text in group.iter(f"{SVG}text")
        )
        for group in root.iter()
        if "data-segment" in group.attrib
    }


def mermaid_said(source: str) -> dict[int, str]:
    """Return what each box says, having checked every line of a Mermaid flowchart."""
    said = {}
    for row in source.rstrip("\n").split("\n"):
        assert any(pattern.fullmatch(row) for pattern in MERMAID_ROWS), row
        if box := MERMAID_BOX.fullmatch(row):
            text = re.sub(r"#(\d+);", lambda code: chr(int(code[1])), box[2].replace("<br/>", " "))
            said[int(box[1])] = text.replace("\u200b", "")
    return said


READERS = {"dot": dot_said, "svg": svg_said, "mermaid": mermaid_said}


def drawn_lines(dot: str) -> set[tuple[str, str, str]]:
    """Return source, target and colour of each line."""
    return {
        (edge[1], edge[2], edge[3].partition('color="')[2][:7])
        for edge in map(DOT_EDGE.fullmatch, dot.split("\n"))
        if edge
    }


def assert_says(said: str, index: int, text: str, outcome: str) -> None:
    shown = quote(text.translate({0xFFFE: None, 0xFFFF: None}), 40)
    expected = f"{index}: {shown} {outcome}"
    # Where a line is broken is a matter of taste.
    assert "".join(said.split()) == "".join(expected.split())


# --- the worked example


def test_a_failed_support_in_dot() -> None:
    assert draw_segment(*example("clinical"), 8, "dot") == CLINICAL_8_DOT


def test_a_failed_support_in_mermaid() -> None:
    drawn = draw_segment(*example("clinical"), 8, "mermaid")
    assert drawn.startswith(CLINICAL_8_MERMAID)
    assert drawn.endswith(f"    linkStyle 0,1,2 stroke:{GREEN},stroke-width:2.6px\n")


def test_an_unsupported_segment_is_followed_down_to_its_breakpoints() -> None:
    drawn = draw_segment(*example("clinical"), 10, "dot")
    assert drawn_lines(drawn) == {
        ("s4", "s8_1", GREEN),
        ("s5", "s8_1", GREEN),
        ("s8_1", "s8", GREEN),
        ("s5", "s10_1", GREEN),
        ("s6", "s10_1", GREEN),
        ("s10_1", "s10", GREEN),
        ("s8", "s10_2", ORANGE),
        ("s9", "s10_2", ORANGE),
        ("s10_2", "s10", ORANGE),
        ("s7", "s10_3", ORANGE),
        ("s8", "s10_3", ORANGE),
        ("s10_3", "s10", ORANGE),
    }
    assert dot_said(drawn).keys() == {4, 5, 6, 7, 8, 9, 10}


def test_a_supported_segment_shows_its_best_tree_only() -> None:
    drawn = draw_segment(*example("clinical"), 4, "dot")
    assert drawn_lines(drawn) == {("s1", "s4", GREEN)}
    assert 'fillcolor="#dcebfb" style="filled,rounded"' in drawn
    assert drawn_lines(draw_segment(*example("algebra"), 9, "dot")) == {
        ("s1", "s2", GREEN),
        ("s1", "s3_1", GREEN),
        ("s2", "s3_1", GREEN),
        ("s3_1", "s3", GREEN),
        ("s3", "s4", GREEN),
        ("s4", "s5", GREEN),
        ("s2", "s9_1", GREEN),
        ("s5", "s9_1", GREEN),
        ("s9_1", "s9", GREEN),
    }


def test_an_orphan_shows_what_came_closest_dashed() -> None:
    drawn = draw_segment(*example("clinical"), 7, "dot")
    assert drawn_lines(drawn) == {
        ("s4", "s7", GREY),
        ("s4", "s7_1", GREY),
        ("s6", "s7_1", GREY),
        ("s7_1", "s7", GREY),
    }
    assert drawn.count("style=dashed") == 4
    assert "dashed: not support" in drawn
    closest = draw_segment(*example("lease"), 7, "dot")
    assert drawn_lines(closest) == {("s3", "s7", ORANGE)}


def test_a_contradicted_segment_shows_what_contradicts_it_in_red() -> None:
    drawn = draw_segment(*example("lease"), 5, "dot")
    assert drawn_lines(drawn) == {("s1", "s5", RED)}
    assert "arrowhead=tee" in drawn
    assert "s1 --x s5" in draw_segment(*example("lease"), 5, "mermaid")


def test_an_orphan_without_relations_stands_alone() -> None:
    trace = made(2, {})
    for chosen in FORMATS:
        drawn = draw_segment(trace, audit(trace), 2, chosen)
        assert READERS[chosen](drawn) == {2: "2: “segment 2” orphan"}


@pytest.mark.parametrize("label", ["neutral", "contradiction"])
def test_of_very_many_relations_alike_the_first_are_shown(label: str) -> None:
    pairs = {(pair, 20): label for pair in combinations(range(1, 20), 2)}
    trace = made(20, pairs)
    drawn = draw_segment(trace, audit(trace), 20, "mermaid")
    assert drawn.count(f":::{label}") == RELATIONS_SHOWN
    assert "the first 10 of 171 relations" in drawn


def test_the_whole_audit_shows_supports_and_contradictions() -> None:
    drawn = draw_audit(*example("lease"), "dot")
    assert dot_said(drawn).keys() == set(range(1, 11))
    assert drawn_lines(drawn) == {
        ("s1", "s2", GREEN),
        ("s1", "s3", GREEN),
        ("s2", "s4", GREEN),
        ("s1", "s5", RED),
        ("s5", "s6", GREEN),
        ("s8", "s9", GREEN),
        ("s1", "s10", GREEN),
    }


def test_a_contradicted_leaf_is_told_apart() -> None:
    trace = made(3, {((1,), 2): "contradiction", ((2,), 3): "entailment"}, leaves=[1, 2])
    drawn = draw_audit(trace, audit(trace), "dot")
    assert drawn_lines(drawn) == {("s1", "s2", RED), ("s2", "s3", GREEN)}
    assert dot_said(drawn)[2] == "2: “segment 2” leaf, contradicted"


def links_of(tree: TreeNode) -> Iterator[tuple[tuple[int, ...], int]]:
    if "premises" in tree:
        yield tuple(tree["premises"]), tree["segment"]
    for child in tree.get("children", []):
        yield from links_of(child)


def drawn_links(dot: str) -> set[tuple[tuple[int, ...], int]]:
    """Return the relations drawn: premises, which may meet in a junction, and target."""
    sources: dict[str, list[str]] = {}
    for source, target, _ in sorted(drawn_lines(dot)):
        sources.setdefault(target, []).append(source)
    return {
        (
            tuple(sorted(int(one[1:]) for one in (sources[source] if "_" in source else [source]))),
            int(target[1:]),
        )
        for target in sources
        if "_" not in target
        for source in sources[target]
    }


@given(cases())
@settings(max_examples=60)
def test_the_drawn_tree_is_the_one_that_the_rules_chose(case: Any) -> None:
    trace = trace_of(case)
    audited = audit(trace)
    for entry in audited.segments:
        if entry.tree:
            drawn = draw_segment(trace, audited, entry.index, "dot")
            assert drawn_links(drawn) == set(links_of(entry.tree))
    supports = {(one.premises, entry.index) for entry in audited.segments for one in entry.supports}
    contradictions = {
        (relation.premises, relation.target)
        for relation in trace.relations or ()
        if relation.label == "contradiction"
    }
    assert drawn_links(draw_audit(trace, audited, "dot")) == supports | contradictions


def test_deep_trees_are_drawn_to_their_end() -> None:
    trace = made(150, {((index,), index + 1): "entailment" for index in range(1, 150)})
    audited = audit(trace, constants={"max_depth": 200})
    assert '"repeated":true' in audited.to_json()
    for chosen in FORMATS:
        assert READERS[chosen](draw_segment(trace, audited, 150, chosen)).keys() == set(
            range(1, 151)
        )


# --- hostile texts


@pytest.mark.parametrize("chosen", FORMATS)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_no_text_breaks_a_picture(text: str, chosen: PictureFormat) -> None:
    assert_all_said([text] * 5, chosen)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=5, max_size=5))
@settings(max_examples=100)
def test_random_texts_are_shown_as_they_are(texts: list[str]) -> None:
    for chosen in FORMATS:
        assert_all_said(texts, chosen)


def assert_all_said(texts: list[str], chosen: PictureFormat) -> None:
    trace = Trace(segments=texts, relations=EVERY_OUTCOME.relations)
    outcomes = ["leaf", "supported", "orphan", "unsupported", "contradicted"]
    pictures = [draw_audit(trace, EVERY_OUTCOME_AUDIT, chosen)]
    pictures += [draw_segment(trace, EVERY_OUTCOME_AUDIT, index, chosen) for index in range(2, 6)]
    for picture in pictures:
        assert "<script" not in picture.lower() or chosen == "dot"
        for index, said in READERS[chosen](picture).items():
            assert_says(said, index, texts[index - 1], outcomes[index - 1])


def test_mermaid_finds_no_formula_and_no_line_break_in_codes() -> None:
    trace = Trace(segments=["$$x$$ \\n"] * 5, relations=EVERY_OUTCOME.relations)
    drawn = draw_segment(trace, EVERY_OUTCOME_AUDIT, 3, "mermaid")
    assert "“#36;#8203;#36;#8203;x#36;#8203;#36;#8203; #92;#8203;n”" in drawn


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_dot_is_read_by_another_parser() -> None:
    pydot = pytest.importorskip("pydot")
    for text in HOSTILE:
        trace = Trace(segments=[text] * 5, relations=EVERY_OUTCOME.relations)
        (graph,) = pydot.graph_from_dot_data(draw_audit(trace, EVERY_OUTCOME_AUDIT, "dot"))
        names = {node.get_name() for node in graph.get_nodes()}
        # pydot counts the defaults for all nodes as nodes, too.
        assert names - {"graph", "node"} == {"s1", "s2", "s3", "s4", "s5", "s4_1"}
        assert len(graph.get_edges()) == 5


# --- looks


@pytest.mark.parametrize("name", EXAMPLES)
def test_boxes_do_not_overlap_and_hold_their_text(name: str) -> None:
    root = parsed(draw_audit(*example(name), "svg"))
    boxes = []
    for group in root.iter(f"{SVG}g"):
        if "data-segment" in group.attrib:
            rect, *texts = list(group)
            left, top = float(rect.attrib["x"]), float(rect.attrib["y"])
            width, height = float(rect.attrib["width"]), float(rect.attrib["height"])
            boxes.append((left, top, left + width, top + height))
            assert all(len(text.text or "") * 6.5 < width for text in texts)
            assert all(top < float(text.attrib["y"]) < top + height for text in texts)
    for one, other in combinations(boxes, 2):
        apart = one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
        assert apart


@pytest.mark.parametrize("chosen", FORMATS)
def test_same_bytes_in_every_process(chosen: PictureFormat) -> None:
    code = (
        "import sys; from tests.test_drawing import *\n"
        f"sys.stdout.buffer.write(draw_audit(*example('clinical'), {chosen!r}).encode())"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert drawn == {draw_audit(*example("clinical"), chosen).encode()}


def test_an_audit_read_from_its_file_is_drawn_the_same() -> None:
    trace, audited = example("algebra")
    again = Audit.model_validate_json(audited.to_json())
    for chosen in FORMATS:
        assert draw_segment(trace, again, 9, chosen) == draw_segment(trace, audited, 9, chosen)


# --- refusals


@pytest.mark.parametrize("index", [1, 0, -1, 11])
def test_only_segments_with_an_outcome_are_drawn(index: int) -> None:
    with pytest.raises(InputError, match=f"segment {index}.*expected 2 to 10$"):
        draw_segment(*example("clinical"), index, "dot")


def test_a_refusal_names_the_valid_numbers() -> None:
    trace = made(6, {}, leaves=[1, 4])
    with pytest.raises(InputError, match="4 is a leaf, so it has no outcome; expected 2 to 3, 5"):
        draw_segment(trace, audit(trace), 4, "svg")
    trace = made(1, {})
    with pytest.raises(InputError, match="all segments are leaves"):
        draw_segment(trace, audit(trace), 1, "svg")


def test_trace_and_audit_must_belong_together() -> None:
    with pytest.raises(InputError, match="is not of the trace"):
        draw_audit(example("lease")[0], example("clinical")[1], "dot")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="expected dot or svg or mermaid, got 'png'"):
        draw_audit(*example("lease"), "png")  # type: ignore[arg-type]


def test_pictures_too_large_to_be_laid_out_are_refused_with_figures() -> None:
    trace = made(30, {((one,), two): "implied" for one, two in combinations(range(1, 31), 2)})
    audited = audit(trace, constants={"closest_gap_limit": 100, "weak_cluster": "keep"})
    assert len(drawn_lines(draw_audit(trace, audited, "dot"))) == 435
    with pytest.raises(InputError, match=r"30 segments and 435 lines.*1500.*--format dot"):
        draw_audit(trace, audited, "svg")
    trace = made(40, {((one,), two): "entailment" for one, two in combinations(range(1, 41), 2)})
    for chosen in ("svg", "mermaid"):
        with pytest.raises(InputError, match=r"40 segments and 780 lines.*500.*--format dot"):
            draw_audit(trace, audit(trace), chosen)


def test_long_mermaid_texts_are_refused() -> None:
    trace = trace_from({"segments": ["<" * 50] * 400, "relations": []})
    with pytest.raises(InputError, match="at most 50,000 characters"):
        draw_audit(trace, audit(trace), "mermaid")


def test_a_trace_without_segments_is_an_empty_picture() -> None:
    trace = made(0, {})
    for chosen in FORMATS:
        assert READERS[chosen](draw_audit(trace, audit(trace), chosen)) == {}
