"""The child process in which mathematics is compared: a line of JSON in, a line of JSON out.

The library bounds its work with signals, which only a main thread can have; and what it is given
was written by a model, so that a number with a billion digits may be among it.
"""

import gc
import json
import logging
import sys
from typing import Any

from groundtrace.processes.children import start_child

SECONDS = 5
"""For each of parsing and comparing."""


def main() -> None:
    """Answer until the input ends."""
    start_child()
    gc.enable()
    logging.disable(logging.CRITICAL)
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    config = [LatexExtractionConfig(), ExprExtractionConfig()]

    def read(text: str) -> list[Any]:
        found: list[Any] = parse(text, config, parsing_timeout=SECONDS)
        return found

    for line in sys.stdin:
        gold, said = json.loads(line)
        # Whatever the library makes of a strange text, the next one must have its answer.
        try:
            wanted = read(gold if "$" in gold else f"${gold}$") or read(gold)
            found = read(said)
            equal = bool(found) and verify(wanted, found, timeout_seconds=SECONDS)
            reply = {"known": bool(wanted), "found": bool(found), "equal": equal}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"[:200]}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
