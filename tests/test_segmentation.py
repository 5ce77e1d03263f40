"""Segmentation: exact spans, expected splits, thinking and answer, linear time."""

import doctest
import re
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtrace.errors import InputError
from groundtrace.segmentation.places import lines_of, region_at
from groundtrace.segmentation.regions import regions_of
from groundtrace.segmentation.segmenter import Span, segment, split_thinking, trace_from_raw
from tests.real_data import SHARED
from tests.splitter_texts import CASES, STILL_WRONG, Case

TEXTS = sorted((SHARED / "texts").glob("*.txt"))
SEPARATORS = re.compile(
    r"<\s*/?\s*(?:think|thinking|thoughts?|answer)(?:\s[^<>]*)?>"
    r"|^[ \t]*#+[ \t]*(?:thinking|final response|final answer)[ \t:#]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)


def texts_of(response: str) -> list[str]:
    """Return the segments of a response, after checking that their spans are exact."""
    spans = segment(response)
    place = 0
    for span in spans:
        assert place <= span.start < span.end <= len(response)
        assert not SEPARATORS.sub("", response[place : span.start]).strip()
        text = response[span.start : span.end]
        assert text == text.strip()
        place = span.end
    assert not SEPARATORS.sub("", response[place:]).strip()
    return [response[span.start : span.end] for span in spans]


def parts_of(response: str) -> tuple[str, str | None]:
    """Return the audited part and the answer."""
    parts = split_thinking(response)
    answer = None if parts.answer is None else response[slice(*parts.answer)]
    return response[slice(*parts.reasoning)], answer


class TestExpectedSplits:
    @pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.marked[:40]!r}")
    def test_own_lines(self, case: Case) -> None:
        found = texts_of(case.text)
        assert (found == case.segments) != (case.marked in STILL_WRONG), found

    def test_known_errors_are_cases(self) -> None:
        assert {case.marked for case in CASES} >= STILL_WRONG

    @pytest.mark.parametrize("ends", ["\r\n", "\r", "\u2028"])
    def test_line_ends_change_nothing(self, ends: str) -> None:
        for case in CASES:
            if "\r" not in case.text:
                found = texts_of(case.text.replace("\n", ends))
                assert [one.replace(ends, "\n") for one in found] == texts_of(case.text)

    def test_white_space_around_changes_nothing(self) -> None:
        for case in CASES:
            assert texts_of(f"\n\n{case.text} \r\n\t") == texts_of(case.text)


class TestAbbreviations:
    LISTS = tomllib.loads(
        files("groundtrace.segmentation").joinpath("abbreviations.toml").read_text("utf-8")
    )

    def test_every_word_has_a_source(self) -> None:
        for entry in self.LISTS["abbreviations"]:
            sources = entry.get("sources", [])
            assert set(sources) <= set(self.LISTS["sources"])
            assert bool(sources) == bool(entry.get("words"))
            assert entry.get("words") or entry["usage"]

    def test_no_word_stands_twice_in_a_list(self) -> None:
        seen = [
            (entry["language"], entry["stop"], word)
            for entry in self.LISTS["abbreviations"]
            for word in (*entry.get("words", ()), *entry.get("usage", ()))
        ]
        assert [one for one, times in Counter(seen).items() if times > 1] == []

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("It is at its max. So stop.", ["It is at its max.", "So stop."]),
            ("The max. dose is 4.", ["The max. dose is 4."]),
            ("Es dauerte 20 Min. Dann kam er.", ["Es dauerte 20 Min.", "Dann kam er."]),
            ("I am 3. He is 5.", ["I am 3.", "He is 5."]),
            ("Use numpy.Array or a.It here.", ["Use numpy.Array or a.It here."]),
            ("The list is good.Is it?", ["The list is good.", "Is it?"]),
            ("If a <b and c> d. Then e.", ["If a <b and c> d.", "Then e."]),
            ("Write <br> or </p> here. Then stop.", ["Write <br> or </p> here.", "Then stop."]),
        ],
    )
    def test_near_misses(self, text: str, expected: list[str]) -> None:
        assert texts_of(text) == expected


class TestSpans:
    @pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
    def test_real_responses(self, path: Path) -> None:
        response = path.read_bytes().decode()
        assert len(texts_of(response)) >= 1
        regions = regions_of(response, lines_of(response))
        for span in segment(response):
            assert region_at(regions, span.start) is None
            assert region_at(regions, span.end) is None

    @pytest.mark.skipif(not TEXTS, reason="the shared texts are not there")
    def test_real_list_items_start_segments(self) -> None:
        response = (SHARED / "texts" / "01_MedCEG.txt").read_bytes().decode()
        found = texts_of(response)
        assert sum(one.startswith("*   ") for one in found) == 46
        assert "*   Fevers up to 38.5°C." in found
        assert any(one.startswith("*   WBC 10.72×10^9/L (mildly elevated)") for one in found)

    @pytest.mark.parametrize("response", ["", " ", "\n\r\n\t", "<think></think>", "<think>\n"])
    def test_nothing_to_say(self, response: str) -> None:
        assert segment(response) == []

    @pytest.mark.parametrize("response", ["!!!", "---", "\u0301", "🎉\n\n🎉", "\0", "(\n\n)"])
    def test_no_letters_at_all_is_one_segment(self, response: str) -> None:
        assert texts_of(response) == [response.strip()]

    @pytest.mark.parametrize("odd", ["\0", "\u0301", "🏳️‍🌈", "\u202eab\u202c", "\ud800", "ﷺ", "𝒙"])
    def test_odd_characters(self, odd: str) -> None:
        response = f"{odd} is one. Here is {odd}. So is {odd} too."
        assert "".join(texts_of(response)).replace(" ", "") == response.replace(" ", "")
        assert texts_of(f"One {odd} here. Two {odd} there.") == [
            f"One {odd} here.",
            f"Two {odd} there.",
        ]

    def test_long_lines(self) -> None:
        sentences = [f"This is sentence number {number}, e.g. one." for number in range(2500)]
        assert texts_of(" ".join(sentences)) == sentences
        endless = "word, " * 20_000 + "and the last one."
        assert texts_of(f"First. {endless} Next one.") == ["First.", endless, "Next one."]

    def test_long_lines_without_blanks(self) -> None:
        sentences = ["这是第" + "一" * (number % 90) + "句。" for number in range(2000)]
        assert texts_of("".join(sentences)) == sentences

    def test_twice_the_same(self) -> None:
        response = "\n".join(case.text for case in CASES)
        assert segment(response) == segment(response)
        check = (
            "from tests.splitter_texts import CASES\n"
            "from groundtrace.segmentation.segmenter import segment\n"
            "print(sum(hash((s.start, s.end)) for s in segment('\\n'.join(c.text for c in CASES))))"
        )
        expected = sum(hash((span.start, span.end)) for span in segment(response))
        result = subprocess.run(
            [sys.executable, "-c", check],
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        assert result.stdout == f"{expected}\n", result.stderr

    @pytest.mark.parametrize("blank", ["\u00a0", "\u1680", "\u2003", "\u202f", "\u3000"])
    def test_wide_blanks(self, blank: str) -> None:
        assert texts_of(f"It is B{blank}.{blank}So is C.") == [f"It is B{blank}.", "So is C."]

    def test_a_panic_of_the_library_leaves_a_text_whole(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class PanicException(BaseException):
            pass

        def panic(language: str, text: str) -> None:
            raise PanicException

        monkeypatch.setattr("sentencex.get_sentence_boundaries", panic)
        assert texts_of("One. Two.\n\nThree.") == ["One. Two.", "Three."]

    def test_another_splitter(self) -> None:
        response = "One. Two `a. B`; three"
        ends = segment(response, splitter=lambda text: [text.find(";") + 2, len(text)])
        assert [response[span.start : span.end] for span in ends] == ["One. Two `a. B`;", "three"]


PIECES = [
    *("a", "B ", "word ", "So ", "where ", "1", "2.5 ", "e.g. ", "Dr. ", "et al. [2] ", "x" * 60),
    *(". ", ".", "! ", "?", "...", "… ", ": ", "; ", ", ", "(", ")", "[", "]", '"', "“", "”", "'"),
    *("。", "！", "「", "」", "（", "）", "中文", "です", "।", "हाँ", "؟ ", "نعم ", "۔ ", "\u200f"),
    *("\n", "\n\n", "\n \n", "\r\n", "\r", "\u2028", "\x85", "\t", "  \n", " ", "\u2003", "\u3000"),
    *("\0", "\u0301", "e\u0301", "😀", "👍🏽", "\ud800", "\U0010ffff"),
    *("$", "$$", "\n$$\n", "$x$", "\\[", "\\]", "\\(", "\\)", "\\", "\\frac{", "{", "}"),
    *("\\begin{a}", "\\end{a}", "\\boxed{1. A}", "`", "``", "```", "\n```\n", "\n```py\n", "~~~\n"),
    *("|", "\n| a | b |\n", "\n|---|---|\n", "\n- ", "\n* ", "\n1. ", "\n(a) ", "\n# ", "\n1.\n"),
    *("**", "*", "_", "**b**\n", "\n---\n", "\n===\n", "> ", "https://a.b/c?d=(e). ", "[a. B](c)"),
    *("<think>", "</think>", "<THINK x=1>", "</thinking>", "<answer>", "</answer>"),
    *("\n## Thinking\n", "\n## Final Response\n"),
]
mixed = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


class TestAnyText:
    @settings(max_examples=400, deadline=None)
    @given(mixed)
    def test_mixed_notations(self, response: str) -> None:
        texts_of(response)

    @settings(max_examples=100, deadline=None)
    @given(st.text())
    def test_any_characters(self, response: str) -> None:
        texts_of(response)

    @settings(max_examples=200, deadline=None)
    @given(mixed.filter(lambda text: not SEPARATORS.search(text)))
    def test_every_segment_says_something(self, response: str) -> None:
        found = texts_of(response)
        assert len(found) <= 1 or all(any(map(str.isalnum, one)) for one in found)

    @settings(max_examples=200, deadline=None)
    @given(mixed.filter(lambda text: not SEPARATORS.search(text)))
    def test_protected_regions_stay_whole(self, response: str) -> None:
        regions = regions_of(response, lines_of(response))
        assert all(one.end <= other.start for one, other in pairwise(regions))
        for span in segment(response):
            assert region_at(regions, span.start) is None

    @settings(max_examples=200, deadline=None)
    @given(mixed)
    def test_reasoning_holds_whole_segments(self, response: str) -> None:
        parts = split_thinking(response)
        low, high = parts.reasoning
        for span in segment(response):
            assert span.end <= low or span.start >= high or low <= span.start < span.end <= high
        if parts.answer is not None:
            assert high <= parts.answer[0] < parts.answer[1] <= len(response)


class TestThinking:
    @pytest.mark.parametrize(
        ("response", "reasoning", "answer"),
        [
            ("<think>A. B.</think>C.", "A. B.", "C."),
            ("<think>\nA.\n</think>\n\nC.\n", "A.", "C."),
            ("  <THINK>A</Think> C", "A", "C"),
            ('<think type="x">A</think>C', "A", "C"),
            ("<thinking>A</thinking>C", "A", "C"),
            ("<thought>A</thought>C", "A", "C"),
            ("< think >A</ think >C", "A", "C"),
            ("<think>A", "A", None),
            ("<think>A</think>", "A", None),
            ("<think>A</think> \n", "A", None),
            ("A</think>C", "A", "C"),
            ("A. B.", "A. B.", None),
            ("", "", None),
            ("<think></think>C", "", "C"),
            ("<think>", "", None),
            ("Sure! <think>A</think>C", "A", "C"),
            ("<think>A</think>B<think>C</think>D", "A</think>B<think>C", "D"),
            ("<think><think>A</think></think>C", "<think>A</think>", "C"),
            ("<think>A</think>B<think>C", "A</think>B<think>C", None),
            ("<think>A</think>B<think>", "A", "B<think>"),
            ("A</think>B</think>C", "A</think>B", "C"),
            ("<think>A</think><answer>C</answer>", "A", "C"),
            ("<think>A</think>\n<answer>\nC\n</answer>\n", "A", "C"),
            ("<think>A</think><answer>C", "A", "C"),
            ("Write `<think>` first.", "Write `<think>` first.", None),
            ("<think>Use `</think>` here.</think>C", "Use `</think>` here.", "C"),
            ("<think>\n```\n</think>\n```\nA</think>C", "```\n</think>\n```\nA", "C"),
            ("<think>A\n```py\nx\n</think>\nC", "A\n```py\nx", "C"),
            ("<think>A\n```py\nx\n</think>\nC\n```js\ny\n```", "A\n```py\nx", "C\n```js\ny\n```"),
            ("<thinker>A</thinker>", "<thinker>A</thinker>", None),
            ("## Thinking\n\nA.\n\n## Final Response\n\nC.", "A.", "C."),
            ("\r\n## Thinking\r\nA.\r\n## Final Response\r\nC.", "A.", "C."),
            ("## thinking:\nA.\n### Final Answer ###\nC.", "A.", "C."),
            ("## Thinking\n\nA.", "A.", None),
            ("Intro.\n## Thinking\nA.", "Intro.\n## Thinking\nA.", None),
            ("A.\n\n# Final Answer\n\nC.", "A.\n\n# Final Answer\n\nC.", None),
            ("<think>## Thinking\nA</think>C", "## Thinking\nA", "C"),
        ],
    )
    def test_parts(self, response: str, reasoning: str, answer: str | None) -> None:
        assert parts_of(response) == (reasoning, answer)
        texts_of(response)

    @pytest.mark.parametrize(
        ("response", "style", "well_formed"),
        [
            ("<think>A</think>C", "tags", True),
            ("## Thinking\nA\n## Final Response\nC", "headings", True),
            ("<think></think>C", "tags", True),
            ("A</think>C", "tags", False),
            ("<think>A</think>", "tags", False),
            ("<think>A", "tags", False),
            ("x <think>A</think>C", "tags", False),
            ("<think>A</think>B<think>C</think>D", "tags", False),
            ("## Thinking\nA", "headings", False),
            ("A", "none", False),
        ],
    )
    def test_style(self, response: str, style: str, well_formed: bool) -> None:
        parts = split_thinking(response)
        assert (parts.style, parts.well_formed) == (style, well_formed)

    def test_nothing_spills_out_of_the_thinking(self) -> None:
        response = "<think>It costs $5\n\n```py\nx = 1</think>So $x. Y$ holds. It does."
        assert texts_of(response)[-2:] == ["So $x. Y$ holds.", "It does."]

    def test_segments_of_all_parts(self) -> None:
        response = "Hi. <think>A. So B is.</think>Well. <think>C is.</think><answer>D.</answer>"
        assert texts_of(response) == ["Hi.", "A. So B is.", "Well.", "C is.", "D."]


class TestTraceFromRaw:
    def test_segments_and_places(self) -> None:
        response = "<think>\nHe has 38.5°C. So it is fever.\n- It is high.\n</think>\nFever."
        trace = trace_from_raw("case-1", "Is it fever?", response, question="Q", tags=["x"])
        assert [one.text for one in trace.segments] == [
            "Is it fever?",
            "He has 38.5°C.",
            "So it is fever.",
            "- It is high.",
        ]
        assert (trace.id, trace.leaves, trace.relations) == ("case-1", [1], None)
        for one in trace.segments[1:]:
            assert response[one.meta["start"] : one.meta["end"]] == one.text
        assert trace.meta == {
            "question": "Q",
            "tags": ["x"],
            "response": response,
            "answer_span": [62, 68],
        }

    def test_several_contexts_are_all_leaves(self) -> None:
        trace = trace_from_raw("1", ["Q?", "Fact.", ""], "A. So B is.")
        assert trace.leaves == [1, 2, 3]
        assert [one.text for one in trace.segments][:3] == ["Q?", "Fact.", ""]
        assert "answer_span" not in trace.meta

    def test_what_comes_before_the_thinking_is_left_out(self) -> None:
        trace = trace_from_raw("1", "Q", "Sure! <think>It is.</think>Yes.")
        assert [one.text for one in trace.segments] == ["Q", "It is."]

    def test_empty_response_and_context(self) -> None:
        assert trace_from_raw("1", [], "").segments == []
        assert trace_from_raw("1", [], "It is.").leaves == []
        assert len(trace_from_raw("1", "Q", " \n").segments) == 1

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"relations": []}, "relations"),
            ({"segments": []}, "segments"),
            ({"answer_span": 1}, "answer_span"),
        ],
    )
    def test_fields_that_would_be_overwritten(self, fields: dict[str, object], told: str) -> None:
        with pytest.raises(InputError, match=told):
            trace_from_raw("1", "Q", "A.", **fields)

    @pytest.mark.parametrize(
        ("context", "response", "told"),
        [
            (None, "A.", "context: expected a text or a list, got NoneType"),
            ({"a": 1}, "A.", "context: expected a text or a list, got dict"),
            ([1], "A.", "segments"),
            ("Q", None, "response: expected a text, got NoneType"),
            ("Q", ["A."], "response: expected a text, got list"),
        ],
    )
    def test_wrong_types(self, context: object, response: object, told: str) -> None:
        with pytest.raises(InputError, match=told):
            trace_from_raw("1", context, response)  # type: ignore[arg-type]

    def test_id_is_checked(self) -> None:
        with pytest.raises(InputError, match="id"):
            trace_from_raw(None, "Q", "A.")  # type: ignore[arg-type]


def repeated(piece: str) -> Callable[[int], str]:
    return lambda size: piece * (size // len(piece))


HOSTILE: dict[str, tuple[int, Callable[[int], str]]] = {
    "1 MB without punctuation": (1_000_000, repeated("word ")),
    "1 MB of letters": (1_000_000, repeated("a")),
    "1 MB of (": (1_000_000, repeated("(")),
    "1 MB of .": (1_000_000, repeated(".")),
    "100k <think>": (700_000, repeated("<think>")),
    "100k </think>": (800_000, repeated("</think>")),
    "100k $": (100_000, repeated("$")),
    "100k $ apart": (200_000, repeated("$ ")),
    **{
        name: (60_000, text)
        for name, text in {
            "formulas": repeated("$a$ "),
            "opening dollars": repeated("$a "),
            "backticks": repeated("` "),
            "runs of backticks": lambda size: " ".join(
                "`" * length for length in range(1, int((2 * size) ** 0.5))
            ),
            "fences": repeated("```py\n\n"),
            "bare fences": repeated("```\n"),
            "brackets": repeated("\\["),
            "environments": repeated("\\begin{a}"),
            "crossed environments": repeated("\\begin{a}\\end{b}"),
            "braces": repeated("\\a{"),
            "links": repeated("[a]("),
            "addresses": lambda size: "http://a" + ")" * size,
            "bars": repeated("|"),
            "table": repeated("| a |\n"),
            "dashes": lambda size: "a|b\n" + "|-" * (size // 2),
            "blank lines": lambda size: "\n" * size + "x",
            "blanks": lambda size: "a" + " " * size + "b",
            "blanks in a tag": lambda size: "<think" + " " * size,
            "blanks in a heading": lambda size: (
                "## Thinking\n## Answer" + " \t" * (size // 2) + "x"
            ),
            "items": repeated("- a\n"),
            "markers": repeated("1.\n"),
            "underlines": repeated("a\n===\n"),
            "stars": repeated("**a\n"),
            "quotes": repeated("“a. "),
            "exclamations": repeated("!"),
            "asides": repeated(". (a"),
            "Chinese": repeated("是。"),
            "abbreviations": repeated("e.g. "),
            "combining marks": repeated("\u0301"),
            "NUL": repeated("\0"),
            "emoji": repeated("😀"),
        }.items()
    },
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end(name: str) -> None:
    """A quadratic search would take minutes; benchmarks/splitters.py measures the growth."""
    size, text_of = HOSTILE[name]
    start = time.process_time()
    for span in segment(text_of(size))[:1]:
        assert isinstance(span, Span)
    assert time.process_time() - start < 60


class TestThePage:
    PAGE = (Path(__file__).parents[1] / "docs" / "segmentation.md").read_text(encoding="utf-8")

    def test_known_errors_are_told(self) -> None:
        for marked in STILL_WRONG:
            assert marked.replace("\n", "⏎") + "\n" in self.PAGE

    def test_the_measured_rows_are_ours(self) -> None:
        for group in {case.group for case in CASES}:
            cases = [case for case in CASES if case.group == group]
            right = sum(case.marked not in STILL_WRONG for case in cases)
            row = next(line for line in self.PAGE.splitlines() if f"| `{group}` |" in line)
            assert f"| {len(cases)} |" in row
            assert row.endswith(f"| **{right}** |")

    def test_the_example_runs(self) -> None:
        example = doctest.DocTestParser().get_doctest(self.PAGE, {}, "page", None, 0)
        result = doctest.DocTestRunner().run(example)
        assert result.attempted == 5
        assert result.failed == 0
