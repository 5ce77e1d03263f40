"""What is in a picture and how it looks, before it is written as DOT, SVG or Mermaid.

Segments are boxes. A single premise leads straight to its target; two or more meet in a
junction first, since they support it only together.
"""

from textwrap import wrap
from typing import Final, Literal, NamedTuple

from groundtrace.vocabulary import Label, Outcome

BoxKind = Outcome | Literal["leaf"]

LINE_LENGTH: Final = 28
TEXT_COLOR: Final = "#1d2533"


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


class Ink(NamedTuple):
    """How lines of one label look."""

    color: str
    word: str
    """The colour in words, with whatever else tells the lines apart."""
    width: float
    """In pixels."""


INKS: Final[dict[Label, Ink]] = {
    "entailment": Ink("#2e7d32", "green, thick", 2.6),
    "implied": Ink("#ef6c00", "orange, thin", 1.4),
    "neutral": Ink("#757575", "grey", 1.2),
    "contradiction": Ink("#c62828", "red, barred", 2.0),
}


class Box(NamedTuple):
    """A segment."""

    name: str
    """Letters, digits and underscores, as all names here."""
    kind: BoxKind
    text: str
    """Number and quote; without control characters, but otherwise as hostile as strangers are."""
    outcome: str
    """In words, so that colour is not all that tells boxes apart."""

    @property
    def lines(self) -> list[str]:
        """Text and outcome on short lines."""
        return [*wrap(self.text, LINE_LENGTH), self.outcome]


class Junction(NamedTuple):
    """The point where the premises of one relation meet."""

    name: str
    label: Label


class Line(NamedTuple):
    """A line between two boxes, or between a box and a junction."""

    source: str
    target: str
    label: Label
    arrow: bool
    """It ends at the target of its relation."""
    dashed: bool


class Picture(NamedTuple):
    """Everything to be drawn, in a fixed order."""

    boxes: tuple[Box, ...]
    junctions: tuple[Junction, ...]
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    """The labels that occur, strongest first."""
    notes: tuple[str, ...]
    """What else the legend must say."""

    @property
    def legend(self) -> list[tuple[str, str | None]]:
        """Each line of the legend, with its colour if it explains one."""
        said = [(f"{INKS[label].word}: {label}", INKS[label].color) for label in self.labels]
        return [*said, *((note, None) for note in self.notes)]
