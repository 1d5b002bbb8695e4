"""JSON posted to a server of the gateway, and its answer: messages of 3DS server, directory
server, ACS.

Unlike links of notifications, what came back is read. A connection a message: they are rare.
"""

import logging
import ssl
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from simulator.client.transport.links import plain_link, tls_link
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.webhooks.targets import WebhookUrl, parse_webhook_url

LOG = logging.getLogger("sandgate.3ds")
ANSWER_BYTES_MAX = 64 * 1024
ANSWER_S = 10.0
OK = 200
JSON_TYPE = "application/json;charset=UTF-8"


class JsonLink:
    """Posts to http and https addresses; of https it trusts the machine's authorities and `ca`."""

    __slots__ = ("_answer_s", "_ca", "_context")

    def __init__(self, *, ca: Path | None = None, answer_s: float = ANSWER_S):
        self._ca = ca
        self._answer_s = answer_s
        self._context: ssl.SSLContext | None = None

    def post(self, url: str, body: bytes) -> bytes | None:
        """The body of a 200 answer within ten seconds of wire time; None for anything else."""
        try:
            target = parse_webhook_url(url)
            connection = self._connection_to(target)
            try:
                connection.request("POST", target.path, body, {"Content-Type": JSON_TYPE})
                answer = connection.getresponse()
                content = answer.read(ANSWER_BYTES_MAX + 1)
            finally:
                connection.close()
        except (OSError, HTTPException, InvalidInputError) as error:
            LOG.info("no answer: %s", type(error).__name__)
            return None
        return content if answer.status == OK and len(content) <= ANSWER_BYTES_MAX else None

    def _connection_to(self, target: WebhookUrl) -> HTTPConnection:
        if target.scheme == "http":
            return plain_link(target.host, target.port, timeout=self._answer_s)
        if self._context is None:
            self._context = ssl.create_default_context()
            if self._ca is not None and self._ca.exists():
                self._context.load_verify_locations(self._ca)
        return tls_link(target.host, target.port, timeout=self._answer_s, context=self._context)
