"""Where the console has no page, or a fault, a browser is shown a page in place of JSON."""

from collections.abc import Mapping
from typing import Any

from falcon import Request, Response

from simulator.domain.masking.masking import mask_text
from simulator.domain.ports.console import ConsolePorts
from simulator.web.console.rendering import load_templates
from simulator.web.console.resources import Refused, refusal, show_refusal
from simulator.web.http.errors import ShowError
from simulator.web.http.shopper_pages import wants_page

CONSOLE = "/console"
FAULT_STATUS_MIN = 500


def shown_by(console: ConsolePorts) -> ShowError:
    """Shows a browser at an address of the console the page of an error, and others nothing."""

    def show(req: Request, resp: Response, status: int, body: Mapping[str, Any]) -> None:
        if f"{req.path}/".startswith(f"{CONSOLE}/") and wants_page(req):
            load_templates(console.server.aside)
            show_refusal(resp, _refused(status, body))
            resp.set_header("Vary", "Accept")

    return show


def _refused(status: int, body: Mapping[str, Any]) -> Refused:
    """What the page of an error says; `body` is its answer to a program."""
    if status == 404:
        return refusal(status, "unknown")
    if status == 405:
        return refusal(status, "form")
    if status >= FAULT_STATUS_MIN:
        return refusal(status, "fault", ndc=body["ndc"])
    result = body["result"]
    return refusal(status, "refused", code=result["code"], reason=mask_text(result["description"]))
