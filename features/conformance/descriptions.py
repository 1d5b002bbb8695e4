"""Whether the responses of a run obey the OpenAPI documents that the target itself publishes."""

import threading
from collections.abc import Mapping
from urllib.parse import parse_qsl, urljoin, urlsplit

from features.support.assertions import ConformanceAssertionError
from features.target.records import Target
from simulator.client import Answer, Connection, OutgoingRequest, SendRequest
from simulator.client.openapi import ReceivedAnswer, ResponseValidator

SHOWN_MAX = 3
PASSWORD = "authentication.password"


class DescriptionChecker:
    """Compares each response with the document of its interface, and keeps what differs.

    A target may describe itself differently for each access token, as a gateway with profiles does:
    the document is read under the token of the request.
    """

    def __init__(self, target: Target):
        self._target = target
        self._merchant = (target.base_url, target.tls_url, target.live_url)
        self._connections: dict[str, Connection] = {}
        # Steps may send at the same time.
        self._lock = threading.Lock()
        self._by_login: dict[tuple[str, str], ResponseValidator] = {}
        self._by_tag: dict[str, ResponseValidator] = {}
        self._errors: list[str] = []

    def around(self, asked: OutgoingRequest, send: SendRequest) -> Answer:
        """The answer to a request, compared."""
        answer = send()
        path = f"/{asked.path}"
        received = ReceivedAnswer(asked.method, path, answer.status, answer.headers, answer.body)
        validator = self._validator(asked)
        errors = validator.errors_of(received) if validator else []
        template = validator.operation_of(asked.method, path) if validator else None
        said = f"{asked.method} {template}, status {answer.status}"
        self._errors += [f"{said}: {error}" for error in errors]
        return answer

    def begin(self) -> None:
        """Forget what other test cases left."""
        self._errors.clear()

    def demand_described(self) -> None:
        """Fail where a response since `begin` differs. Raises ConformanceAssertionError."""
        errors = list(dict.fromkeys(self._errors))
        if errors:
            raise ConformanceAssertionError(
                "the responses obey the OpenAPI document of the target",
                expected=f"what {self._target.openapi_url} describes",
                came="; ".join(errors[:SHOWN_MAX]),
                beside="every other step of the scenario passed",
            )

    def _validator(self, asked: OutgoingRequest) -> ResponseValidator | None:
        """The validator of an interface, None where the target does not describe it."""
        if asked.base_url == self._target.control_url:
            return self._read(urljoin(self._target.control_url, "openapi.json"), "")
        if asked.base_url in self._merchant:
            return self._read(self._target.openapi_url, login_of(asked))
        return None

    def _read(self, url: str, login: str) -> ResponseValidator:
        """The validator of a document as it is under a login."""
        with self._lock:
            key = (url, login)
            if key not in self._by_login:
                self._by_login[key] = self._fetch(url, login)
            return self._by_login[key]

    def _fetch(self, url: str, login: str) -> ResponseValidator:
        """The same, read from the target; where it refuses the login, the document for anybody."""
        headers = {"Authorization": login} if login else {}
        if self._by_tag:
            headers["If-None-Match"] = ", ".join(self._by_tag)
        answer = self._connection_to(url).ask("GET", url.rpartition("/")[2], headers=headers)
        tag = answer.headers.get("etag", "")
        if answer.status == 304 and tag in self._by_tag:
            return self._by_tag[tag]
        if answer.status != 200 and login:
            return self._fetch(url, "")
        if not isinstance(answer.body, Mapping):
            raise ConformanceAssertionError(
                "the target publishes an OpenAPI document",
                expected=f"a document at {url}",
                came=f"status {answer.status}",
                beside="openapi_url of the target file is its address",
            )
        validator = ResponseValidator(answer.body)
        if tag:
            self._by_tag[tag] = validator
        return validator

    def _connection_to(self, url: str) -> Connection:
        folder = urljoin(url, "./")
        if folder not in self._connections:
            authority = self._target.ca_file or None
            self._connections[folder] = Connection(folder, ca_file=authority)
        return self._connections[folder]


def login_of(asked: OutgoingRequest) -> str:
    """The Authorization header of a request, or the one that stands for its older login (E11)."""
    headers = {name.lower(): value for name, value in asked.headers.items()}
    if "authorization" in headers:
        return headers["authorization"]
    query = urlsplit(asked.path).query
    sent = dict(parse_qsl((asked.body or b"").decode("utf-8", "replace")) + parse_qsl(query))
    return f"Bearer {sent[PASSWORD]}" if PASSWORD in sent else ""
