"""5,000 relations against a chat server on loopback, beside bare clients that do the same calls.

Run: python benchmarks/labelling.py [--delay SECONDS]

The server is a process of its own. "bare openai" is the official client in a plain asyncio
program, "bare http" the HTTP library below it: neither remembers, votes, parses or writes.
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path

import httpx2
import openai

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from groundtrace.chat.prompts import Prompt  # noqa: E402
from groundtrace.labelling.candidates import Candidates  # noqa: E402
from groundtrace.labelling.prompt import CHOICES, prompt_for  # noqa: E402
from groundtrace.models.trace import Trace  # noqa: E402
from tests.fake_server import FakeServer  # noqa: E402

RELATIONS = 5_000
CONCURRENCY = 64
SEGMENTS = 9
PER_TRACE = 120
"""Premise sets of one and two among nine segments."""


def serve(delay: float, connection: Connection) -> None:
    """Run the server until the other end closes."""
    with FakeServer(delay=delay).running() as server:
        connection.send(server.url)
        connection.recv()


def traces() -> list[Trace]:
    """Return as many traces as make up the relations; every prompt is different."""
    texts = [
        [f"Segment {place} of trace {number}, which says something." for place in range(SEGMENTS)]
        for number in range(-(-RELATIONS // PER_TRACE))
    ]
    return [
        Trace.model_validate({"id": str(number), "segments": segments})
        for number, segments in enumerate(texts)
    ]


def prompts() -> list[Prompt]:
    """Return the prompts of all candidates of all traces."""
    return [
        prompt_for(
            [trace.segments[premise - 1].text for premise in candidate.premises],
            trace.segments[candidate.target - 1].text,
        )
        for trace in traces()
        for candidate in Candidates().of(trace)
    ]


def body(prompt: Prompt) -> dict[str, object]:
    """Return one request."""
    return {
        "model": "m",
        "messages": prompt.messages,
        "temperature": 0,
        "max_tokens": 4096,
        "logprobs": True,
        "top_logprobs": 5,
        "structured_outputs": {"choice": list(CHOICES)},
    }


async def at_once(ask: Callable[[Prompt], Awaitable[object]]) -> float:
    """Ask everything, so many at a time, and return the seconds."""
    asked = prompts()
    start = time.perf_counter()
    waiting = iter(asked)

    async def worker() -> None:
        for prompt in waiting:
            await ask(prompt)

    await asyncio.gather(*(worker() for _ in range(CONCURRENCY)))
    return time.perf_counter() - start


async def bare_openai(url: str) -> float:
    """Return the seconds of the official client."""
    async with openai.AsyncOpenAI(base_url=url, api_key="none") as client:
        create = client.with_raw_response.chat.completions.create

        async def ask(prompt: Prompt) -> object:
            fields = body(prompt)
            extra = {"structured_outputs": fields.pop("structured_outputs")}
            reply = await create(**fields, extra_body=extra)  # type: ignore[call-overload]
            return reply.parse()

        return await at_once(ask)


async def bare_http(url: str) -> float:
    """Return the seconds of the HTTP library alone."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(limits=limits, timeout=60) as client:

        async def ask(prompt: Prompt) -> object:
            reply = await client.post(f"{url}/chat/completions", json=body(prompt))
            return reply.json()

        return await at_once(ask)


def ours(url: str) -> tuple[float, float]:
    """Return the seconds and the peak MB of the command, start and end included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.jsonl"
        path.write_text("".join(f"{trace.model_dump_json()}\n" for trace in traces()))
        command: list[str | Path] = [
            *(sys.executable, "-m", "groundtrace", "label", path, "--out", f"{folder}/out.jsonl"),
            *("--labeller", "openai", "--base-url", url, "--model", "m"),
            *("--concurrency", str(CONCURRENCY), "--cache", f"{folder}/answers.sqlite"),
        ]
        start = time.perf_counter()
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        lines = Path(folder, "out.jsonl").read_text().splitlines()
        labelled = sum(len(json.loads(line)["relations"]) for line in lines)
        assert labelled >= RELATIONS, labelled  # noqa: S101
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    """Print one line per client."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds the server thinks")
    delay = parser.parse_args().delay
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    server = context.Process(target=serve, args=(delay, there), daemon=True)
    server.start()
    url = str(here.recv())
    count = len(prompts())
    print(f"{count:,} calls, {CONCURRENCY} at once, the server thinks for {delay:g} s")
    http = asyncio.run(bare_http(url))
    official = asyncio.run(bare_openai(url))
    seconds, memory = ours(url)
    for name, taken in [("bare http", http), ("bare openai", official), ("groundtrace", seconds)]:
        print(f"{name:12} {taken:6.1f} s  {count / taken:6.0f} calls/s  {taken / official:5.2f}")
    print(f"groundtrace: {memory:.0f} MB at most")
    here.send(None)
    server.join(timeout=10)


if __name__ == "__main__":
    main()
