"""Answers of language models on disk, as they were written."""

from groundtrace.files.answer_cache import CacheFile


class TextCache(CacheFile):
    """A file of answers, for any number of threads. It holds no question, only its hash."""

    def get(self, key: bytes) -> str | None:
        """Return the answer to a question, if it was asked before.

        Args:
            key: 32 bytes.

        Raises:
            InputError: the file cannot be read.
        """
        if self.refresh:
            return None
        rows = self.found("SELECT text FROM texts WHERE key = ?", (key,))
        # Anybody may have written into the file.
        return rows[0][0] if rows and isinstance(rows[0][0], str) else None

    def put(self, key: bytes, text: str) -> None:
        """Keep an answer.

        Args:
            key: 32 bytes.

        Raises:
            InputError: the file cannot be written.
        """
        self.kept("texts", [(key, text)])
