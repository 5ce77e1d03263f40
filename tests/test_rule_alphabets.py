"""Texts in any alphabet are read or refused in words, with the place; no message is cut."""

import unicodedata
from pathlib import Path

import clingo
import pytest

import groundtrace
from groundtrace import RuleError
from groundtrace.rules.clingo_texts import complaint_of, parse_text
from groundtrace.rules.rulebook import rulebook_for
from groundtrace.rules.text.lookalikes import QUOTES
from groundtrace.workbench.catalogue.catalogue import own_file
from groundtrace.workbench.check.checker import check_files, check_text
from groundtrace.workbench.test.cases import CaseError
from groundtrace.workbench.test.expectations import NotAnAtom, read_atom
from groundtrace.workbench.test.runner import problems_of
from groundtrace.workbench.test.suites import read_suite

WORDS = [
    "é", "ß", "łódź", "žluťoučký", "İstanbul", "Ωμέγα", "Привет", "Ђурђевдан", "Հայերեն",
    "ქართული", "שלום", "مرحبا", "اردو", "हिन्दी", "বাংলা", "தமிழ்", "తెలుగు", "ไทย", "ລາວ",
    "မြန်မာ", "ភាសាខ្មែរ", "བོད་ཡིག", "አማርኛ", "ᏣᎳᎩ", "中文", "日本語", "한국어", "ᠮᠣᠩᠭᠣᠯ", "𐍈𐌿𐍄𐌰", "𝒜",
    "①", "½", "²", "№", "€", "°", "¿", "…", "≤", "→", "∧", "¬", "－", "：", "１２", "ａ", "🙂",
    "👩‍⚕️", "🇪🇺",
    "e\u0301", "a\u0308\u0323", "\u0301", "\u20dd",
]  # fmt: skip
UNSEEN = [
    "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\u2061", "\u2063", "\ufeff",
    "\u00ad", "\u061c", "\u180e", "\u202a", "\u202e", "\u2066", "\u2069", "\ufe0f", "\u034f",
    "\u3164", "\u115f", "\U000e0001", "\U000e0101", "\ue000", "\u0085", "\uffff",
]  # fmt: skip
SPACES = ["\u00a0", "\u2003", "\u2009", "\u202f", "\u3000", "\u1680", "\u2028", "\u2029"]
HEADER = "%# Own cases\n% Purpose: show alphabets.\n\n%# case: one\n"
FACTS = "segment(1..2). leaf(1).\n"


def complaints_of_case(tmp_path: Path, line: str, expectation: str = "leaf(1)") -> list[str]:
    """Return what ``rules test`` says of a case with one more line, in this process."""
    path = tmp_path / "own.test.lp"
    path.write_text(f"{HEADER}{FACTS}{line}\n% all: {expectation}\n", encoding="utf-8")
    suite = read_suite(path)
    if suite.error:
        return [str(one) for one in suite.error.problems]
    return [str(one) for one in problems_of(suite.cases[0], tmp_path)]


@pytest.mark.parametrize("word", [*WORDS, *UNSEEN, *SPACES, *sorted(QUOTES)], ids=ascii)
def test_any_text_outside_of_quotes_is_refused_with_its_place(word: str, tmp_path: Path) -> None:
    text = f"% {word}\nnote(1, {word})."
    (found,) = [one for one in check_text("own.lp", text).faults if one.severity == "error"]
    assert found.line == 2
    assert found.column in range(9, 9 + len(word))
    shown = found.shown().split("\n")
    assert len(shown) >= 3
    # clingo has nothing to say of it.
    assert found.kind in ("foreign_sign", "unseen_sign", "typographic_quote")
    assert "\\x" not in found.text
    path = tmp_path / "own.lp"
    path.write_text(text, encoding="utf-8")
    for use in (lambda: rulebook_for("audit", [path]), lambda: own_file(path)):
        with pytest.raises(RuleError) as refused:
            use()
        assert refused.value.complaints[0].place == f"{path}:2:{found.column}"
        assert found.text in refused.value.complaints[0].text
    (told,) = complaints_of_case(tmp_path, f"note(1, {word}).")
    assert told.startswith(f"{tmp_path}/own.test.lp:6:{found.column}: {found.text}")
    (told,) = complaints_of_case(tmp_path, "", f"note(1,{word})")
    if not set(word) & {*SPACES}:  # They part two expectations.
        assert told.startswith(f"{tmp_path}/own.test.lp:7: not an atom: note(1,{word}): ")
        assert found.text in told


@pytest.mark.parametrize("word", WORDS, ids=ascii)
def test_any_text_inside_of_quotes_is_text(word: str, tmp_path: Path) -> None:
    text = f'note(1, "{word}").\n'
    assert check_text("own.lp", text).errors == 0
    assert complaints_of_case(tmp_path, text, f'note(1,"{word}")') == []
    told = complaints_of_case(tmp_path, text, f'note(1,"{word}{word}")')
    assert f'holds instead: note(1,"{word}")' in told[0] or f'closest: note(1,"{word}")' in told[0]
    (told_,) = complaints_of_case(tmp_path, f'note(1, "{word}.')
    assert told_.startswith(f"{tmp_path}/own.test.lp:6:9: the text that begins here has no closing")


def test_what_a_user_met(tmp_path: Path) -> None:
    (told,) = complaints_of_case(tmp_path, "note(1, “x”).")
    assert "“ is a quotation mark of a word processor" in told
    assert told.split("\n")[1:] == ["    note(1, “x”).", "            ^"]
    (told,) = complaints_of_case(tmp_path, "", "outcome(2,“orphan”)")
    assert 'write "' in told


@pytest.mark.parametrize("sign", UNSEEN, ids=ascii)
@pytest.mark.parametrize("text", ["leaf{}(2).", "leaf(2){}.", "{}leaf(2).", "leaf(2). {}\n"])
def test_a_sign_that_cannot_be_seen_is_named(sign: str, text: str) -> None:
    (found, *_) = check_text("own.lp", text.format(sign)).faults
    assert f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip() in found.text
    assert found.cure == "delete it"
    assert found.column == text.index("{") + 1


@pytest.mark.parametrize("sign", ["\u200b", "\ufeff", "\u2060", "\u00ad"], ids=ascii)
def test_one_inside_of_a_text_is_a_warning(sign: str) -> None:
    (found,) = check_text("own.lp", f'leaf(S) :- tag(S, "a{sign}b").').faults
    assert (found.severity, found.column) == ("warning", 21)
    assert f"U+{ord(sign):04X}" in found.text
    assert check_text("own.lp", 'leaf(S) :- tag(S, "نمی\u200cخواهم 👩\u200d⚕️").').faults == ()


@pytest.mark.parametrize("text", ['note(1, "\ud800").', "note(1, \udfff).", "leaf(\ud83d2)."])
def test_half_a_character_is_refused(text: str) -> None:
    (found, *_) = check_text("own.lp", text).faults
    assert "U+D" in found.text
    assert found.shown().encode()


def test_halves_in_a_file_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "own.lp"
    path.write_bytes(b'leaf(1).\nnote(1, "\xed\xa0\x80").\n')
    (found,) = check_files([str(path)])
    assert found.faults[0].place == f"{path}:2:10"
    assert "not UTF-8" in found.faults[0].text


@pytest.mark.parametrize("word", [*WORDS, *UNSEEN, *sorted(QUOTES)], ids=ascii)
def test_what_clingo_says_arrives_whole(word: str) -> None:
    """Even where a text gets to it that should not: no exception may leave its logger."""
    messages = parse_text(f'p("{word}"). q({word}).', lambda node: None)
    assert messages
    assert all(isinstance(one, str) for one in messages)
    control = clingo.Control(logger=lambda code, message: messages.append(message))
    with pytest.raises(RuntimeError):
        control.add("base", [], f"q({word}).")
    with pytest.raises(NotAnAtom):
        read_atom(word)


def test_columns_are_counted_in_characters() -> None:
    text = 'p("éé") "é".'
    (message,) = parse_text(text, lambda node: None)
    assert complaint_of(message, text).place == "<string>:1:9"
    trial = check_text(
        "own.lp", 'note(S, "日本") :- tag(S, "é"), T = "ü" + 1, segment(T).', trial=True
    )
    assert [(one.line, one.column) for one in trial.faults] == [(1, 35)]


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    overlay = tmp_path / "own.lp"
    overlay.write_bytes('\ufeffnote(1, "é").\r\n'.encode())
    (found,) = check_files([str(overlay)])
    assert found.faults == ()
    trace = {"segments": ["a", "b"], "relations": []}
    audit = groundtrace.audit(trace, overlays=[overlay])
    assert audit.provenance.rules[str(overlay)].startswith("sha256:")
    assert own_file(overlay).rules == ((1, ("note/2",), ()),)
    overlay.write_bytes("\ufeff% é\nveto(S, R) :- segment(S).".encode())
    with pytest.raises(RuleError) as refused:
        groundtrace.audit(trace, overlays=[overlay])
    assert refused.value.complaints[0].place == f"{overlay}:2:9"
    case = tmp_path / "own.test.lp"
    overlay.write_bytes("\ufeffleaf(2).".encode())
    case.write_bytes(f"\ufeff{HEADER}{FACTS}% overlay: own.lp\n% all: leaf(2)\n".encode())
    suite = read_suite(case)
    assert suite.error is None
    assert problems_of(suite.cases[0], tmp_path) == ()


def test_titles_and_settings_in_any_alphabet(tmp_path: Path) -> None:
    path = tmp_path / "own.test.lp"
    for line in ("% set: “x”=“y”", "% set: max_depth=“3”", "% overlay: “x”.lp", "% “all”: x"):
        path.write_text(f"{HEADER}{FACTS}{line}\n% all: leaf(1)\n", encoding="utf-8")
        error = read_suite(path).error
        assert ("“" in str(error)) if line != "% “all”: x" else error is None
        assert error is None or isinstance(error, CaseError)
