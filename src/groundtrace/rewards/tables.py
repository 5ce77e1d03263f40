"""How alike the parts of generated graphs are to those of a reference.

All graphs that are compared with one reference share their tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from groundtrace.embedding.vectors import Similarity
from groundtrace.graphs.triplets import Key, key_of
from groundtrace.guards import Guards
from groundtrace.models.graph import Triplet

if TYPE_CHECKING:
    import numpy

    Matrix = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]


class GraphPair(NamedTuple):
    """What is compared: triplets fit for use, distinct, in order."""

    generated: tuple[Triplet, ...]
    reference: tuple[Triplet, ...]
    """At least one."""


@dataclass(frozen=True)
class Matching:
    """When parts of two graphs match.

    Attributes:
        similarity: Compares texts.
        guards: Says what must never match; None to let everything match.
        entity: Least similarity of subjects and of objects, in 0..1.
        relation: Least similarity of predicates, in 0..1.
        verbatim: Whether texts are compared as they are written, as the published method has
            it: there, a text that is a predicate anywhere in the reference takes the threshold
            of predicates everywhere.
    """

    similarity: Similarity
    guards: Guards | None
    entity: float = 0.7
    relation: float = 0.6
    verbatim: bool = False

    def key(self, triplet: Triplet) -> Key:
        """Return the form in which a triplet is compared.

        Args:
            triplet: As it was written.
        """
        return (*triplet,) if self.verbatim else key_of(triplet)


@dataclass(slots=True)
class Comparison:
    """What came of one pair, by place in its graphs, from 0.

    Attributes:
        nodes: Nodes of the reference in their order, in compared form.
        likeness: Of each of them to the generated node most like it.
        closest: That node in compared form; None where there is none.
        recalled: Triplet of the reference to the generated triplets that recall it, ascending.
        recalled_count: Triplets of the reference that are recalled.
        telling_count: Generated triplets that recall something.
        chain: Recalled triplets in the largest piece that hangs together.
        longest_chain: The same for all triplets of the reference.
    """

    nodes: list[str]
    likeness: list[float]
    closest: list[str | None]
    recalled: dict[int, list[int]] = field(default_factory=dict)
    recalled_count: int = 0
    telling_count: int = 0
    chain: int = 0
    longest_chain: int = 0


class Table:
    """How alike some generated texts are to some of a reference."""

    def __init__(
        self, rows: Sequence[str], columns: Sequence[str], least: Sequence[float], how: Matching
    ) -> None:
        """Compare all rows with all columns.

        Args:
            rows: Generated texts, distinct.
            columns: Texts of the reference, distinct.
            least: For each column the least similarity of a match.
            how: What compares texts.
        """
        import numpy

        self.rows, self.columns = rows, columns
        self.values: Matrix = how.similarity.matrix(rows, columns).astype(numpy.float64)
        self.least = numpy.array(least, dtype=numpy.float64)
        # Without guards there is nothing to be asked.
        self.judged = numpy.full(self.values.shape, how.guards is None)
        if not how.verbatim:
            places = {text: place for place, text in enumerate(rows)}
            self.values = self.values.clip(0.0, 1.0)
            for column, text in enumerate(columns):
                if text in places:
                    self.values[places[text], column] = 1.0

    def alike(self) -> "list[tuple[int, int]]":
        """Return the cells in which texts are alike enough to match."""
        import numpy

        cells = numpy.argwhere(self.values >= self.least[None, :])
        return [(int(row), int(column)) for row, column in cells]

    def judge(self, row: int, column: int, forbidden: bool) -> None:
        """Take down what the guards say of a cell."""
        self.judged[row, column] = True
        if forbidden:
            self.values[row, column] = 0.0


class Cell(NamedTuple):
    """A cell of a table."""

    table: Table
    row: int
    column: int


class Group:
    """All that is compared with one reference."""

    def __init__(
        self,
        reference: Sequence[Triplet],
        cases: Sequence[tuple[int, Sequence[Triplet]]],
        how: Matching,
    ) -> None:
        """Compare the parts of all graphs with those of the reference.

        Args:
            reference: Distinct triplets.
            cases: Place in the batch, and distinct generated triplets.
            how: When parts match.
        """
        import numpy

        keys = [how.key(triplet) for triplet in reference]
        nodes = list(dict.fromkeys(node for key in keys for node in (key[0], key[2])))
        relations = list(dict.fromkeys(key[1] for key in keys))
        self.cases = [
            (place, [how.key(triplet) for triplet in generated]) for place, generated in cases
        ]
        every = [key for _, generated in self.cases for key in generated]
        subjects_and_objects = dict.fromkeys(node for key in every for node in (key[0], key[2]))
        predicates = dict.fromkeys(key[1] for key in every)
        among = set(relations) if how.verbatim else set()
        least = [how.relation if node in among else how.entity for node in nodes]
        self.entities = Table(list(subjects_and_objects), nodes, least, how)
        self.relations = Table(list(predicates), relations, [how.relation] * len(relations), how)
        self.entity_rows = {text: row for row, text in enumerate(subjects_and_objects)}
        self.relation_rows = {text: row for row, text in enumerate(predicates)}
        entity_columns = {text: column for column, text in enumerate(nodes)}
        relation_columns = {text: column for column, text in enumerate(relations)}
        self.reference = [
            (entity_columns[key[0]], relation_columns[key[1]], entity_columns[key[2]])
            for key in keys
        ]
        self._columns = numpy.arange(len(nodes))
        self._rows = [
            numpy.array(
                list(
                    dict.fromkeys(
                        self.entity_rows[node] for key in keys for node in (key[0], key[2])
                    )
                ),
                dtype=numpy.int64,
            )
            for _, keys in self.cases
        ]
        self.comparisons: dict[int, Comparison] = {}
        self.unsettled: list[Cell] = []

    def texts(self, cell: Cell) -> tuple[str, str]:
        """Return the two texts that a cell compares."""
        return cell.table.rows[cell.row], cell.table.columns[cell.column]

    def alike(self) -> list[Cell]:
        """Return the cells that may match and have not been judged."""
        return [
            Cell(table, row, column)
            for table in (self.entities, self.relations)
            for row, column in table.alike()
        ]

    def cover(self) -> bool:
        """Find for each node of the reference the generated one most like it, case by case.

        Returns:
            Whether cells were found that the guards must judge first (``unsettled``).
        """
        table = self.entities
        cells: dict[Cell, None] = {}
        for (place, _), rows in zip(self.cases, self._rows, strict=True):
            if not len(rows):
                blank: list[str | None] = [None] * len(table.columns)
                self._take(place, [0.0] * len(table.columns), blank)
                continue
            values = table.values[rows]
            best = values.argmax(axis=0)
            likeness = values[best, self._columns]
            closest = rows[best]
            judged = table.judged[closest, self._columns] | (likeness <= 0.0)
            if judged.all():
                spelled = [
                    table.rows[row] if like > 0 else None
                    for row, like in zip(closest.tolist(), likeness.tolist(), strict=True)
                ]
                self._take(place, likeness.tolist(), spelled)
            else:
                for column in (~judged).nonzero()[0].tolist():
                    cells[Cell(table, int(closest[column]), column)] = None
        self.unsettled = list(cells)
        return bool(cells)

    def _take(self, place: int, likeness: list[float], closest: list[str | None]) -> None:
        self.comparisons[place] = Comparison(list(self.entities.columns), likeness, closest)
