"""Embedding back-ends: equal texts, the embedded model, a server, a local model."""

import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest
from starlette.responses import JSONResponse, Response

from groundtrace.embedding.backends import NAMES, make
from groundtrace.embedding.settings import EmbeddingSettings
from groundtrace.embedding.vector_cache import VectorCache
from groundtrace.embedding.vectors import CosineSimilarity, similarity
from groundtrace.errors import InputError, ModelError
from tests.fake_server import refusal
from tests.model_server import ModelServer


class Counting:
    """Counts what it embeds."""

    identity = "counting"

    def __init__(self, length: int = 3) -> None:
        self.texts: list[str] = []
        self.length = length

    def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        rows = [[float(len(text)), 1.0, 2.0][: self.length] for text in texts]
        return numpy.array(rows, dtype=numpy.float32)


def test_equal_texts_are_alike_and_no_others() -> None:
    compare = similarity(EmbeddingSettings("exact"))
    found = compare.matrix(["Fever", "cough", "x"], ["“fever”", "gout", "COUGH "])
    assert found.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert compare.matrix([], ["a"]).shape == (0, 1)


def test_the_embedded_default_needs_nothing_and_knows_paraphrases() -> None:
    compare = similarity()
    ((alike, unlike),) = compare.matrix(["heart attack"], ["myocardial infarction", "leg pain"])
    assert alike > 0.7 > unlike
    assert compare.matrix(["flu"], ["flu"])[0, 0] == pytest.approx(1, abs=1e-6)


def test_a_text_is_embedded_once() -> None:
    backend = Counting()
    compare = CosineSimilarity(backend)
    compare.matrix(["a", "bb", "a"], ["bb", "ccc"])
    compare.matrix(["ccc"], ["a"])
    assert backend.texts == ["a", "bb", "ccc"]


def test_vectors_are_found_in_the_cache(tmp_path: Path) -> None:
    backend = Counting()
    with VectorCache(tmp_path / "a.sqlite") as cache:
        first = CosineSimilarity(backend, cache).matrix(["a", "bb"], ["ccc"])
        second = CosineSimilarity(backend, cache).matrix(["a", "bb"], ["ccc"])
    assert (first == second).all()
    assert backend.texts == ["a", "bb", "ccc"]


def test_another_model_finds_nothing_of_the_first(tmp_path: Path) -> None:
    other = Counting()
    other.identity = "other"
    with VectorCache(tmp_path / "a.sqlite") as cache:
        CosineSimilarity(Counting(), cache).matrix(["a"], ["bb"])
        CosineSimilarity(other, cache).matrix(["a"], ["bb"])
    assert other.texts == ["a", "bb"]


@pytest.mark.parametrize(
    "vectors",
    [
        [[0.0, 0.0], [1.0, 1.0]],
        [[float("nan"), 1.0], [1.0, 1.0]],
        [[1.0, 1.0]],
        [1.0, 1.0],
    ],
)
def test_what_is_no_vector_is_an_error(vectors: Any) -> None:
    backend = Counting()
    backend.embed = lambda texts: numpy.array(vectors, dtype=numpy.float32)  # type: ignore[method-assign]
    with pytest.raises(ModelError):
        CosineSimilarity(backend).matrix(["a"], ["b"])


@pytest.mark.parametrize("scale", [1e25, 4e-23])
def test_large_and_tiny_vectors_are_vectors(scale: float) -> None:
    backend = Counting()
    backend.embed = lambda texts: numpy.array(  # type: ignore[method-assign]
        [[3.0 * scale, 4.0 * scale], [4.0 * scale, 3.0 * scale]], dtype=numpy.float32
    )
    assert CosineSimilarity(backend).matrix(["a"], ["b"])[0, 0] == pytest.approx(0.96)


def test_a_refreshed_cache_is_not_looked_into(tmp_path: Path) -> None:
    backend = Counting()
    with VectorCache(tmp_path / "a.sqlite") as cache:
        CosineSimilarity(backend, cache).matrix(["a"], ["bb"])
    with VectorCache(tmp_path / "a.sqlite", refresh=True) as cache:
        CosineSimilarity(backend, cache).matrix(["a"], ["bb"])
    assert backend.texts == ["a", "bb"] * 2


def test_vectors_of_other_lengths_are_an_error(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "a.sqlite") as cache:
        CosineSimilarity(Counting(3), cache).matrix(["a"], ["b"])
        with pytest.raises(ModelError, match="different lengths"):
            CosineSimilarity(Counting(2), cache).matrix(["a"], ["c"])


def test_threads_share_vectors() -> None:
    backend = Counting()
    compare = CosineSimilarity(backend)
    texts = [f"text {number}" for number in range(50)]
    threads = [
        threading.Thread(target=compare.matrix, args=(texts[part:], texts)) for part in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(backend.texts) == sorted(texts)


# --- which there are


def test_every_back_end_is_a_file() -> None:
    assert NAMES == ("openai", "sentence_transformers", "use")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (EmbeddingSettings("bge"), "known are exact, openai, sentence-transformers, use"),
        (EmbeddingSettings("../use"), "there is no embedding"),
        (EmbeddingSettings("openai"), "--embedding-url"),
        (EmbeddingSettings("openai", "m", "localhost"), "expected an address"),
        (EmbeddingSettings("sentence-transformers"), "needs a model"),
        (EmbeddingSettings("use", "m"), "has its own model"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(settings: EmbeddingSettings, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make(settings)


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    compare = similarity(EmbeddingSettings("sentence-transformers", "m"))
    with pytest.raises(ModelError, match=r"pip install 'groundtrace\[sentence-transformers\]'"):
        compare.matrix(["a"], ["b"])


def test_a_local_model_is_used_as_its_package_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's own interface, without its weights: they would have to be downloaded."""

    class SentenceTransformer:
        def __init__(self, name: str) -> None:
            assert name == "folder/model"

        def encode(self, texts: list[str], show_progress_bar: bool) -> Any:
            return numpy.array([[len(text), 1.0] for text in texts], dtype=numpy.float32)

    module = type(sys)("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    compare = similarity(EmbeddingSettings("sentence-transformers", "folder/model"))
    assert compare.matrix(["aa"], ["bb"])[0, 0] == pytest.approx(1)


# --- a server


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(models=("e",)).running() as running:
        yield running


def embeddings(*vectors: Any) -> list[dict[str, Any]]:
    return [{"index": place, "embedding": one} for place, one in enumerate(vectors)]


def remote(server: ModelServer, **changes: Any) -> Any:
    settings = {"name": "openai", "model": "e", "base_url": server.url, "retries": 1, **changes}
    return similarity(EmbeddingSettings(**settings))


def test_a_server_embeds_each_text_once_whatever_the_order_of_its_reply(
    server: ModelServer,
) -> None:
    texts = [f"{chr(97 + number % 26) * (1 + number % 7)}{number}" for number in range(300)]
    compare = remote(server)
    found = compare.matrix(texts, texts)
    assert found.diagonal() == pytest.approx(numpy.ones(300))
    assert set(server.embedded.values()) == {1}
    assert compare.matrix(["aaaa"], ["aaab"])[0, 0] > compare.matrix(["aaaa"], ["zzzz"])[0, 0]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (refusal(401, "wrong key"), "wrong key"),
        (refusal(400, "too long"), "too long"),
        (JSONResponse({"data": []}), "0 embeddings for 2 texts"),
        (JSONResponse({"data": [{"index": 0, "embedding": [1]}] * 2}), "not numbered"),
        (JSONResponse({"data": [{"index": 0}, {"index": 1}]}), "no embeddings"),
        (JSONResponse([1]), "no embeddings"),
        (JSONResponse({"data": [{"index": 0, "embedding": "12"}] * 2}), "not numbered"),
        (JSONResponse({"data": embeddings("12", "34")}), "no list of numbers"),
        (JSONResponse({"data": embeddings([10**400, 1], [1, 2])}), "no embeddings"),
        (Response('{"data": [{"index": 1e999, "embedding": [1]}]}'), "no embeddings"),
        (
            JSONResponse(
                {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}
            ),
            "no vectors of one length",
        ),
    ],
)
def test_a_reply_that_is_no_embedding_is_an_error(
    server: ModelServer, reply: Any, words: str
) -> None:
    server.embeds = lambda texts: reply
    with pytest.raises(ModelError, match=words):
        remote(server).matrix(["a"], ["b"])


def test_a_server_that_is_gone_is_an_error() -> None:
    settings = EmbeddingSettings("openai", "e", "http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelError, match="gives no embeddings"):
        similarity(settings).matrix(["a"], ["b"])


def test_the_key_goes_to_the_server_and_not_into_messages(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDTRACE_API_KEY", "sk-not-for-it")
    monkeypatch.setenv("GROUNDTRACE_EMBEDDING_KEY", "sk-secret-2")
    server.embeds = lambda texts: refusal(400, "bad sk-secret-2")
    with pytest.raises(ModelError) as caught:
        remote(server).matrix(["a"], ["b"])
    assert "sk-secret" not in str(caught.value)
    assert server.headers[-1]["authorization"] == "Bearer sk-secret-2"
