"""The traces that are being labelled, and the questions on their way."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from groundtrace.errors import InputError
from groundtrace.labelling.candidates import Candidate
from groundtrace.labelling.plan import LabelledTrace, LabellingCounts, LabellingPlan, record_of
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
from groundtrace.labelling.rounds import rounds
from groundtrace.labelling.votes import relation_of
from groundtrace.models.trace import Relation, Trace

MOST_CANDIDATES = 1_000_000
"""In one trace; an audit takes far fewer."""

MOST_OPEN = 5_000
"""Traces that are open at once, or wait for one before them."""

MOST_HELD = 200_000
"""Relations in traces that are open at once: a slow answer must not fill the memory."""


class _OpenTrace:
    """A trace that is being labelled."""

    def __init__(self, source: Any, trace: Trace, plan: LabellingPlan) -> None:
        self.source = source
        self.trace = trace
        self.texts = [segment.text for segment in trace.segments]
        self.size = plan.candidates.count(trace)
        if self.size > MOST_CANDIDATES:
            raise InputError(
                f"{self.size:,} premise sets; at most {MOST_CANDIDATES:,} are labelled in one "
                "trace. Label smaller sets, or split the trace"
            )
        self.known: dict[Candidate, Relation] = {
            Candidate(relation.target, relation.premises): relation
            for relation in trace.relations or ()
            if relation.label is not None
        }
        self.error: InputError | None = None
        self.ended = False
        self.active = True
        self.fresh = False
        self._rounds = rounds(trace, plan.candidates, self.known, plan.constants)
        self._round: Iterator[Candidate] = iter(())
        self._votes: dict[Candidate, list[LabelAnswer | None]] = {}
        self._voters = plan.labeller.voters

    def next(self) -> Candidate | None:
        """Return a candidate to be labelled, or None while there is none."""
        while True:
            for candidate in self._round:
                if candidate not in self.known:
                    self._votes[candidate] = [None] * len(self._voters)
                    return candidate
            if self._votes or self.ended:
                return None
            try:
                self._round = iter(next(self._rounds))
            except StopIteration:
                self.ended = True
            except InputError as error:
                self.error, self.ended = error, True

    @property
    def asking(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._votes)

    def vote(self, candidate: Candidate, place: int, answer: LabelAnswer) -> Relation | None:
        """Take the answer of one voter; return the relation once it was the last."""
        votes = self._votes[candidate]
        votes[place] = answer
        cast = [vote for vote in votes if vote is not None]
        if len(cast) < len(votes):
            return None
        del self._votes[candidate]
        self.fresh = True
        relation = self.known[candidate] = relation_of(candidate, self._voters, cast)
        return relation

    def result(self, plan: LabellingPlan) -> LabelledTrace:
        """Return the trace with what is known of it."""
        if self.error:
            return LabelledTrace(self.source, None, self.error)
        found = {Candidate(one.target, one.premises): one for one in self.trace.relations or ()}
        relations = sorted({**found, **self.known}.values(), key=lambda relation: relation.key)
        update: dict[str, Any] = {"relations": relations}
        if self.fresh:
            before = self.trace.meta.get("labelling")
            earlier = before if isinstance(before, list) else [before] if before else []
            ours = record_of(plan)
            update["labelling"] = [one for one in earlier if one != ours] + [ours]
        return LabelledTrace(self.source, self.trace.model_copy(update=update), None)


class OpenTraces:
    """All open traces, and the questions on their way."""

    def __init__(
        self,
        sources: Iterable[Any],
        read: Callable[[Any], Trace],
        plan: LabellingPlan,
        counts: LabellingCounts,
    ) -> None:
        """Start with nothing open.

        Args:
            sources: What traces are read from.
            read: Makes a trace of a source.
            counts: Added to on the way.
        """
        self._sources = iter(sources)
        self._read = read
        self._plan = plan
        self._counts = counts
        self._open: deque[_OpenTrace | LabelledTrace] = deque()
        self._held = 0
        self._more = True
        self._asking: deque[tuple[_OpenTrace, Candidate, int]] = deque()
        # Equal questions of several traces are asked once.
        self._on_the_way: dict[bytes, list[tuple[_OpenTrace, Candidate, int]]] = {}
        # Traces that have, or may have, a candidate to be asked now.
        self._active: deque[_OpenTrace] = deque()

    @property
    def waiting(self) -> bool:
        """Whether nothing can be taken before answers arrive."""
        return not self._asking and not self._active and not (self._more and self._may_open)

    @property
    def _may_open(self) -> bool:
        return self._held < MOST_HELD and len(self._open) < MOST_OPEN

    def take(self, most: int) -> list[LabelQuestion]:
        """Return up to so many questions; none, if a look at one trace gave none.

        Args:
            most: From 1.

        Raises:
            InputError: the cache cannot be read.
        """
        questions: list[LabelQuestion] = []
        while len(questions) < most:
            if self._asking:
                question = self._question(*self._asking.popleft())
                if question:
                    questions.append(question)
            elif self._active:
                self._advance(self._active[0])
            elif questions or not (self._more and self._may_open):
                break
            else:
                self._open_next()
                break
        return questions

    def _open_next(self) -> None:
        try:
            source = next(self._sources)
        except StopIteration:
            self._more = False
            return
        try:
            trace = _OpenTrace(source, self._read(source), self._plan)
        except InputError as error:
            self._open.append(LabelledTrace(source, None, error))
            return
        self._held += trace.size
        self._open.append(trace)
        self._active.append(trace)

    def _advance(self, trace: _OpenTrace) -> None:
        """Queue the next candidate of a trace, or let the trace rest."""
        candidate = trace.next()
        if candidate is None:
            self._active.popleft().active = False
        else:
            self._counts.relations += 1
            places = range(len(self._plan.labeller.voters))
            self._asking.extend((trace, candidate, place) for place in places)

    def _question(
        self, trace: _OpenTrace, candidate: Candidate, place: int
    ) -> LabelQuestion | None:
        """Return a question, unless its answer is known or already on the way."""
        texts = trace.texts
        premises = tuple(texts[premise - 1] for premise in candidate.premises)
        conclusion = texts[candidate.target - 1]
        voter = self._plan.labeller.voters[place]
        key = self._plan.labeller.key(premises, conclusion, voter)
        if key in self._on_the_way:
            self._counts.repeated += 1
            self._on_the_way[key].append((trace, candidate, place))
            return None
        answer = self._plan.cache.get(key) if self._plan.cache else None
        if answer:
            self._counts.cached += 1
            self._vote(trace, candidate, place, answer)
            return None
        self._on_the_way[key] = [(trace, candidate, place)]
        return LabelQuestion(key, premises, conclusion, voter)

    def give(self, question: LabelQuestion, answer: LabelAnswer) -> None:
        """Hand an answer to all who asked.

        Args:
            question: As it was taken.
            answer: With or without a label.
        """
        self._counts.answered += answer.label is not None
        self._counts.calls += answer.calls
        self._counts.tokens_in += answer.tokens_in
        self._counts.tokens_out += answer.tokens_out
        for trace, candidate, place in self._on_the_way.pop(question.key):
            self._vote(trace, candidate, place, answer)

    def _vote(
        self, trace: _OpenTrace, candidate: Candidate, place: int, answer: LabelAnswer
    ) -> None:
        relation = trace.vote(candidate, place, answer)
        if relation is None:
            return
        if relation.label is None:
            self._counts.unlabelled[relation.error or ""] += 1
        if not trace.active and not trace.asking:
            trace.active = True
            self._active.append(trace)

    def pop_finished(self) -> Iterator[LabelledTrace]:
        """Yield the traces at the head of the line that are done."""
        while self._open:
            first = self._open[0]
            if isinstance(first, LabelledTrace):
                yield self._open.popleft()  # type: ignore[misc]
                continue
            if not first.ended:
                return
            self._open.popleft()
            self._held -= first.size
            self._count(first)
            yield first.result(self._plan)

    def _count(self, trace: _OpenTrace) -> None:
        if trace.error:
            return
        self._counts.traces += 1
        self._counts.given += sum(1 for one in trace.trace.relations or () if one.label)
        if self._plan.candidates.mode == "economy":
            missing = sum(
                1 for one in self._plan.candidates.of(trace.trace) if one not in trace.known
            )
            self._counts.skipped += missing
