"""Every answer a test receives is one that the gateway's own OpenAPI documents describe."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from falcon import App, Request, Response
from falcon.constants import MEDIA_JSON

from simulator.client.openapi import ReceivedAnswer, ResponseValidator
from simulator.derive.openapi.merchant import openapi_document
from simulator.grammar.choices import Choices
from simulator.web.control.access import PREFIX
from simulator.web.control.description.openapi import control_openapi_document
from simulator.web.http.context import exchange_of

CHOICES = "sandgate.tests.choices"


class UndescribedAnswerError(AssertionError):
    """An answer has something that the OpenAPI document does not describe."""


class DescribedApp:
    """The application, with each of its answers held against the documents."""

    def __init__(self, app: App):
        app.add_middleware(_ChoicesInEnvironment())
        self.add_route = app.add_route
        self._app = app

    def __call__(self, env: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The answer. Raises UndescribedAnswerError."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], *rest: object) -> Any:
            started.append((status, headers))
            return start_response(status, headers, *rest)

        chunks = self._app(env, start)
        pieces = list(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        ((status, headers),) = started
        demand_described(env, int(status[:3]), headers, b"".join(pieces))
        return pieces


def demand_described(
    env: dict[str, Any], status: int, headers: list[tuple[str, str]], content: bytes
) -> None:
    """Fail where the documents do not describe the answer. Raises UndescribedAnswerError."""
    path = env["PATH_INFO"]
    is_control = path.startswith(PREFIX)
    validator = control_validator() if is_control else merchant_validator(env[CHOICES])
    named = {name.lower(): value for name, value in headers}
    is_json = named.get("content-type", "").startswith(MEDIA_JSON)
    body = json.loads(content) if is_json else content
    answer = ReceivedAnswer(env["REQUEST_METHOD"], path.removeprefix(PREFIX), status, named, body)
    errors = validator.errors_of(answer)
    if errors:
        said = "; ".join(errors)
        raise UndescribedAnswerError(f"{answer.method} {path} answered {status}: {said}")


@cache
def control_validator() -> ResponseValidator:
    """The validator of the control API."""
    return ResponseValidator(control_openapi_document())


@cache
def merchant_validator(choices: Choices) -> ResponseValidator:
    """The validator of the merchant API under these choices."""
    return ResponseValidator(openapi_document(choices))


class _ChoicesInEnvironment:
    """Leaves the choices an exchange was answered by where the wrapped application finds them."""

    def process_response(
        self, req: Request, resp: Response, resource: object, req_succeeded: bool
    ) -> None:
        req.env[CHOICES] = exchange_of(req).choices
