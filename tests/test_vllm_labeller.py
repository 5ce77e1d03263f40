"""vLLM itself, in this process and as a server, with a tiny model of random weights.

Opt-in: ``pytest -m vllm`` in an environment that has vLLM; docs/labelling.md says how to make
one without a graphics card.
"""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundtrace.models.trace import Trace
from tests.command import DATA, command
from tests.tiny_models import make_chat_model

pytestmark = pytest.mark.vllm

START_SECONDS = 300
CPU = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    # Compiling takes longer than all the calls of this test.
    "TORCHDYNAMO_DISABLE": "1",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    make_chat_model(folder)
    return folder


@pytest.fixture(scope="module")
def url(model: Path) -> Iterator[str]:
    """Run a vLLM server and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model)),
            *("--served-model-name", str(model), "--host", "127.0.0.1", "--port", str(port)),
            *("--dtype", "float32", "--enforce-eager", "--max-model-len", "8192"),
        ],
        env={**os.environ, **CPU},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not healthy(f"http://127.0.0.1:{port}/health"):
            assert server.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=60)


def healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:  # noqa: S310 - loopback
            return bool(reply.status == 200)
    except OSError:
        return False


def labelled(*arguments: str | Path) -> tuple[Trace, str]:
    result = subprocess.run(
        command(["label", DATA / "raw.json", "--no-cache", *arguments]),
        env={**os.environ, **CPU},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert result.returncode == 0, result.stderr
    return Trace.model_validate_json(result.stdout), result.stderr


def test_the_server_and_the_process_give_the_same_labels(model: Path, url: str) -> None:
    served, said = labelled("--labeller", "openai", "--base-url", url, "--model", model)
    print(said)  # noqa: T201
    assert "labelled 35 of 35 relations" in said
    engine = ("--engine", "dtype=float32", "--engine", "enforce_eager=true")
    inside, said = labelled("--labeller", "vllm", "--model", model, *engine)
    print(said)  # noqa: T201
    assert "labelled 35 of 35 relations" in said
    assert served.relations
    assert inside.relations
    for one, other in zip(served.relations, inside.relations, strict=True):
        assert one.key == other.key
        assert one.label == other.label
        assert one.probability is not None
        assert one.probability == pytest.approx(other.probability, abs=1e-3)
    assert len({one.label for one in served.relations}) > 1


def test_several_samples_in_this_process(model: Path) -> None:
    engine = ("--engine", "dtype=float32", "--engine", "enforce_eager=true")
    trace, _ = labelled("--labeller", "vllm", "--model", model, "--votes", "3", *engine)
    assert all(len(one.meta["votes"]) == 3 for one in trace.relations or ())


def test_a_long_text_is_not_cut(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps({"segments": ["context", "word " * 5000, "end"]}))
    result = subprocess.run(
        command(
            [
                *("label", path, "--no-cache", "--labeller", "vllm", "--model", model),
                *("--engine", "dtype=float32", "--engine", "enforce_eager=true"),
            ]
        ),
        env={**os.environ, **CPU},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert result.returncode == 0, result.stderr
    trace = Trace.model_validate_json(result.stdout)
    unlabelled = [one for one in trace.relations or () if one.label is None]
    assert unlabelled
    assert all((one.error or "").startswith("too long: ") for one in unlabelled)
    assert len(unlabelled) < len(trace.relations or ())


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "nothing"
    result = subprocess.run(
        command(
            ["label", DATA / "raw.json", "--no-cache", "--labeller", "vllm", "--model", missing]
        ),
        env={**os.environ, **CPU},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert result.returncode == 3
    assert "vLLM cannot load the model" in result.stderr
    assert "Traceback" not in result.stderr
