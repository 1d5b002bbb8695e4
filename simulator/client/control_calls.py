"""Calls of the control API: how they are sent, what is said against them, those about keys."""

import json
import re
from collections.abc import Mapping
from copy import copy
from http import HTTPStatus
from string import punctuation
from typing import Any, Self
from urllib.parse import quote

from simulator.client.shown.beginnings import beginning_of
from simulator.client.shown.hidden import hidden_in_answer, hidden_in_errors
from simulator.client.shown.known_secrets import KnownSecrets
from simulator.client.shown.unreadable import HiddenHeaders
from simulator.client.wire import (
    ANSWERED_S_MAX,
    FILE_TYPES,
    Answer,
    Connection,
    Interceptor,
    Writable,
)

# Documents, such as a list of all sandboxes; files, such as a snapshot, are written somewhere.
DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
FILE_S_MAX = 3600.0
SAID_LENGTH_MAX = 2000


class ControlError(Exception):
    """The control API said no; the message repeats what it expected and what came. `code` is the
    result code, empty where another server answered, `sandbox` the id in the path of the call,
    empty where it was about none.
    """

    def __init__(self, message: str, status: int = 0, *, code: str = "", sandbox: str = ""):
        super().__init__(message)
        self.status, self.code, self.sandbox = status, code, sandbox


class Answered(dict[str, Any]):
    """A document that was answered: a member that it lacks is an error of the server."""

    __slots__ = ()

    def __missing__(self, name: str) -> Any:
        raise ControlError(f"expected a member {name} in the answer, got none; is it a gateway?")

    def listed(self, name: str, kind: type = dict) -> list[Any]:
        """What a member lists, each a document or of another `kind`. Raises ControlError."""
        found = self[name]
        if isinstance(found, list) and all(isinstance(each, kind) for each in found):
            return found
        raise ControlError(
            f"expected a list as {name} in the answer, got something else; is it a gateway?"
        )


def _sandbox_in(path: str) -> str:
    """The id of the sandbox that a path is about."""
    group, _, rest = path.partition("/")
    return re.split("[/?]", rest)[0] if group == "sandboxes" else ""


def _refuse_gap(method: str, path: str) -> None:
    """Raise ControlError, as for an unknown id, for a path in which an id is empty: without it the
    path is another one, of a list or of everything in it.
    """
    if "" in path.partition("?")[0].split("/"):
        message = f"{method} {path}: expected an id, got an empty one"
        raise ControlError(message, HTTPStatus.NOT_FOUND, sandbox=_sandbox_in(path))


def _checked(value: Any) -> Any:
    """The same with documents in all places. A list is changed as it is, so that a long answer does
    not stand in memory twice.
    """
    if isinstance(value, dict):
        return Answered((name, _checked(each)) for name, each in value.items())
    if isinstance(value, list):
        for place, each in enumerate(value):
            value[place] = _checked(each)
    return value


def said(answer: Answer) -> str:
    """What an answer says against a call, on one line; of a long text its beginning."""
    detail = f"{answer.code} {answer.reason}".strip() or _body_of(answer)
    if answer.at("error"):
        parts = (answer.at(f"error.{part}") for part in ("where", "expected", "got"))
        detail = "{}: expected {}; got {}".format(*parts)
    return f"status {answer.status}, {beginning_of(detail, SAID_LENGTH_MAX)}"


def _body_of(answer: Answer) -> str:
    if isinstance(answer.body, bytes):
        return "with a page or text in place of JSON; is it a gateway?"
    return "without a body" if answer.body is None else json.dumps(answer.body)


# How long a gateway may work on one call.
WORK_S_MAX = 600.0


class ControlCalls:
    """Sends calls with the key of a server or of a sandbox. What is said against one does not show
    the key: it is cut, and later no one would find a part of a key in it. Choice: D-359.
    """

    def __init__(
        self,
        control_url: str,
        control_key: str,
        *,
        timeout_s: float = ANSWERED_S_MAX,
        ca_file: str | None = None,
        around: Interceptor | None = None,
        bytes_max: int = DOCUMENT_BYTES_MAX,
    ):
        __tracebackhide__ = True
        self._hide = KnownSecrets(control_key).hidden_in_document
        self._connection = Connection(
            control_url,
            timeout_s=timeout_s,
            ca_file=ca_file,
            around=around,
            bytes_max=bytes_max,
        )
        # Settling years, or letting them pass, takes more than an answer does.
        self._patient = Connection(
            control_url,
            timeout_s=max(timeout_s, WORK_S_MAX),
            ca_file=ca_file,
            around=around,
            bytes_max=bytes_max,
        )
        self._files = Connection(
            control_url,
            timeout_s=timeout_s,
            ca_file=ca_file,
            around=around,
            bytes_max=bytes_max,
            answer_s=FILE_S_MAX,
        )
        self._headers = {
            "Authorization": f"Bearer {control_key}",
            "Content-Type": "application/json",
        }

    def on_own_connection(self) -> Self:
        """The same with a connection of its own, which has to be closed."""
        other = copy(self)
        other._connection, other._files = self._connection.another(), self._files.another()
        other._patient = self._patient.another()
        return other

    @property
    def base_url(self) -> str:
        """The address that paths are relative to."""
        return self._connection.base_url

    def close(self) -> None:
        """Close the connections; the next request opens another."""
        self._connection.close()
        self._patient.close()
        self._files.close()

    def ask(self, method: str, path: str, content: Mapping[str, Any] | None = None) -> Answered:
        """What is answered to a call whose body is a document. Raises ControlError."""
        body = None if content is None else json.dumps(content).encode()
        return self.document(method, path, body=body)

    def work(self, path: str, content: Mapping[str, Any]) -> Answered:
        """What is answered to a call that may take minutes. Raises ControlError."""
        patient = copy(self)
        patient._connection = self._patient
        return patient.ask("POST", path, content)

    def document(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answered:
        """The document that is answered to a call. Raises ControlError, later too for a member
        that it lacks.
        """
        answered = self._send(method, path, headers=headers, body=body).body
        if not isinstance(answered, dict):
            raise ControlError(f"{method} {path}: expected a JSON object; is it a gateway?")
        document: Answered = _checked(answered)
        return document

    def text(self, method: str, path: str) -> str:
        """The text that is answered to a call, such as a picture. Raises ControlError."""
        answered = self._send(method, path).body
        if not isinstance(answered, bytes):
            raise ControlError(f"{method} {path}: expected a text; is it a gateway?")
        return answered.decode(errors="replace")

    def save(self, path: str, into: Writable, *, headers: Mapping[str, str] | None = None) -> None:
        """Write the file that is answered into another, piece by piece. Raises ControlError."""
        if not self._send("GET", path, headers=headers, into=into).is_file:
            raise ControlError(f"GET {path}: expected a file; is it a gateway?")

    def _send(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        into: Writable | None = None,
    ) -> Answer:
        _refuse_gap(method, path)
        headers = HiddenHeaders({**self._headers, **(headers or {})})
        is_file = into is not None or headers["Content-Type"] == FILE_TYPES[0]
        connection = self._files if is_file else self._connection
        sendable = quote(path, safe=punctuation)
        with hidden_in_errors(self._hide):
            answer = connection.ask(method, sendable, headers=headers, body=body, into=into)
        if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
            answer = hidden_in_answer(answer, self._hide)
            # Behind a colon the answer would be masked as the value of a path like wallet/tokens.
            asked = f"{method} {path} was answered with"
            message, sandbox = f"{asked} {said(answer)}", _sandbox_in(path)
            raise ControlError(message, answer.status, code=answer.code, sandbox=sandbox)
        return answer


class TerminalKeyCalls:
    """Loads keys into terminals."""

    def __init__(self, calls: ControlCalls):
        self._calls = calls

    def certify(self, sandbox: str, terminal: str, request: str) -> Mapping[str, Any]:
        """The `certificate` for a request (PKCS#10, PEM) of a terminal, and its `authority`."""
        path = f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}/certificate"
        return self._calls.ask("POST", path, {"request": request})

    def load(self, sandbox: str, terminal: str, certificate: str, nonce: str) -> Mapping[str, Any]:
        """New keys for a certified terminal: `kbpk` for its RSA key, `blocks`, `signature`."""
        path = f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}/keys"
        return self._calls.ask("POST", path, {"certificate": certificate, "nonce": nonce})

    def roll_over(self, sandbox: str, terminal: str, pin: str, data: str) -> Mapping[str, Any]:
        """The next keys in `blocks`, under the update keys of those with the ids `pin`, `data`."""
        path = f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}/rollover"
        return self._calls.ask("POST", path, {"pin": pin, "data": data})
