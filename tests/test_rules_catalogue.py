"""``groundtrace rules list`` and ``rules show``, and the headers that they read."""

import json
import re
from pathlib import Path

import pytest

from groundtrace.errors import InputError
from groundtrace.rules.program_files import rules_directory
from groundtrace.rules.text.comments import header_of
from groundtrace.rules.text.syntax import derived_by, public, read_by, spelled, statements_of
from groundtrace.vocabulary import EXTENSION_POINTS
from groundtrace.workbench.catalogue.catalogue import Catalogue
from groundtrace.workbench.catalogue.entries import Constant, NamedRule, Predicate, RuleFile
from tests.command import ROOT, groundtrace

ASP = rules_directory()
FILES = sorted(path for path in ASP.rglob("*.lp") if not path.name.endswith(".test.lp"))
CATALOGUE = Catalogue()

_PREDICATE = re.compile(r"(?<![\w/])[a-z]\w*/\d+")


def relative(path: Path) -> str:
    return path.relative_to(ASP).as_posix()


def said(text: str) -> set[str]:
    """Return the public predicates that a header names."""
    return set(_PREDICATE.findall(text))


# --- the headers


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_headers_agree_with_the_rules(path: Path) -> None:
    header = header_of(path.read_text(encoding="utf-8").split("\n"))
    assert header.title
    assert header.purpose
    assert said(header.reads) == set(spelled(public(read_by(path))))
    assert said(header.derives) == set(spelled(public(derived_by(path))))
    if statements_of(path):
        assert header.reads
        assert header.derives
        assert header.source


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_headers_name_what_is_read_of_other_files_private_predicates(path: Path) -> None:
    """Only where Python gives them: what stages share is theirs."""
    given = {one for one in read_by(path) if one[0].startswith("_")}
    own = {one for file in FILES for one in derived_by(file)}
    header = header_of(path.read_text(encoding="utf-8").split("\n"))
    assert [one for one in spelled(sorted(given - own)) if one not in header.reads] == []


def test_every_file_is_listed_once() -> None:
    names = [file.name for file in CATALOGUE.files]
    ours = [path for path in FILES if path.parent.name != "examples"]
    assert sorted(names) == sorted(map(relative, ours))


# --- named rules


def test_every_rule_that_can_be_switched_off_has_a_comment() -> None:
    named = {rule.name for rule in CATALOGUE.rules if rule.switch}
    switchable = {
        name
        for path in FILES
        for one in statements_of(path)
        if ("rule", 1) in one.derives and one.is_rule
        for name in one.names
    }
    assert named == switchable


def test_rules_of_the_page_are_named_and_the_other_way_round() -> None:
    page = (ROOT / "asp" / "README.md").read_text(encoding="utf-8")
    table = page.partition("## Names of rules")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (?:`([^`]+)`|yours) \|", table, re.MULTILINE))
    assert rows.pop("veto") == ""
    assert rows == {rule.name: rule.file for rule in CATALOGUE.rules}


@pytest.mark.parametrize("rule", CATALOGUE.rules, ids=lambda rule: rule.name)
def test_rules_are_quoted_as_they_stand(rule: NamedRule) -> None:
    lines = (ASP / rule.file).read_text(encoding="utf-8").split("\n")
    assert lines[rule.line - 1].startswith(f"% rule {rule.name}: ")
    assert rule.rules
    assert all(lines[number - 1] == text and text for number, text in rule.rules)
    assert rule.sentence.endswith(".")
    assert rule.source
    text = "\n".join(text for _, text in rule.rules)
    assert (f"disabled({rule.name})" in text) == (rule.switch is not None)


def test_the_line_that_switches_a_rule_off_is_accepted(tmp_path: Path) -> None:
    """One run for all rules, each in a file of its own: what fails is named."""
    switchable = [rule for rule in CATALOGUE.rules if rule.switch is not None]
    for rule in switchable:
        (tmp_path / f"{rule.name}.lp").write_text(rule.switch or "")
        program = rule.file.partition("/")[0]
        facts = {
            "audit": "segment(1). leaf(1).",
            "graph": 'triplet(1, "a", "p", "b"). conclusion("b").',
            "guards": 'compared("a", "b").',
        }[program]
        (tmp_path / f"{rule.name}.test.lp").write_text(
            f"%# Off\n% Purpose: try.\n% rules: {program}\n% overlay: {rule.name}.lp\n"
            f"%# case: no finding\n{facts}\n% none: finding(unknown_rule,_,_)\n"
        )
    result = groundtrace("rules", "test", tmp_path)
    assert result.returncode == 0, result.stdout
    assert f"{len(switchable)} cases" in result.stdout + result.stderr


# --- predicates and constants


def test_extension_points() -> None:
    points = {name for program in EXTENSION_POINTS.values() for name in program} - {"finding"}
    assert {one.name for one in CATALOGUE.predicates if one.extension} == points


def test_public_predicates_say_who_derives_and_reads_them() -> None:
    (support,) = [one for one in CATALOGUE.predicates if one.name == "support"]
    assert support.written == "support(Relation, Target)"
    assert {*support.derived_by} == {"audit/4_support.lp"}
    assert "audit/7_outcomes.lp" in support.read_by
    lines = (ASP / "audit/4_support.lp").read_text(encoding="utf-8").split("\n")
    assert lines[support.derived_by["audit/4_support.lp"][0] - 1].startswith("support(")


@pytest.mark.parametrize("constant", CATALOGUE.constants, ids=lambda constant: constant.name)
def test_constants(constant: Constant) -> None:
    line = (ASP / constant.file).read_text(encoding="utf-8").split("\n")[constant.line - 1]
    assert line == f"#const {constant.name} = {constant.value}."
    assert constant.comment
    assert constant.unit
    assert constant.range
    assert constant.source
    assert constant.programs


# --- finding


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("locality", [NamedRule]),
        ("max_depth", [NamedRule, Constant]),
        ("support", [NamedRule, Predicate]),
        ("support/2", [Predicate]),
        ("_too_far", [Predicate]),
        ("hub_share", [Constant]),
        ("audit/3_patterns.lp", [RuleFile]),
        ("audit/3_patterns", [RuleFile]),
        ("3_patterns.lp", [RuleFile]),
        ("3_patterns", [RuleFile]),
        ("patterns", [RuleFile]),
        ("audit", [RuleFile]),
        ("findings", [RuleFile, RuleFile]),
    ],
)
def test_find(name: str, kinds: list[type]) -> None:
    assert [type(one) for one in CATALOGUE.find(name)] == kinds


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("localty", "locality"), ("closest_gap_limits", "closest_gap_limit"), ("suport", "support")],
)
def test_what_does_not_exist_is_guessed(name: str, wanted: str) -> None:
    with pytest.raises(InputError, match=f"'{name}'; did you mean {wanted}"):
        CATALOGUE.find(name)


# --- the commands


def test_list() -> None:
    result = groundtrace("rules", "list")
    assert (result.returncode, result.stderr) == (0, "")
    for file in CATALOGUE.files:
        assert file.name in result.stdout
    for rule in CATALOGUE.rules:
        assert f"\n{rule.name}   {rule.file}:{rule.line}\n" in result.stdout
    assert "\nclosest_gap_limit = 3 segments   constants.lp:" in result.stdout
    assert "switched off by: disabled(locality)." in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_list_json() -> None:
    result = groundtrace("rules", "list", "--format", "json")
    listed = json.loads(result.stdout)
    assert [one["name"] for one in listed["files"]] == [file.name for file in CATALOGUE.files]
    assert listed["programs"]["graph"][4] == "graph/1_direction.lp"
    locality = next(one for one in listed["rules"] if one["name"] == "locality")
    assert locality["switch"] == "disabled(locality)."
    assert locality["rules"][0]["text"] == "rule(locality)."
    limit = listed["constants"][0]
    assert (limit["name"], limit["value"], limit["unit"]) == ("closest_gap_limit", "3", "segments")


def test_list_with_a_file_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.lp"
    own.write_text(
        "%# Cautious\n% Purpose: be careful.\n\n#const least = 2.\n"
        'veto(S, "x") :-\n    _few(S).\n_few(S) :- { support(_, S) } < least, segment(S).\n'
    )
    result = groundtrace("rules", "list", "--overlay", own)
    assert result.returncode == 0
    text = result.stdout.partition("== Your file")[2]
    assert "Cautious" in text
    assert "be careful." in text
    assert "least = 2   line 4" in text
    assert "line 5: veto/2 from _few/1" in text
    assert "line 7: _few/1 from segment/1, support/2" in text
    listed = json.loads(groundtrace("rules", "list", "--overlay", own, "--format", "json").stdout)
    (overlay,) = listed["overlays"]
    assert overlay["derives"] == ["_few/1", "veto/2"]
    assert overlay["reads"] == ["segment/1", "support/2"]
    assert overlay["constants"] == [{"name": "least", "value": "2", "line": 4}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#script (python) print(1) #end.", "#script is not allowed"),
        ('#include "/etc/passwd".', "#include is not allowed"),
        ("veto(S.", "( that stands here is never closed"),
    ],
)
def test_a_file_that_is_refused_is_not_listed(text: str, message: str, tmp_path: Path) -> None:
    own = tmp_path / "own.lp"
    own.write_text(text)
    result = groundtrace("rules", "list", "--overlay", own)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"{own}:1:" in result.stderr
    assert message in result.stderr


def test_show_a_rule() -> None:
    result = groundtrace("rules", "show", "locality")
    assert result.returncode == 0
    assert result.stdout.startswith("rule locality   audit/2_candidates.lp:10\n")
    assert "switched off by: disabled(locality).\n" in result.stdout
    assert "audit/2_candidates.lp:12:  rule(locality).\n" in result.stdout
    assert "reads:   closest_gap/2, farthest_gap/2, relation/3, span/2\n" in result.stdout


def test_show_others() -> None:
    predicate = groundtrace("rules", "show", "drop").stdout
    assert "drop(Relation, Reason): Relation is not support." in predicate
    assert "EXTENSION POINT: derive more" in predicate
    assert "audit/3_patterns.lp: lines" in predicate
    constant = groundtrace("rules", "show", "hub_share").stdout
    assert "range:   0..1000\n" in constant
    assert "--set hub_share=VALUE" in constant
    file = groundtrace("rules", "show", "4_reduction").stdout
    assert "named:   reduction (line " in file


def test_show_json() -> None:
    found = json.loads(groundtrace("rules", "show", "max_depth", "--format", "json").stdout)
    assert [one["kind"] for one in found] == ["rule", "constant"]


def test_show_nothing() -> None:
    result = groundtrace("rules", "show", "localty")
    assert (result.returncode, result.stdout) == (2, "")
    assert "did you mean locality?" in result.stderr
