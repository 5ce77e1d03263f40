"""The options of labelling, which several commands share, and what they stand for."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from groundtrace.cli.option_groups import option
from groundtrace.cli.server_options import CacheOptions
from groundtrace.errors import InputError
from groundtrace.labelling.settings import LabellingSettings

if TYPE_CHECKING:
    from groundtrace.labelling.candidates import Candidates
    from groundtrace.labelling.plan import LabellingCounts, LabellingPlan


class Mode(StrEnum):
    """Which premise sets are labelled."""

    full = "full"
    economy = "economy"
    given = "given"


@dataclass(frozen=True)
class LabellingOptions:
    """Who labels what, where answers are kept, and whether only the price is asked."""

    settings: LabellingSettings
    answers: CacheOptions
    candidates: Annotated[
        Mode,
        option(
            "All premise sets, only those that can change an outcome, or those that the input "
            "lists without a label."
        ),
    ] = Mode.full
    min_premises: Annotated[int, option("Premises in a set, at least.", metavar="N")] = 1
    max_premises: Annotated[int, option("Premises in a set, at most.", metavar="N")] = 2
    context_premise: Annotated[bool, option("Whether the context may be a premise.")] = True
    dry_run: Annotated[
        bool,
        option("Say how many calls it would take and what they cost; make none.", "--dry-run"),
    ] = False
    price_in: Annotated[
        float | None, option("For --dry-run: price of a million tokens read.", metavar="PRICE")
    ] = None
    price_out: Annotated[
        float | None, option("For --dry-run: price of a million tokens written.", metavar="PRICE")
    ] = None

    @property
    def labeller(self) -> str:
        """Who labels."""
        return self.settings.labeller

    @property
    def wanted(self) -> bool:
        """Whether anything is to be labelled, rather than read from the input alone."""
        return self.labeller != "replay" or bool(self.settings.models)

    def sets(self) -> "Candidates":
        """Return which premise sets to label.

        Raises:
            InputError: the sizes leave none.
        """
        from groundtrace.labelling.candidates import Candidates

        return Candidates(
            self.candidates.value, self.min_premises, self.max_premises, self.context_premise
        )

    @contextmanager
    def plan(
        self, constants: dict[str, int | str], watch: "Callable[[LabellingCounts], None]"
    ) -> "Iterator[LabellingPlan]":
        """Give the plan that the options describe, with its cache open; nobody is asked yet.

        Args:
            constants: Constant name to value.
            watch: Called now and then with the counts so far.

        Raises:
            InputError: an option cannot be used.
            ModelError: a package is missing.
        """
        from groundtrace.labelling.label_cache import LabelCache
        from groundtrace.labelling.labellers import make
        from groundtrace.labelling.plan import LabellingPlan
        from groundtrace.rules.rulebook import rulebook_for

        path, afresh = self.answers.path(), self.answers.refresh
        if self.labeller == "replay" and (path is None or afresh) and not self.dry_run:
            raise InputError("replay takes answers from the cache: name a labeller to ask anew")
        if constants:
            rulebook_for("audit", (), constants)
        prices = (self.price_in or 0, self.price_out or 0)
        if not all(0 <= price < float("inf") for price in prices):
            raise InputError(f"--price-in, --price-out: expected prices from 0, got {prices}")
        sets, labeller = self.sets(), make(self.settings)
        with ExitStack() as stack:
            cache = stack.enter_context(LabelCache(path, refresh=afresh)) if path else None
            yield LabellingPlan(labeller, sets, cache, constants, watch)
