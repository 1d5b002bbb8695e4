"""The link to the directory server of 3-D Secure, over HTTP, and signatures under its root.

Nothing is tried again: an authentication that got no answer is refused. Choices: D-194, D-197.
"""

import json
import ssl
from base64 import b64decode, urlsafe_b64decode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import gevent
import msgspec
from gevent.hub import get_hub
from geventhttpclient import HTTPClient
from geventhttpclient.response import HTTPParseError

from simulator.adapters.turns import OWNER, OwnersTurns
from simulator.domain.core.errors import NoResponseError, SignatureError

# Wire time. The directory server itself gives up before this.
ANSWER_S = 40.0
CONNECT_S = 5.0
ANSWER_BYTES_MAX = 64 * 1024
# The chain of certificates is in the header.
HEADER_BYTES_MAX = 16 * 1024
# Each holds a connection, also where a script withholds its answer.
CONNECTIONS_MAX = 1000
# So many messages are on their way to an answer at once, and one of a sandbox. One that takes
# longer than usual waits for something else, such as a script, and is not counted.
AT_ONCE, USUAL_S = 4, 0.1
ALGORITHMS = ["PS256", "ES256"]
JSON_HEADERS = {"Content-Type": "application/json;charset=UTF-8"}


class ThreeDSecureLink:
    """Implements ports.DirectoryServer. `url` ends with a slash; without one no request is
    answered.

    `ca` is the authority that is trusted where the address is https; `key` says whose messages
    these are.
    """

    def __init__(
        self,
        url: str = "",
        *,
        ca: Path | None = None,
        key: str = "",
        answer_s: float = ANSWER_S,
        usual_s: float = USUAL_S,
    ):
        self._ca = ca
        self._headers = {**JSON_HEADERS, "Authorization": f"Bearer {key}"}
        self._answer_s, self._usual_s = answer_s, usual_s
        self._turns = OwnersTurns(AT_ONCE)
        self._client: HTTPClient | None = None
        self._root: Any = None
        self._path = ""
        self.move(url)

    def move(self, url: str) -> None:
        """From here on the directory server is reached there."""
        self.close()
        self._root = None
        if not url:
            return
        parts = urlsplit(url)
        self._path = parts.path
        self._client = HTTPClient(
            parts.hostname or "",
            parts.port,
            connection_timeout=CONNECT_S,
            network_timeout=self._answer_s,
            concurrency=CONNECTIONS_MAX,
            ssl=parts.scheme == "https",
            ssl_context_factory=self._trusting,
        )

    def close(self) -> None:
        """Close its connections."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def ask(self, what: Literal["lookup", "areq"], message: Mapping[str, Any]) -> bytes:
        """The body of its answer. Raises NoResponseError."""
        return self._asked("POST", f"ds/{what}", msgspec.json.encode(message))

    def signed(self, content: str) -> Mapping[str, Any]:
        """What a JWS says that was signed under its root certificate. Raises SignatureError,
        NoResponseError.
        """
        if self._root is None:
            self._root = _certificate(self._asked("GET", "ds/certificate", b""))
        return verified(content, self._root, now=datetime.now(UTC))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for a turn of the sandbox, which ends after the usual time at the latest: all that
        are sent stand in one row at the directory server. Choice: D-696.
        """
        with ExitStack() as turn:
            turn.enter_context(self._turns.taken(OWNER.get()))
            over = get_hub().loop.timer(self._usual_s)
            over.start(turn.close)
            try:
                yield
            finally:
                over.close()

    def _trusting(self, *_: object, **__: object) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self._ca)

    def _asked(self, method: str, path: str, body: bytes) -> bytes:
        client = self._client
        if client is None:
            raise NoResponseError("there is no directory server")
        try:
            with (
                gevent.Timeout(self._answer_s, TimeoutError("no answer in time")),
                self._turn(),
                client.request(method, f"{self._path}{path}", body, self._headers) as answer,
            ):
                found, status = bytes(answer.read(ANSWER_BYTES_MAX + 1)), answer.status_code
        except (OSError, HTTPParseError, ValueError) as error:
            why = f"the directory server did not answer: {type(error).__name__}"
            raise NoResponseError(why) from error
        if status != 200 or len(found) > ANSWER_BYTES_MAX:
            raise NoResponseError(f"the directory server answered {status}, {len(found)} bytes")
        return found


def verified(content: str, root: Any, *, now: datetime) -> Mapping[str, Any]:
    """The content of a JWS in compact form whose first certificate `root` signed. Raises
    SignatureError.
    """
    # Imported at the first challenge: a server that meets none starts without them.
    from cryptography.exceptions import InvalidSignature
    from cryptography.x509 import load_der_x509_certificate
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        header = json.loads(_unpacked(content.split(".")[0]))
        leaf = load_der_x509_certificate(b64decode(header["x5c"][0]))
        leaf.verify_directly_issued_by(root)
        _refuse_outdated(leaf, now)
        key = _public_key(leaf)
        registry = jws.JWSRegistry(algorithms=ALGORITHMS)
        registry.max_header_length = HEADER_BYTES_MAX
        content_read = json.loads(jws.deserialize_compact(content, key, registry=registry).payload)
    except (InvalidSignature, JoseError, ValueError, TypeError, LookupError) as error:
        raise SignatureError(f"not signed under the root: {type(error).__name__}") from error
    if not isinstance(content_read, dict):
        raise SignatureError("what was signed is no object")
    return content_read


def _refuse_outdated(leaf: Any, now: datetime) -> None:
    if not leaf.not_valid_before_utc <= now <= leaf.not_valid_after_utc:
        raise SignatureError("the certificate is out of date")


def _public_key(leaf: Any) -> Any:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from joserfc.jwk import ECKey, RSAKey

    found = leaf.public_key()
    text = found.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    return (ECKey if isinstance(found, EllipticCurvePublicKey) else RSAKey).import_key(text)


def _certificate(pem: bytes) -> Any:
    from cryptography.x509 import load_pem_x509_certificate

    try:
        return load_pem_x509_certificate(pem)
    except ValueError as error:
        raise NoResponseError("the directory server gave no certificate") from error


def _unpacked(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
