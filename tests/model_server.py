"""A server on loopback that extracts, judges, chooses and embeds, and misbehaves on request."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.fake_server import FakeServer, refusal

_TAGGED = re.compile(r"<([a-z]+)((?:-\d+)?)>\n(.*?)\n</\1\2>", re.DOTALL)
_STATED = re.compile(r"^(\S[^>\n]*) > ([^>\n]+) > ([^>\n]+)$", re.MULTILINE)

Said = str | Response | None
Behaviour = Callable[[str, str, int], Said]
"""What a model says to a text at its n-th time, from 0; None for what it should say."""


@dataclass
class ModelServer(FakeServer):
    """Answers by the texts: a rationale states its lines "a > suggests > b"."""

    says: Behaviour = lambda model, text, time: None
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    forms: list[dict[str, Any]] = field(default_factory=list)
    embedded: Counter[str] = field(default_factory=Counter)
    embeds: Callable[[list[str]], Response | None] = lambda texts: None

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        texts = {name: inner for name, _, inner in _TAGGED.findall(body["messages"][-1]["content"])}
        known = next((one for one in ("rationale", "response", "names") if one in texts), None)
        if known is None or body["model"] not in self.models:
            return await super()._answer(request)
        self.forms.append(body)
        text = texts[known]
        time_asked = self.asked[body["model"], text]
        self.asked[body["model"], text] += 1
        said = self.says(body["model"], text, time_asked)
        if isinstance(said, Response):
            return said
        return self.completion(body, said if said is not None else sensible(known, texts, body))

    async def embeddings(self, request: Request) -> Response:
        body = await request.json()
        self.headers.append(dict(request.headers))
        if body["model"] not in self.models:
            return refusal(404, f"The model `{body['model']}` does not exist.")
        self.embedded.update(body["input"])
        data = [
            {"object": "embedding", "index": place, "embedding": vector(text)}
            for place, text in enumerate(body["input"])
        ]
        return self.embeds(body["input"]) or JSONResponse(
            {"object": "list", "data": data[::-1], "model": body["model"], "usage": {}}
        )

    @property
    def more_routes(self) -> list[Route]:
        return [Route("/v1/embeddings", self.embeddings, methods=["POST"])]


def stated(rationale: str) -> list[list[str]]:
    return [list(found) for found in _STATED.findall(rationale)]


def sensible(known: str, texts: dict[str, str], body: dict[str, Any]) -> str:
    if known == "rationale":
        found = stated(texts["rationale"])
        if "taken from it" in body["messages"][-1]["content"]:
            found = [["unsaid", "leads to", found[0][0]]]
        names = ("subject", "predicate", "object")
        return json.dumps({"triplets": [dict(zip(names, one, strict=True)) for one in found]})
    if known == "response":
        return "yes" if texts["correct"].lower() in texts["response"].lower() else "no"
    numbers = re.findall(r"^(\d+)\. (.*)$", texts["names"], re.MULTILINE)
    meant = texts["answer"].split()[0].lower()
    return next((number for number, name in numbers if meant in name.lower()), "0")


def vector(text: str) -> list[float]:
    """Return a vector of the letters of a text."""
    counts = Counter(text)
    return [1.0 + 3 * math.log1p(counts[letter]) for letter in "abcdefghijklmnopqrstuvwxyz"]
