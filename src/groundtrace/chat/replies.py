"""What a chat server sent, read without taking anything in it for granted."""

from typing import Any, NamedTuple

from groundtrace.chat.answer_text import Token

MOST_BYTES_PER_TOKEN = 12
"""A server that counts fewer tokens than this did not read the whole prompt."""

FEWEST_COUNTED_TOKENS = 16
"""Smaller counts are no counts: no server cuts so short, and some always report one token."""

_REASONING = ("reasoning_content", "reasoning")
"""What servers call the thinking that they keep apart from the answer."""


class Reply(NamedTuple):
    """One answer of the server, or why it is none."""

    content: object = None
    tokens: tuple[Token, ...] = ()
    problem: str | None = None
    """Why the content is unusable, whatever it says."""
    again: bool = True
    """Whether asking again may help."""
    calls: int = 1
    """Calls made; 0 if the question was not sent."""
    tokens_in: int = 0
    tokens_out: int = 0


def _choice(completion: Any) -> Any:
    choices = getattr(completion, "choices", None)
    return choices[0] if isinstance(choices, list) and choices else None


def content_of(completion: Any) -> object:
    """Return what a completion says: text, or anything a server may send instead.

    Args:
        completion: As the client library gave it.
    """
    content = getattr(_message(_choice(completion)), "content", None)
    return _joined_parts(content) if isinstance(content, list) else content


def _joined_parts(parts: list[Any]) -> object:
    """Return the text of an answer in parts; the parts as they are if one cannot be read.

    Parts that hold thinking are no part of the answer.
    """
    texts: list[str] = []
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("thinking", "reasoning"):
            continue
        text = part.get("text") if kind in ("text", "output_text") else None
        if not isinstance(text, str):
            return parts
        texts.append(text)
    return "".join(texts)


def _is_reasoning_only(message: Any) -> bool:
    """Say whether a model used up all that it was allowed before it answered."""
    thoughts = (getattr(message, name, None) for name in _REASONING)
    return not getattr(message, "content", None) and any(
        isinstance(one, str) and one.strip() for one in thoughts
    )


def reply_of(completion: Any, prompt_size: int) -> Reply:
    """Return a completion as a reply.

    Args:
        completion: As the client library gave it.
        prompt_size: Bytes of the prompt.
    """
    usage = getattr(completion, "usage", None)
    tokens_in, tokens_out = (
        count if isinstance(count := getattr(usage, name, None), int) and 0 < count < 2**31 else 0
        for name in ("prompt_tokens", "completion_tokens")
    )
    choice = _choice(completion)
    finish = getattr(choice, "finish_reason", None)
    problem, again = None, True
    if choice is None:
        error = getattr(completion, "error", None)
        told = error.get("message") if isinstance(error, dict) else error
        problem = f"the server says: {told}" if told else "the reply holds no answer"
    elif _is_reasoning_only(_message(choice)):
        problem = (
            "the model reasoned and gave no answer: raise the limit of tokens (--max-output-tokens)"
        )
    elif finish == "length":
        problem = "the answer was cut at the limit on output tokens (--max-output-tokens)"
    elif finish == "content_filter" or getattr(_message(choice), "refusal", None):
        problem = "the model declined to answer"
    elif FEWEST_COUNTED_TOKENS <= tokens_in < prompt_size / MOST_BYTES_PER_TOKEN:
        problem = f"the server read {tokens_in:,} tokens only: it cuts long prompts"
        again = False
    return Reply(content_of(completion), _tokens(choice), problem, again, 1, tokens_in, tokens_out)


def _message(choice: Any) -> Any:
    return getattr(choice, "message", None)


def _tokens(choice: Any) -> tuple[Token, ...]:
    """Return the tokens of an answer with their likely alternatives, or none."""
    entries = getattr(getattr(choice, "logprobs", None), "content", None)
    try:
        return tuple(
            Token(
                str(entry.token),
                {
                    str(one.token): float(one.logprob)
                    for one in (*(entry.top_logprobs or ()), entry)
                },
            )
            for entry in entries or ()
        )
    except (AttributeError, TypeError, ValueError, OverflowError):
        return ()
