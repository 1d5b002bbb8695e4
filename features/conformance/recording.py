"""The exchanges of each step, masked before they are kept."""

import json
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, Literal
from urllib.parse import parse_qsl

from features.conformance.document_start import EDGE, LOOKED_AT_MAX, NOT_WHOLE, DocumentStart
from features.target.records import Target
from reports.events import RecordedExchange
from simulator.client import Answer, OutgoingRequest, SendRequest
from simulator.client.shown.masking import Masking

# Larger bodies and longer values are cut, to keep reports readable.
TEXT_LENGTH_MAX = 2_000
BODY_LENGTH_MAX = 8_000
SENT_MAX = 100
FORM = "application/x-www-form-urlencoded"

Surface = Literal["merchant", "control", "other"]


class ExchangeRecorder:
    """Records the exchanges of a conformance run until they are taken."""

    def __init__(self, target: Target):
        self.masking = Masking(*target.secrets)
        self._surfaces: dict[str, Surface] = dict.fromkeys(
            (target.base_url, target.tls_url, target.live_url), "merchant"
        )
        self._surfaces[target.control_url] = "control"
        self._kept: list[RecordedExchange] = []

    def around(self, asked: OutgoingRequest, send: SendRequest) -> Answer:
        """The answer to a request; both are recorded."""
        began = time.perf_counter()
        try:
            answer = send()
        except (OSError, HTTPException) as error:
            self._keep(asked, f"{type(error).__name__}: {error}", time.perf_counter() - began)
            raise
        self._keep(asked, answer, time.perf_counter() - began)
        return answer

    def taken(self) -> list[RecordedExchange]:
        """The exchanges since the last call, oldest first."""
        kept, self._kept = self._kept, []
        return kept

    def _keep(self, asked: OutgoingRequest, came: Answer | str, seconds: float) -> None:
        surface = self._surfaces.get(asked.base_url, "other")
        if isinstance(came, Answer) and surface == "control":
            self.masking.learn_from(came.body)
        self._learn_credentials(asked.headers)
        exchange = RecordedExchange(
            surface=surface,
            method=asked.method,
            path=self.masking.text(asked.path),
            sent=self._sent(asked),
            sent_headers=self._headers(asked.headers),
            ms=round(seconds * 1000, 1),
            **self._came(came),
        )
        self._kept.append(exchange)

    def _learn_credentials(self, headers: Mapping[str, str]) -> None:
        """Mask credentials that were presented: an answer may repeat them."""
        for name, value in headers.items():
            if name.lower() == "authorization":
                self.masking.learn(value.strip().partition(" ")[2].strip() or value.strip())

    def _came(self, came: Answer | str) -> dict[str, Any]:
        if isinstance(came, str):
            return {"error": self.masking.text(came)}
        return {
            "status": came.status,
            "headers": self._headers(came.headers),
            "body": self._body(came.body),
        }

    def _body(self, body: Any) -> Any:
        """What was answered, as it is shown: a target may answer what takes minutes to mask."""
        if isinstance(body, bytes):
            body = body.decode("utf-8", "replace")
        if isinstance(body, str):
            return self._text(body, BODY_LENGTH_MAX)
        beginning = DocumentStart(LOOKED_AT_MAX)
        looked_at = beginning.of(body)
        shown = self.masking.body(looked_at)
        written = json.dumps(shown)
        if beginning.is_cut:
            return f"{written[:BODY_LENGTH_MAX]}{NOT_WHOLE}"
        return cut(written, BODY_LENGTH_MAX) if len(written) > BODY_LENGTH_MAX else shown

    def _text(self, text: str, length: int) -> str:
        if len(text) <= LOOKED_AT_MAX:
            return cut(self.masking.text(text), length)
        begins = self.masking.text(text[:LOOKED_AT_MAX])[:-EDGE]
        return f"{begins[:length]}... ({len(text) - length} more characters)"

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name: cut(self.masking.value(name, text)) for name, text in headers.items()}

    def _sent(self, asked: OutgoingRequest) -> dict[str, str]:
        """The parameters of a form, the members of JSON, or the text of any other body."""
        pairs, shown = _pairs_of(asked), dict[str, str]()
        for name, value in pairs[:SENT_MAX]:
            key = self.masking.text(name)
            # A name may be sent twice, and that is then what the scenario is about.
            shown[f"{key} (again)" if key in shown else key] = self._value(name, value)
        left = len(pairs) - SENT_MAX
        return shown | {"...": f"{left} more parameters"} if left > 0 else shown

    def _value(self, name: str, value: Any) -> str:
        """What was sent under a name, as it is shown."""
        if isinstance(value, str) and len(value) > LOOKED_AT_MAX:
            begins = self.masking.value(name, value[:LOOKED_AT_MAX])[:-EDGE]
            left = len(value) - TEXT_LENGTH_MAX
            return f"{begins[:TEXT_LENGTH_MAX]}... ({left} more characters)"
        masked = self.masking.member(name, value)
        return cut(masked if isinstance(masked, str) else json.dumps(masked))


def cut(text: str, length: int = TEXT_LENGTH_MAX) -> str:
    """A text of at most about `length` signs, with a note where some are missing."""
    if text.endswith(NOT_WHOLE):
        return text.removesuffix(NOT_WHOLE)[:length] + NOT_WHOLE
    left = len(text) - length
    return f"{text[:length]}... ({left} more characters)" if left > 0 else text


def _pairs_of(asked: OutgoingRequest) -> list[tuple[str, Any]]:
    if not asked.body:
        return []
    text = asked.body.decode("utf-8", "replace")
    kinds = [value for name, value in asked.headers.items() if name.lower() == "content-type"]
    if any(kind.startswith(FORM) for kind in kinds):
        return list(parse_qsl(text, keep_blank_values=True, max_num_fields=None))
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return [("(body)", text)]
    return list(document.items()) if isinstance(document, dict) else [("(body)", document)]
