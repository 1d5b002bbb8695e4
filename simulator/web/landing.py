"""/: what this is and where to go on, for people a page, for programs JSON."""

from collections.abc import Mapping
from html import escape

from falcon import Request, Response

from simulator.domain.merchants.credentials import CurrentAccess
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import exchange_of
from simulator.web.http.page import page_of
from simulator.web.shown_access import ShownAccess, way_to_a_token
from simulator.web.trials import show_whole, trial_buttons

FOUND = "000.000.100"
# fmt: off
LINKS: Mapping[str, tuple[str, str]] = {
    "console":           ("console",                          "See payments: the console"),
    "docs":              ("docs",                             "Try the merchant API"),
    "control_docs":      ("_sandbox/docs",                    "Try the control API"),
    "reference":         ("reference",                        "Every parameter and result code"),
    "openapi":           ("openapi.json",                     "OpenAPI of the merchant API"),
    "control_openapi":   ("_sandbox/openapi.json",            "OpenAPI of the control API"),
    "behaviour_schema":  ("_sandbox/behaviour.schema.json",   "JSON Schema of behaviours"),
    "health":            ("_sandbox/health",                  "Health"),
}
# fmt: on
FIRST_PAYMENT = (
    "amount=92.00",
    "currency=EUR",
    "paymentType=DB",
    "paymentBrand=VISA",
    "card.number=4200000000000000",
    "card.holder=Jane Jones",
    "card.expiryMonth=05",
    "card.expiryYear=2034",
    "card.cvv=123",
)  # fmt: skip


class LandingResource:
    """/; `shown` has the credentials it may show, none where other machines reach the gateway."""

    def __init__(self, shown: ShownAccess):
        self._shown = shown

    def on_get(self, req: Request, resp: Response) -> None:
        """A page for a browser, addresses for a program."""
        resp.set_header("Vary", "Accept")
        if "text/html" not in (req.get_header("Accept") or "").lower():
            links = {name: f"{req.prefix}/{path}" for name, (path, _) in LINKS.items()}
            send(resp, 200, {"links": links, **result_body(exchange_of(req), FOUND)})
            return
        body = _body(req, self._shown)
        show_whole(resp, page_of("Sandgate", body, form_action="'self'"))


def _body(req: Request, shown: ShownAccess) -> str:
    trials, credentials = _sides(req, shown)
    links = "".join(f'<li><a href="{path}">{said}</a></li>' for path, said in LINKS.values())
    return (
        "<h1>Sandgate</h1><p>A payment gateway to test against. No money moves here.</p>"
        f'<div class="sides"><section>{trials}<h2>Go on</h2><ul>{links}</ul></section>'
        f"<section>{credentials}</section></div>"
    )


def _sides(req: Request, shown: ShownAccess) -> tuple[str, str]:
    """What may be tried, and the credentials or where to get them."""
    if not shown.is_shown(req):
        return "", SECRET
    access = shown.now()
    if access is None or not access.token:
        return "", f"<h2>Credentials</h2>{way_to_a_token(access)}"
    return FIRST + trial_buttons(), _credentials(req.prefix, access)


FIRST = (
    "<h2>Take a first payment</h2>"
    '<p class="quiet">Each button sends one request, and shows every message behind it.</p>'
)


SECRET = '<p class="quiet"><code>sandgate serve</code> printed the credentials.</p>'


def _credentials(address: str, access: CurrentAccess) -> str:
    rows = "".join(
        f"<dt>{title}</dt><dd><code>{escape(value)}</code></dd>"
        for value, title in ((access.token, "Access token"), (access.entity_id, "Entity id"))
    )
    parameters = (f"entityId={access.entity_id}", *FIRST_PAYMENT)
    sent = " \\\n".join(f"  -d '{each}'" for each in parameters)
    command = (
        f"curl {address}/v1/payments \\\n  -H 'Authorization: Bearer {access.token}' \\\n{sent}"
    )
    return (
        f"<h2>Credentials</h2><dl>{rows}</dl><h2>A first payment</h2>"
        f"<pre>{escape(command)}</pre>"
        '<p class="quiet">Shown because only this machine reaches the gateway. The control key is '
        "what <code>sandgate serve</code> printed.</p>"
    )
