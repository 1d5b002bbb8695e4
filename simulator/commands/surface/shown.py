"""What a command shows of the answers of a gateway: another server may be there, which masks
nothing. They are masked as they come, before a command makes lines of them. Choice: D-697.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from simulator.client.pictures import checked_picture
from simulator.client.wire import Answer, OutgoingRequest, SendRequest
from simulator.domain.masking.masking import mask_explanation, mask_text, masked_wholly
from simulator.domain.masking.sure_numbers import mask_sure_numbers

Mask = Callable[[str], str]
# Calls whose answers are used as they are printed: credentials, and events with references of the
# merchant (D-107).
USED = re.compile(
    r"POST (?:sandboxes|people|sandboxes/[^/]+/(?:webhooks(?:/[^/]+/activate)?|terminals"
    r"|wallet/tokens|checkouts/[^/]+/capability))"
    r"|GET sandboxes/[^/]+/inbox"
)
# Calls that repeat what merchants sent, under the names of their parameters.
SENT = re.compile(r"GET (?:sandboxes/[^/]+/)?(?:journal(?:/[^/]+)?|payments/[^/]+/trace[.a-z]*)")
PICTURE = "image/svg+xml"


def masking_answers(request: OutgoingRequest, send: SendRequest) -> Answer:
    """An answer of the control API as it may be shown. Raises ControlError for a picture that no
    gateway draws.
    """
    answer = send()
    call = f"{request.method} {request.path.partition('?')[0]}"
    is_sent = SENT.fullmatch(call) is not None
    if isinstance(answer.body, bytes):
        mask = mask_text if is_sent else mask_explanation
        is_picture = answer.headers.get("content-type", "").startswith(PICTURE)
        shown = checked_picture if is_picture else _masked_lines
        return replace(answer, body=shown(answer.body.decode(errors="replace"), mask).encode())
    if USED.fullmatch(call):
        return replace(answer, body=masked_for_use(answer.body))
    body = _masked(answer.body, mask_explanation)
    return replace(answer, body=masked_wholly(body) if is_sent else body)


def masked_for_use(document: Any) -> Any:
    """A document that is used as it is printed, without the numbers of cards."""
    return _masked(document, mask_sure_numbers)


def masked_line_for_use(line: str) -> str:
    """A line likewise; JSON stays JSON, to the letter where nothing is masked."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return mask_sure_numbers(line)
    shown = masked_for_use(document)
    return line if shown == document else json.dumps(shown, ensure_ascii=False)


def _masked_lines(text: str, mask: Mask) -> str:
    return "".join(map(mask, text.splitlines(keepends=True)))


def _masked(value: Any, mask: Mask) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {mask(name): _masked(each, mask) for name, each in value.items()}
    if isinstance(value, list):
        return [_masked(each, mask) for each in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    # The figures of a gateway stay figures.
    number = mask_sure_numbers(str(value))
    return value if number == str(value) else number
