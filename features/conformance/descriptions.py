"""Whether the responses of a run obey the OpenAPI documents that the target itself publishes."""

import threading
from http.client import HTTPException
from urllib.parse import parse_qsl, urljoin, urlsplit

from features.support.assertions import ConformanceAssertionError
from features.target.records import Target
from simulator.client import Answer, Connection, OutgoingRequest, SendRequest
from simulator.client.browser import BY_TARGET_FILE, failure_reason
from simulator.client.openapi import FaultyDocumentError, ReceivedAnswer, ResponseValidator

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
        self._by_login: dict[tuple[str, str], ResponseValidator | FaultyDocumentError] = {}
        self._by_tag: dict[str, ResponseValidator] = {}
        self._errors: list[str] = []
        # By the address of a document, what is wrong with it.
        self._faults: dict[str, str] = {}

    def around(self, asked: OutgoingRequest, send: SendRequest) -> Answer:
        """The answer to a request, compared."""
        answer = send()
        url = self._url_for(asked)
        if url:
            try:
                self._compare(url, asked, answer)
            except FaultyDocumentError as error:
                self._faults[url] = str(error)
        return answer

    def _compare(self, url: str, asked: OutgoingRequest, answer: Answer) -> None:
        """Keep what differs from a document. Raises FaultyDocumentError."""
        login = "" if asked.base_url == self._target.control_url else login_of(asked)
        validator, path = self._read(url, login), f"/{asked.path}"
        received = ReceivedAnswer(asked.method, path, answer.status, answer.headers, answer.body)
        errors = validator.errors_of(received)
        template = validator.operation_of(asked.method, path)
        said = f"{asked.method} {template}, status {answer.status}"
        self._errors += [f"{said}: {error}" for error in errors]

    def begin(self) -> None:
        """Forget what other test cases left; a document that was faulty is read once more."""
        self._errors.clear()
        self._faults.clear()
        read = self._by_login.items()
        self._by_login = {key: it for key, it in read if isinstance(it, ResponseValidator)}

    def demand_described(self) -> None:
        """Fail where a response since `begin` differs, or its document cannot be read. Raises
        ConformanceAssertionError.
        """
        for url, wrong in self._faults.items():
            raise ConformanceAssertionError(
                "the OpenAPI document of the target can be read",
                expected=f"a document of OpenAPI 3 at {url}",
                came=wrong,
                beside="every step of the scenario passed; no answer was compared with it",
            )
        errors = list(dict.fromkeys(self._errors))
        if errors:
            raise ConformanceAssertionError(
                "the responses obey the OpenAPI document of the target",
                expected=f"what {self._target.openapi_url} describes",
                came="; ".join(errors[:SHOWN_MAX]),
                beside="every other step of the scenario passed",
            )

    def _url_for(self, asked: OutgoingRequest) -> str:
        """Where an interface is described; empty where the target does not describe it."""
        if asked.base_url == self._target.control_url:
            return urljoin(self._target.control_url, "openapi.json")
        return self._target.openapi_url if asked.base_url in self._merchant else ""

    def _read(self, url: str, login: str) -> ResponseValidator:
        """The validator of a document as it is under a login. Raises FaultyDocumentError."""
        with self._lock:
            key = (url, login)
            if key not in self._by_login:
                try:
                    self._by_login[key] = self._fetch(url, login)
                except FaultyDocumentError as error:
                    self._by_login[key] = error
            found = self._by_login[key]
        if isinstance(found, FaultyDocumentError):
            raise found
        return found

    def _fetch(self, url: str, login: str) -> ResponseValidator:
        """The same, read from the target; where it refuses the login, the document for anybody.
        Raises FaultyDocumentError.
        """
        headers = {"Authorization": login} if login else {}
        if self._by_tag:
            headers["If-None-Match"] = ", ".join(self._by_tag)
        try:
            answer = self._connection_to(url).ask("GET", url.rpartition("/")[2], headers=headers)
        except (OSError, HTTPException) as error:
            reason = failure_reason(error, trust=BY_TARGET_FILE)
            raise FaultyDocumentError(f"no answer: {reason}") from None
        tag = answer.headers.get("etag", "")
        if answer.status == 304 and tag in self._by_tag:
            return self._by_tag[tag]
        if answer.status != 200 and login:
            return self._fetch(url, "")
        if answer.status != 200 or isinstance(answer.body, bytes | None):
            kind = "" if answer.status != 200 else ", no JSON"
            raise FaultyDocumentError(f"status {answer.status}{kind}")
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
