"""The one place where clingo programs are made, grounded and solved.

clingo tells what is wrong with a program only through its logger; here every message is
collected, and a program that caused any is refused with file, line and column.
"""

import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import clingo
from clingo import Control, Model, Symbol, SymbolType

from groundtrace.errors import AnswersError, BugError, Complaint, RuleError
from groundtrace.rules.clingo_texts import BYTE_ORDER_MARK, complaint_of
from groundtrace.rules.rulebook import Rulebook

Item = TypeVar("Item")

MESSAGES_KEPT = 20


class Program:
    """A clingo program over one set of facts, grounded part by part and solved."""

    def __init__(self, rulebook: Rulebook, facts: Iterable[Symbol]) -> None:
        """Load rule files and facts.

        Args:
            rulebook: What to load, and the constants to set.
            facts: Ground atoms, taken as they are: text in them cannot become program text.

        Raises:
            RuleError: clingo refuses a rule file.
        """
        self._complaints: list[Complaint] = []
        self._copies: dict[str, str] = {}
        self._switches: dict[tuple[str, int], int] = {}
        settings = [f"--const={name}={value}" for name, value in rulebook.settings.items()]
        # The heuristic is that of the rule files (explain/trees.lp); without #heuristic
        # statements it changes nothing.
        self._control = Control(
            ["--heuristic=Domain", *settings], logger=self._note, message_limit=MESSAGES_KEPT
        )
        self.add_facts(facts)
        rulebook.check_unchanged()
        try:
            for path in rulebook.files:
                self._load(path)
        except RuntimeError as error:
            raise self._failure(error) from None
        rulebook.check_unchanged()
        self._refuse_complaints()

    def _load(self, path: Path) -> None:
        """Load a file; clingo can read none that starts with a byte order mark."""
        content = path.read_bytes()
        mark = BYTE_ORDER_MARK.encode()
        if not content.startswith(mark):
            self._control.load(str(path))
            return
        with tempfile.TemporaryDirectory(prefix="groundtrace-") as folder:
            copy = Path(folder, path.name)
            copy.write_bytes(content.removeprefix(mark))
            self._copies[str(copy)] = str(path)
            self._control.load(str(copy))

    def _note(self, code: clingo.MessageCode, message: str) -> None:
        for copy, path in self._copies.items():
            message = message.replace(copy, path)
        self._complaints.append(complaint_of(message))

    def _failure(self, error: RuntimeError) -> Exception:
        """Return what a failed call of clingo means."""
        if "bad_alloc" in str(error):
            return MemoryError()
        complaints = tuple(self._complaints) or (Complaint("", str(error)),)
        return RuleError("clingo refuses the rule files", complaints)

    def _refuse_complaints(self) -> None:
        if self._complaints:
            raise RuleError("clingo refuses the rule files", tuple(self._complaints))

    def add_facts(self, facts: Iterable[Symbol]) -> None:
        """Add ground atoms that hold.

        Args:
            facts: The atoms; must come before the part that reads them is grounded.
        """
        with self._control.backend() as backend:
            add_rule, add_atom = backend.add_rule, backend.add_atom
            for fact in facts:
                add_rule([add_atom(fact)])

    def ground(self, part: str = "base", *arguments: Symbol) -> None:
        """Ground one program part; cannot be interrupted from within this process.

        Args:
            part: Its name in the rule files.
            arguments: Values of its parameters.

        Raises:
            RuleError: clingo refuses a rule while grounding.
            MemoryError: the ground rules do not fit into the memory of this process.
        """
        try:
            self._control.ground([(part, arguments)])
        except RuntimeError as error:
            raise self._failure(error) from None
        self._refuse_complaints()

    def constant(self, name: str) -> int | str:
        """Return the value that a constant has in this program.

        Args:
            name: Defined in a rule file.
        """
        value = self._control.get_const(name)
        if value is None:
            raise BugError(f"constant {name} is not defined")
        return value.number if value.type is SymbolType.Number else str(value)

    def only_answer(self) -> Sequence[Symbol]:
        """Return the shown atoms of the one answer set.

        Raises:
            AnswersError: there is no answer set, or more than one.
        """
        answers: list[Sequence[Symbol]] = []

        def keep(model: Model) -> None:
            answers.append(model.symbols(shown=True))

        self._control.configuration.solve.models = 2  # type: ignore[union-attr]
        self._control.solve(on_model=keep)
        if not answers:
            raise AnswersError(0)
        if len(answers) > 1:
            raise AnswersError(2)
        return answers[0]

    def atoms(self, name: str, arity: int) -> Iterator[tuple[Symbol, int]]:
        """Yield the grounded atoms of one predicate with their solver literals."""
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            yield atom.symbol, atom.literal

    def add_switches(self, name: str) -> None:
        """Make the atoms of a predicate switches: off unless a search turns them on.

        Externals would be the usual way, but setting one costs as much as grounding a small
        program when the program is large.

        Args:
            name: Of a predicate with one number; its atoms are choices in the rules.
        """
        for symbol, literal in self.atoms(name, 1):
            self._switches[name, symbol.arguments[0].number] = literal

    def forbid(self, combinations: Iterable[Sequence[int]]) -> None:
        """Rule out, from now on, that all literals of a combination hold together.

        Args:
            combinations: Solver literals of grounded atoms.
        """
        with self._control.backend() as backend:
            for literals in combinations:
                backend.add_rule([], literals)

    def answers(
        self,
        read: Callable[[Callable[[int], bool]], Item],
        on: Collection[tuple[str, int]],
        limit: int,
        conflicts: int,
    ) -> tuple[list[Item], bool]:
        """Return what is read from each of the first answer sets, and whether the search was cut.

        Args:
            read: Called once per answer set with a function that says whether a literal holds.
            on: The switches that are on, as predicate and number.
            limit: At most this many answer sets.
            conflicts: The search is cut after this many conflicts, so that it always ends,
                and at the same point on every machine.
        """
        found: list[Item] = []

        def keep(model: Model) -> None:
            found.append(read(model.is_true))

        configuration = self._control.configuration.solve
        configuration.models = limit  # type: ignore[union-attr]
        configuration.solve_limit = str(conflicts)  # type: ignore[union-attr]
        assumptions = [
            literal if switch in on else -literal for switch, literal in self._switches.items()
        ]
        result = self._control.solve(assumptions=assumptions, on_model=keep)
        return found, bool(result.interrupted)
