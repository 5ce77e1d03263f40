"""A knowledge base from Python: the same questions, checks and limits as on the command line."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from groundtrace.knowledge.ask.answering import DEFAULT_ROW_LIMIT, Answer, Request
from groundtrace.knowledge.ask.asker import DEFAULT_TIME_LIMIT, Asker
from groundtrace.knowledge.ask.questions import bound, our_questions, question_named
from groundtrace.knowledge.ask.sources import EngineName, Source
from groundtrace.knowledge.ask.tables import frame
from groundtrace.knowledge.checking import Checked, chosen_checks, run_checks
from groundtrace.models import arguments


class KnowledgeBase:
    """Answers questions about records, in a process of its own. For any number of threads.

    Use it in a ``with`` statement, or close it. Like all child processes it needs
    ``if __name__ == "__main__":`` around the main part of a script.
    """

    def __init__(
        self,
        *files: str | Path,
        store: str | Path | None = None,
        endpoint: str | None = None,
        engine: EngineName = "oxigraph",
        time_limit: float = DEFAULT_TIME_LIMIT,
        limit: int = DEFAULT_ROW_LIMIT,
    ) -> None:
        """Name what is asked: files, a folder or a server.

        Args:
            files: RDF, or records as JSON; loaded into memory.
            store: Folder that ``groundtrace export --store`` made.
            endpoint: Address of a server that speaks the SPARQL 1.1 protocol.
            engine: What answers for files; rdflib is slow, and a second opinion.
            time_limit: Seconds that a query may take.
            limit: Rows that are fetched at most.

        Raises:
            ArgumentError: something is of another type, such as a list of files in place of files.
        """
        if endpoint is not None:
            arguments.text("endpoint", endpoint)
        arguments.text("engine", engine)
        folder = None if store is None else str(arguments.path("store", store))
        self._asker = Asker(Source(arguments.paths("files", files), folder, endpoint, engine))
        self._time_limit = arguments.number("time_limit", time_limit)
        self._limit = arguments.whole("limit", limit)

    def __enter__(self) -> "KnowledgeBase":
        """Start the process that answers.

        Raises:
            InputError: the source cannot be read.
            LimitError: it does not fit into memory.
        """
        self._asker.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def close(self) -> None:
        """End the process that answers; the next question starts another one."""
        self._asker.__exit__()

    def query(self, sparql: str) -> Answer:
        """Return the answer to a query.

        Args:
            sparql: SPARQL 1.1 that only reads; our prefixes need not be declared.

        Raises:
            InputError: the query is refused, or the source cannot be read.
            LimitError: it was ended at its time or memory limit.
            ModelError: an endpoint could not be reached or used.
            ArgumentError: the query is no text.
        """
        request = Request(arguments.text("sparql", sparql), most_rows=self._limit)
        return self._asker.ask(request, self._time_limit)

    def question(self, name: str, **values: Any) -> Answer:
        """Return the answer to one of our questions.

        Args:
            name: As ``groundtrace query --list`` has it.

        Raises:
            InputError: there is no such question or parameter, or the source cannot be read.
            LimitError: it was ended at its time or memory limit.
            ModelError: an endpoint could not be reached or used.
            ArgumentError: the name is no text.
        """
        question = question_named(arguments.text("name", name), our_questions())
        text = bound(question, {key: str(value) for key, value in values.items()})
        request = Request(text, trusted=True, most_rows=self._limit)
        return self._asker.ask(request, self._time_limit)

    def frame(self, name_or_sparql: str, **values: Any) -> Any:
        """Return an answer as a pandas data frame.

        Args:
            name_or_sparql: A question's name, or SPARQL, which has spaces.
            values: For the question's parameters.

        Raises:
            InputError: the question is unknown, or the query is refused.
            LimitError: it was ended at its time or memory limit.
            ModelError: pandas is not installed, or an endpoint could not be used.
            ArgumentError: the name is no text.
        """
        arguments.text("name_or_sparql", name_or_sparql)
        named = " " not in name_or_sparql.strip()
        return frame(
            self.question(name_or_sparql, **values) if named else self.query(name_or_sparql)
        )

    def check(self, *names: str, folders: Sequence[str | Path] = ()) -> Iterator[Checked]:
        """Yield what becomes of each check.

        Args:
            names: Of checks; all if there are none.
            folders: Of checks of your own, instead of ours.

        Raises:
            InputError: there is no such check, or a folder cannot be read.
            ModelError: an endpoint could not be reached or used.
            ArgumentError: a name is no text, or folders are no sequence of paths.
        """
        for name in names:
            arguments.text("names", name)
        checks = chosen_checks(names, [Path(one) for one in arguments.paths("folders", folders)])
        return run_checks(self._asker, checks, self._time_limit, self._limit)
