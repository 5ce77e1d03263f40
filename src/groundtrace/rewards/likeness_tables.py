"""How alike the parts of generated graphs are to those of a reference.

All graphs that are compared with one reference share their tables, and each triplet that
several of them hold is looked at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from groundtrace.embedding.vectors import Similarity
from groundtrace.graphs.guards import Guards
from groundtrace.graphs.triplets import Key

if TYPE_CHECKING:
    import numpy

    from groundtrace.embedding.settings import Matrix

    Indices = numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]


GROWTH = 4
"""How many times more candidates are judged in each round."""


class GraphPair(NamedTuple):
    """What is compared: triplets fit for use, distinct, in order."""

    generated: tuple[Key, ...]
    """In compared form."""
    reference: tuple[Key, ...]
    """Likewise; at least one."""


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

    def converses(self) -> Mapping[str, Sequence[str]]:
        """Return the predicates that run backwards, with those that they are turned round to.

        Raises:
            RuleError: a user's guard rule is faulty.
        """
        return {} if self.guards is None else self.guards.converses()


@dataclass(slots=True)
class Comparison:
    """What came of one pair, by place in its graphs, from 0.

    Attributes:
        nodes: Nodes of the reference in their order, in compared form.
        likeness: Of each of them to the generated node most like it.
        closest: That node in compared form; None where there is none.
        recalled: Triplet of the reference to the generated triplets that recall it, ascending.
        flipped: Those of these pairs that match with the ends of one exchanged.
        recalled_count: Triplets of the reference that are recalled.
        telling_count: Generated triplets that recall something.
        chain: Recalled triplets in the largest piece that hangs together.
        longest_chain: The same for all triplets of the reference.
    """

    nodes: Sequence[str]
    likeness: list[float]
    closest: list[str | None]
    recalled: dict[int, list[int]] = field(default_factory=dict)
    flipped: set[tuple[int, int]] = field(default_factory=set)
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
            columns: Texts of the reference, distinct.
            least: For each column the least similarity of a match.
        """
        import numpy

        self.rows, self.columns = rows, columns
        self.row_of = {text: row for row, text in enumerate(rows)}
        self.column_of = {text: column for column, text in enumerate(columns)}
        self.values: Matrix = numpy.asarray(how.similarity.matrix(rows, columns), numpy.float64)
        self.least = numpy.array(least, dtype=numpy.float64)
        # Without guards there is nothing to be asked.
        self.judged = numpy.full(self.values.shape, how.guards is None)
        if not how.verbatim:
            self.values = self.values.clip(0.0, 1.0)
            for column, text in enumerate(columns):
                if text in self.row_of:
                    self.values[self.row_of[text], column] = 1.0

    def alike(self) -> list[tuple[int, int]]:
        """Return the cells in which texts are alike enough to match, as row and column."""
        rows, columns = (self.values >= self.least[None, :]).nonzero()
        return list(zip(rows.tolist(), columns.tolist(), strict=True))

    def judge(self, row: int, column: int, forbidden: bool) -> None:
        """Take down what the guards say of a cell.

        Args:
            row: Of the generated text.
            forbidden: Whether the two must not match.
        """
        self.judged[row, column] = True
        if forbidden:
            self.values[row, column] = 0.0


class Cell(NamedTuple):
    """A cell of a table."""

    table: Table
    row: int
    column: int

    @property
    def texts(self) -> tuple[str, str]:
        """The two texts that are compared."""
        return self.table.rows[self.row], self.table.columns[self.column]


class Group:
    """All that is compared with one reference."""

    def __init__(
        self, reference: Sequence[Key], graphs: Sequence[Sequence[Key]], how: Matching
    ) -> None:
        """Compare the parts of all graphs with those of the reference.

        Args:
            reference: Distinct triplets, in compared form.
            graphs: Each of distinct triplets, likewise.
        """
        nodes = list(dict.fromkeys(node for key in reference for node in (key[0], key[2])))
        relations = list(dict.fromkeys(key[1] for key in reference))
        converses = how.converses()
        self.graphs = graphs
        self.triplets = list(dict.fromkeys(key for graph in self.graphs for key in graph))
        """Distinct generated triplets, in compared form."""
        among = set(relations) if how.verbatim else set()
        self.entities = Table(
            list(dict.fromkeys(node for key in self.triplets for node in (key[0], key[2]))),
            nodes,
            [how.relation if node in among else how.entity for node in nodes],
            how,
        )
        rows = _with_converses([key[1] for key in self.triplets], converses)
        columns = _with_converses(relations, converses)
        self.relations = table = Table(rows, columns, [how.relation] * len(columns), how)
        self.turned_rows = _turned([key[1] for key in self.triplets], converses, table.row_of)
        """Rows of predicates, with those of what they are turned round to."""
        self.turned_columns = _turned(relations, converses, table.column_of)
        """Columns, likewise."""
        self.reference = [self._places(key, self.entities.column_of) for key in reference]

    def _places(self, key: Key, entities: dict[str, int]) -> tuple[int, int, int]:
        return entities[key[0]], self.relations.column_of[key[1]], entities[key[2]]

    def alike(self) -> list[Cell]:
        """Return the cells that may match and have not been judged."""
        return [
            Cell(table, row, column)
            for table in (self.entities, self.relations)
            for row, column in table.alike()
        ]


def _with_converses(predicates: Sequence[str], converses: Mapping[str, Sequence[str]]) -> list[str]:
    """Return distinct predicates, and after them what some are turned round to."""
    others = [other for one in predicates for other in converses.get(one, ())]
    return list(dict.fromkeys([*predicates, *others]))


def _turned(
    predicates: Sequence[str], converses: Mapping[str, Sequence[str]], place_of: Mapping[str, int]
) -> list[tuple[int, int]]:
    return [
        (place_of[one], place_of[other])
        for one in dict.fromkeys(predicates)
        for other in converses.get(one, ())
    ]


class Coverage:
    """For each graph of a group and each node of the reference, the node most like it."""

    def __init__(self, group: Group) -> None:
        """Find where the nodes of each graph stand in the tables.

        Args:
            group: With at least one graph.
        """
        import numpy

        self._ahead = 1
        self._table = table = group.entities
        self._places = [place for place, graph in enumerate(group.graphs) if graph]
        self._count = len(group.graphs)
        row_of = table.row_of
        graphs = [group.graphs[place] for place in self._places]
        ends = [row_of[node] for graph in graphs for key in graph for node in (key[0], key[2])]
        lengths = [2 * len(graph) for graph in graphs]
        self._rows: Indices = numpy.array(ends, dtype=numpy.int64)
        self._starts: Indices = numpy.cumsum([0, *lengths[:-1]])
        self._owners: Indices = numpy.repeat(numpy.arange(len(graphs)), lengths)

    def unsettled(self) -> list[Cell]:
        """Return the cells that decide something and that the guards have not judged."""
        if not len(self._rows):
            return []
        deciding, values = self._deciding()
        open_ = deciding & ~self._table.judged[self._rows] & (values > 0.0)
        places, columns = open_.nonzero()
        cells = dict.fromkeys(zip(self._rows[places].tolist(), columns.tolist(), strict=True))
        for column in dict.fromkeys(columns.tolist()):
            cells.update(dict.fromkeys((row, column) for row in self._next_best(column)))
        self._ahead *= GROWTH
        return [Cell(self._table, row, column) for row, column in cells]

    def _next_best(self, column: int) -> list[int]:
        """Return rows that will be looked at if the best ones are forbidden.

        More of them each time: in a flood of opposites, one at a time would take for ever.
        """
        import numpy

        values = numpy.where(self._table.judged[:, column], 0.0, self._table.values[:, column])
        count = min(self._ahead, len(values))
        best = numpy.argpartition(-values, count - 1)[:count]
        return [row for row in best.tolist() if values[row] > 0.0]

    def _deciding(self) -> "tuple[Matrix, Matrix]":
        """Return which nodes are most like each of the reference's, and how alike all are."""
        import numpy

        values = self._table.values[self._rows]
        best = numpy.maximum.reduceat(values, self._starts, axis=0)
        return values == best[self._owners], values

    def comparisons(self) -> list[Comparison]:
        """Return for each graph how alike its nodes are to the reference's."""
        columns = self._table.columns
        found = [
            Comparison(columns, [0.0] * len(columns), [None] * len(columns))
            for _ in range(self._count)
        ]
        if len(self._rows):
            deciding, values = self._deciding()
            places, deciders = deciding.nonzero()
            owners = self._owners[places].tolist()
            likes = values[places, deciders].tolist()
            rows = self._rows[places].tolist()
            for owner, column, like, row in zip(
                reversed(owners),
                reversed(deciders.tolist()),
                reversed(likes),
                reversed(rows),
                strict=True,
            ):
                # Backwards, so that the first of several stays.
                one = found[self._places[owner]]
                one.likeness[column] = like
                one.closest[column] = self._table.rows[row] if like > 0 else None
        return found
