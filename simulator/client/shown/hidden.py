"""What a server answers, without the secrets that it was sent: it may repeat them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPException
from typing import Any

from simulator.client.wire import Answer, Interceptor, OutgoingRequest, SendRequest

# Hides secrets in a text, or in the texts of a document.
Hide = Callable[[Any], Any]
REFUSED_MIN = 400


def hiding(hide: Hide, around: Interceptor | None = None, *, status_min: int = 0) -> Interceptor:
    """Hide secrets in each answer that has such a status, before `around`, if there is one, and the
    client read it.
    """

    def ask(request: OutgoingRequest, send: SendRequest) -> Answer:
        def sent() -> Answer:
            with hidden_in_errors(hide):
                answer = send()
            return answer if answer.status < status_min else hidden_in_answer(answer, hide)

        return sent() if around is None else around(request, sent)

    return ask


def hidden_in_answer(answer: Answer, hide: Hide) -> Answer:
    """An answer without secrets in its headers and its body."""
    headers = {name: str(hide(text)) for name, text in answer.headers.items()}
    return replace(answer, headers=headers, body=_hidden_in_body(answer.body, hide))


@contextmanager
def hidden_in_errors(hide: Hide) -> Iterator[None]:
    """An answer that is not understood is repeated in an error."""
    try:
        yield
    except HTTPException as error:
        said = str(error)
        if (shown := str(hide(said))) == said:
            raise
        raise HTTPException(shown) from None


def _hidden_in_body(body: Any, hide: Hide) -> Any:
    if not isinstance(body, bytes):
        return hide(body)
    text = body.decode(errors="replace")
    shown = hide(text)
    return body if shown == text else str(shown).encode()
