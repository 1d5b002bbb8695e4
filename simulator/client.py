"""A small client of the merchant API and of the control API, over a socket.

It knows nothing of the gateway but what travels on the wire, so tests, the conformance suite and
merchants may use it alike. Everything is standard library: nothing has to be patched.
"""

import contextlib
import http.client
import json
import re
import select
import ssl
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

Parameters = Mapping[str, str] | Iterable[tuple[str, str]]

FORM = "application/x-www-form-urlencoded; charset=UTF-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: status, headers by lower-case name, and the body, parsed where it is JSON.

    `body` is None for an empty body and the raw bytes for one that is no JSON.
    """

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def id(self) -> str:
        """The id of the payment, registration or checkout; empty when the answer has none."""
        return str(self.at("id") or "")

    @property
    def code(self) -> str:
        """The result code; empty when the answer has none."""
        return str(self.at("result.code") or "")

    @property
    def description(self) -> str:
        """The text beside the result code; empty when the answer has none."""
        return str(self.at("result.description") or "")

    @property
    def parameter_errors(self) -> list[Mapping[str, Any]]:
        """One entry a wrong parameter, with `name`, `value` and `message`."""
        return list(self.at("result.parameterErrors") or [])

    def at(self, path: str) -> Any:
        """What stands at a path such as `cart.items[0].name`, or None."""
        found = self.body
        for key in _keys_of(path):
            if isinstance(found, Mapping) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isdigit() and int(key) < len(found):
                found = found[int(key)]
            else:
                return None
        return found


class Connection:
    """One kept-alive connection to a base address, opened when first needed.

    A request is never sent twice: a connection the other side has closed meanwhile is noticed
    before anything is written to it.
    """

    def __init__(self, base_url: str, *, timeout_s: float = 10, ca_file: str | None = None):
        self._base = urlsplit(base_url)
        self._path = self._base.path.rstrip("/") + "/"
        self._timeout_s = timeout_s
        self._tls = _tls_of(self._base, ca_file)
        self._open: http.client.HTTPConnection | None = None

    def ask(
        self, method: str, path: str, *, headers: Mapping[str, str], body: bytes | None = None
    ) -> Answer:
        """The answer to one request; `path` is relative to the base address.

        Raises OSError or http.client.HTTPException when none came.
        """
        link = self._link()
        try:
            # A server may refuse a large body before it has read it all: its answer still counts.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                link.request(method, self._path + path, body=body, headers=dict(headers))
            answer = _answer_of(link.getresponse())
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        if answer.headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _link(self) -> http.client.HTTPConnection:
        if self._open is not None and _is_dropped(self._open):
            self.close()
        if self._open is None:
            self._open = self._new_link()
        return self._open

    def _new_link(self) -> http.client.HTTPConnection:
        host, port = self._base.hostname or "", self._base.port
        if self._tls is None:
            return http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        return http.client.HTTPSConnection(host, port, timeout=self._timeout_s, context=self._tls)


class Client:
    """The merchant API, as one entity with one token sees it."""

    def __init__(
        self,
        base_url: str,
        token: str,
        entity_id: str,
        *,
        timeout_s: float = 10,
        ca_file: str | None = None,
    ):
        self.base_url = base_url
        self.token = token
        self.entity_id = entity_id
        self._connection = Connection(base_url, timeout_s=timeout_s, ca_file=ca_file)

    def post(self, path: str, parameters: Parameters) -> Answer:
        """The answer to a form of `parameters`, the entity id added where it is not among them."""
        return self.request("POST", path, body=form_of(self._with_entity(parameters)))

    def get(self, path: str, parameters: Parameters = ()) -> Answer:
        """The answer to a read; parameters and entity id travel in the query."""
        return self.request("GET", f"{path}?{self._query(parameters)}")

    def delete(self, path: str, parameters: Parameters = ()) -> Answer:
        """The answer to a removal; parameters and entity id travel in the query."""
        return self.request("DELETE", f"{path}?{self._query(parameters)}")

    def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str | None] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """The answer to exactly these bytes. A header given as None is left out."""
        ours = {"Authorization": f"Bearer {self.token}"} | ({"Content-Type": FORM} if body else {})
        wanted = {**ours, **(headers or {})}
        sent = {name: value for name, value in wanted.items() if value is not None}
        return self._connection.ask(method, path, headers=sent, body=body)

    def with_credentials(self, token: str, entity_id: str) -> "Client":
        """The same connection, used with another token and entity."""
        other = copy(self)
        other.token, other.entity_id = token, entity_id
        return other

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._connection.close()

    def _with_entity(self, parameters: Parameters) -> list[tuple[str, str]]:
        pairs = pairs_of(parameters)
        named = any(name == "entityId" for name, _ in pairs)
        return pairs if named else [("entityId", self.entity_id), *pairs]

    def _query(self, parameters: Parameters) -> str:
        return form_of(self._with_entity(parameters)).decode()


class ControlError(Exception):
    """The control API said no; the message repeats what it expected and what came."""


class Control:
    """The control API: sandboxes and the scripts armed in them."""

    def __init__(self, control_url: str, control_key: str, *, timeout_s: float = 10):
        self._connection = Connection(control_url, timeout_s=timeout_s)
        self._headers = {
            "Authorization": f"Bearer {control_key}",
            "Content-Type": "application/json",
        }

    def create_sandbox(self, **options: Any) -> Mapping[str, Any]:
        """A new sandbox: `id`, `token`, `entity_id`, `control_key` and `entities`.

        Options are `profile`, `overrides` and `merchants`; without any there is one merchant with
        one channel.
        """
        return self._ask("POST", "sandboxes", options)

    def sandbox(self, sandbox: str) -> Mapping[str, Any]:
        """A sandbox as it stands now."""
        return self._ask("GET", f"sandboxes/{sandbox}")

    def reset(self, sandbox: str) -> Mapping[str, Any]:
        """Forget every payment of a sandbox; its entities and tokens stay."""
        return self._ask("POST", f"sandboxes/{sandbox}/reset", {})

    def delete(self, sandbox: str) -> None:
        """Remove a sandbox and all it holds."""
        self._ask("DELETE", f"sandboxes/{sandbox}")

    def arm_script(
        self, sandbox: str, behaviour: str | Mapping[str, Any], **options: Any
    ) -> Mapping[str, Any]:
        """Arm a behaviour, by name or written out; options are `match` and `times`."""
        content = {"behaviour": behaviour, **options}
        return self._ask("POST", f"sandboxes/{sandbox}/scripts", content)

    def scripts(self, sandbox: str) -> list[Mapping[str, Any]]:
        """Every script armed in a sandbox."""
        return list(self._ask("GET", f"sandboxes/{sandbox}/scripts")["scripts"])

    def script(self, sandbox: str, script: str) -> Mapping[str, Any]:
        """One script: what it matches, how often it did, and its near misses."""
        return self._ask("GET", f"sandboxes/{sandbox}/scripts/{script}")

    def disarm_script(self, sandbox: str, script: str) -> None:
        """Remove a script."""
        self._ask("DELETE", f"sandboxes/{sandbox}/scripts/{script}")

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._connection.close()

    def _ask(self, method: str, path: str, content: Mapping[str, Any] | None = None) -> Any:
        body = None if content is None else json.dumps(content).encode()
        answer = self._connection.ask(method, path, headers=self._headers, body=body)
        if answer.status >= 300:
            raise ControlError(f"{method} {path}: status {answer.status}, {answer.body}")
        return answer.body


def pairs_of(parameters: Parameters) -> list[tuple[str, str]]:
    """Parameters as a list of name and value, whether they came as a mapping or as pairs."""
    return list(parameters.items() if isinstance(parameters, Mapping) else parameters)


def form_of(parameters: Parameters) -> bytes:
    """Parameters as a form body: UTF-8, percent-encoded, in the order given."""
    return urlencode(pairs_of(parameters)).encode("ascii")


def _tls_of(base: SplitResult, ca_file: str | None) -> ssl.SSLContext | None:
    return ssl.create_default_context(cafile=ca_file) if base.scheme == "https" else None


def _is_dropped(link: http.client.HTTPConnection) -> bool:
    """Whether an idle connection is of no more use: nothing but its end makes it readable."""
    if link.sock is None:
        return True
    poll = select.poll()
    poll.register(link.sock, select.POLLIN)
    return bool(poll.poll(0))


def _answer_of(response: http.client.HTTPResponse) -> Answer:
    content = response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, _body_of(content))


def _body_of(content: bytes) -> Any:
    if not content:
        return None
    try:
        return json.loads(content)
    except ValueError:
        return content


def _keys_of(path: str) -> Iterator[str]:
    """The keys of `cart.items[0].name`: a dot inside square brackets separates nothing."""
    for bracketed, plain in re.findall(r"\[([^\]]*)\]|([^.\[\]]+)", path):
        yield bracketed or plain
