"""What a gateway refuses, shown without the secrets of its target: it may repeat them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPException

from simulator.client import ControlError, Interceptor
from simulator.client.shown.masking import Masking
from simulator.client.wire import Answer, OutgoingRequest, SendRequest

REFUSED_MIN = 400


class HiddenSecrets:
    """Hides the secrets of a target in refusals and in errors."""

    def __init__(self, secrets: Iterable[str]):
        self._masking = Masking(*secrets)

    def around(self, ask: Interceptor | None) -> Interceptor:
        """Ask so, or directly, and mask a refusal: an error shows only a part of it, and a part of
        a secret would not be found any more.
        """

        def masked(request: OutgoingRequest, send: SendRequest) -> Answer:
            answer = send() if ask is None else ask(request, send)
            if answer.status < REFUSED_MIN:
                return answer
            body = answer.body
            if isinstance(body, bytes):
                text = self._masking.text(body.decode(errors="replace"))
                return replace(answer, body=text.encode())
            return replace(answer, body=self._masking.body(body))

        return masked

    @contextmanager
    def in_errors(self) -> Iterator[None]:
        """Mask the errors of calls: an answer that is not understood is repeated in one."""
        try:
            yield
        except ControlError as error:
            text = self._masking.text(str(error))
            raise ControlError(text, error.status, code=error.code, sandbox=error.sandbox) from None
        except HTTPException as error:
            raise HTTPException(self._masking.text(f"{type(error).__name__}: {error}")) from None
