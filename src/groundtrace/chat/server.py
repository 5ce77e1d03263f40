"""One OpenAI-compatible chat server: what it can do, and one call to it.

Servers ignore fields that they do not know without a word. So each model is first asked an
off-topic question with two nonsense choices: whoever answers with one of them obeys the field.
"""

import html
import re
from dataclasses import replace
from typing import Any

import openai
from openai import AsyncOpenAI

from groundtrace.chat.answer_forms import Form, one_of
from groundtrace.chat.answer_text import LIKELY_TOKENS, is_one_of
from groundtrace.chat.capabilities import LEAST_OUTPUT, Access, Enforcement, concede
from groundtrace.chat.client import check_url, client_for, read_key
from groundtrace.chat.prompts import Prompt
from groundtrace.chat.replies import Reply, content_of, reply_of
from groundtrace.chat.settings import ServerSettings, Voter
from groundtrace.errors import ModelError

PROBE = Prompt("Answer the question.", "Which colour has a clear sky at noon?")
NONSENSE = ("zorvex", "quimbal")
"""No model says these of itself."""

FEWEST_BYTES_PER_TOKEN = 3
"""Of most texts, to leave room for the answer."""

MODELS_SHOWN = 10
REFUSALS = (
    openai.BadRequestError,
    openai.UnprocessableEntityError,
    # The key was good enough at the start, so that it is the text that is not wanted.
    openai.PermissionDeniedError,
)
_LENGTH_FIELDS = ("max_model_len", "context_length")
_QUOTED = 300
_LONGEST_PAGE = 20_000
_ALL = re.DOTALL | re.IGNORECASE
_RETRIES_AT_START = 2


PROXY = "a proxy or firewall, not the server,"


class UnreachableError(Exception):
    """A call that failed after all its retries, through no fault of the question."""


class ChatServer:
    """A server that the user named. Used inside one event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        """Check the address; contacts nobody.

        Args:
            settings: Address, key, time limit and retries.

        Raises:
            InputError: there is no usable address.
        """
        self._settings = settings
        self._key = read_key(settings.key_variable)
        self._url = check_url(settings.base_url)
        self._client: AsyncOpenAI | None = None
        self._offered: list[str] = []

    @property
    def _open_client(self) -> AsyncOpenAI:
        if self._client is None:
            settings = self._settings
            self._client = client_for(self._url, self._key, settings.timeout, settings.retries)
        return self._client

    async def close(self) -> None:
        """Close all connections."""
        client, self._client = self._client, None
        if client:
            await client.close()

    async def access(self, model: str) -> Access:
        """Find out what a model accepts.

        Args:
            model: As the server knows it.

        Raises:
            ModelError: the server cannot be reached, or refuses to answer at all.
        """
        length = self._settings.context_length
        length = min(length, await self._length_of(model) or length)
        budget = min(self._settings.max_output_tokens, length // 2 or 1)
        access = Access(Enforcement.structured_outputs, True, "max_tokens", budget, length)
        while True:
            try:
                completion = await self._complete(
                    access, model, PROBE, one_of(NONSENSE, weighed=True), None
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                access = concede(access, self._words(error), model)
                continue
            except openai.PermissionDeniedError as error:
                # Some models are refused a field rather than a user.
                if not (access.logprobs and "logprob" in self._words(error)):
                    raise self._fatal(error, model) from None
                access = replace(access, logprobs=False)
                continue
            except Exception as error:  # An odd address, proxy, certificate or reply.
                raise self._fatal(error, model) from None
            if access.enforcement is Enforcement.none or is_one_of(
                content_of(completion), NONSENSE
            ):
                return access
            access = replace(access, enforcement=Enforcement(access.enforcement.value + 1))

    async def _length_of(self, model: str) -> int | None:
        """Return the length that the server gives for a model, if it gives any.

        Raises:
            ModelError: the server cannot be reached.
        """
        try:
            client = self._open_client.with_options(max_retries=_RETRIES_AT_START)
            cards = await client.models.list()
        except openai.APIConnectionError as error:
            raise self._fatal(error, model) from None
        except Exception:
            return None  # Not every server has a list; what else is wrong the probe will say.
        found = getattr(cards, "data", None)
        found = found if isinstance(found, list) else []
        self._offered = [str(getattr(card, "id", "?")) for card in found[:MODELS_SHOWN]]
        for card in found:
            if getattr(card, "id", None) == model:
                lengths = (getattr(card, name, None) for name in _LENGTH_FIELDS)
                return next((one for one in lengths if type(one) is int and one > 0), None)
        return None

    async def ask(self, access: Access, prompt: Prompt, form: Form, voter: Voter) -> Reply:
        """Ask once; failures of the connection are retried within.

        Args:
            form: What the answer must look like.

        Raises:
            UnreachableError: no answer came, through no fault of the question.
            ModelError: the server will not answer any question.
        """
        if prompt.tokens + LEAST_OUTPUT > access.length:
            problem = (
                f"too long: about {prompt.tokens:,} tokens, "
                f"the model takes {access.length:,} (--context-length)"
            )
            return Reply(problem=problem, again=False, calls=0)
        seed = voter.sample if self._settings.votes > 1 else None
        try:
            completion = await self._complete(access, voter.model, prompt, form, seed)
        except REFUSALS as error:
            who = PROXY if _is_page(error) else "the server"
            return Reply(problem=f"{who} refuses it: {self._words(error)}", again=False)
        except openai.APIStatusError as error:
            if error.status_code == 413:
                return Reply(problem="the server finds it too long", again=False)
            if error.status_code in (408, 409, 429) or error.status_code >= 500:
                raise UnreachableError(self._words(error)) from None
            raise self._fatal(error, voter.model) from None
        except openai.APIConnectionError as error:
            raise UnreachableError(self._words(error)) from None
        except (openai.OpenAIError, ValueError, TypeError, RecursionError) as error:
            return Reply(problem=f"the reply cannot be read: {self._words(error)}")
        return reply_of(completion, prompt.size)

    async def _complete(
        self,
        access: Access,
        model: str,
        prompt: Prompt,
        form: Form,
        seed: int | None,
    ) -> Any:
        """Send one chat request and return what came back, whatever it is."""
        free = access.length - prompt.size // FEWEST_BYTES_PER_TOKEN
        options: dict[str, Any] = {
            access.limit_field: max(min(access.max_output, free), LEAST_OUTPUT)
        }
        if access.logprobs and form.weighed:
            options |= {"logprobs": True, "top_logprobs": LIKELY_TOKENS}
        extra = dict(self._settings.request)
        if seed is not None:
            options["seed"] = seed
        if access.enforcement is Enforcement.structured_outputs:
            extra["structured_outputs"] = dict(form.structured)
        elif access.enforcement is Enforcement.response_format:
            options["response_format"] = form.response_format
        create: Any = self._open_client.chat.completions.create
        return await create(
            model=model,
            messages=prompt.messages,
            temperature=self._settings.sampling_temperature,
            extra_body=extra,
            **options,
        )

    def _words(self, error: Exception) -> str:
        """Return what an error says, short, on one line and without the key."""
        if isinstance(error, openai.APITimeoutError):
            return f"no answer within {self._settings.timeout:g} s"
        if isinstance(error, openai.APIConnectionError):
            return f"the connection failed: {error.__cause__ or error}".strip(": ")
        words = getattr(error, "message", None) or str(error)
        if isinstance(error, openai.APIStatusError):
            body = error.body if isinstance(error.body, dict) else {}
            told = body.get("message") or body.get("detail")
            words = told if isinstance(told, str) else words
            words = f"status {error.status_code}: {_page_text(error) or words}"
        words = self.mask(" ".join(str(words).split()))
        return words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"

    def mask(self, words: str) -> str:
        """Return some words as they can be shown: without the key, and fit for any file.

        Args:
            words: That a server may have chosen.
        """
        shown = words.replace(self._key, "…") if self._key else words
        return shown.encode("utf-8", "replace").decode()

    def _fatal(self, error: Exception, model: str) -> ModelError:
        """Return why no question can be answered, and what to do."""
        words = self._words(error)
        self._offered = [self.mask(one) for one in self._offered]
        status = getattr(error, "status_code", None)
        if isinstance(error, openai.APIStatusError) and status != 404 and _is_page(error):
            return ModelError(
                f"{self._url}: {PROXY} answers: {words}; let it pass calls to this address, or go "
                "around it (HTTPS_PROXY, NO_PROXY)"
            )
        if status in (401, 403):
            cure = (
                f"put the server's key into the environment variable {self._settings.key_variable}"
            )
            return ModelError(
                f"{self._url} refuses the key: {words}; {cure}, or name another one "
                "with --key-variable"
            )
        if status == 404:
            end = "" if self._url.rstrip("/").endswith("/v1") else "; most addresses end in /v1"
            offered = f"; it offers {', '.join(self._offered)}" if self._offered else ""
            return ModelError(
                f"{self._url} has no model {model!r}, or is no such server: {words}{offered}{end}"
            )
        return ModelError(f"{self._url} cannot be used: {words}")


def _is_page(error: openai.APIStatusError) -> bool:
    """Say whether an error came as a page for people: a chat server answers in JSON."""
    kind = error.response.headers.get("content-type", "")
    return "html" in kind.lower() or error.response.text.lstrip()[:5].lower() in ("<html", "<!doc")


def _page_text(error: openai.APIStatusError) -> str:
    """Return the words of a page without its tags; empty if it is none."""
    if not _is_page(error):
        return ""
    text = re.sub(
        r"<(script|style)\b.*?</\1>|<[^<>]*>", " ", error.response.text[:_LONGEST_PAGE], flags=_ALL
    )
    return " ".join(html.unescape(text).split()) or "an empty page"
