"""/try/{name}: a first payment by a button, its result and its trace on one page. Choice: D-491."""

from base64 import b64encode
from html import escape

from falcon import Request, Response

from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.trials import (
    SHOP_PATH,
    TRIALS,
    FirstPayment,
    NoActiveTokenError,
    try_payment,
)
from simulator.service.sandboxes.sandboxes import UnknownSandboxError
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.own_names import is_from_here
from simulator.web.http.page import Page, page_of
from simulator.web.http.route import Route
from simulator.web.shown_access import ShownAccess, way_to_a_token

SHOP = (
    "<h1>Back in the shop</h1><p>A shop would now read the result of the payment with the id in "
    'the address of this page.</p><p><a href="/">Go on</a></p>'
)


class TrialResource:
    """/try/{name}; nothing can be tried where other machines reach the gateway."""

    def __init__(self, console: ConsolePorts, shown: ShownAccess):
        self._console, self._shown = console, shown

    def on_post(self, req: Request, resp: Response, name: str) -> None:
        """Take a first payment, and show what came of it, or what is to be done before."""
        if not self._shown.is_open:
            raise ForbiddenError("first payments are tried from this machine alone")
        _refuse_foreign(req)
        try:
            body = _body(try_payment(self._console, name, f"{req.prefix}{SHOP_PATH}"))
        except NoActiveTokenError:
            resp.status, body = 403, self._unpaid("No access token is active")
        except UnknownSandboxError:
            resp.status, body = 404, self._unpaid("There is no sandbox to pay in")
        show_whole(resp, page_of("A first payment", body, form_action="'self'"))

    def _unpaid(self, said: str) -> str:
        """Why no payment was made, and the way on."""
        return f'<h1>{said}</h1>{way_to_a_token(self._shown.now())}<p><a href="/">Back</a></p>'


class ShopResource:
    """/lessons/shop: where the shoppers of trials and lessons come back to."""

    def on_get(self, req: Request, resp: Response) -> None:
        """A page that says so; the console shows it in a frame."""
        page = page_of("The shop", SHOP)
        own = page.policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        show_whole(resp, page._replace(policy=own))


def routes(console: ConsolePorts, shown: ShownAccess) -> tuple[Route, ...]:
    """The rows of these paths; `shown` has the credentials that pages may show."""
    return (
        Route("/try/{name}", TrialResource(console, shown)),
        Route(SHOP_PATH, ShopResource()),
    )


def trial_buttons() -> str:
    """A button for each first payment."""
    buttons = "".join(
        f'<button formaction="/try/{name}">{row.said}</button>' for name, row in TRIALS.items()
    )
    return f'<form method="post" class="tries">{buttons}</form>'


def show_whole(resp: Response, page: Page) -> None:
    """Answer with a page that is whole in itself."""
    resp.content_type = "text/html; charset=utf-8"
    resp.text = page.html
    resp.set_header("Content-Security-Policy", page.policy)
    # With "no-referrer" a browser would send its own forms with the origin "null".
    resp.set_header("Referrer-Policy", "same-origin")


def _refuse_foreign(req: Request) -> None:
    """Refuse the button of another site. Raises ForbiddenError."""
    origin, site = req.get_header("Origin"), req.get_header("Sec-Fetch-Site")
    if (
        not is_from_here(req)
        or origin not in (None, req.prefix)
        or site not in (None, "same-origin", "none")
    ):
        raise ForbiddenError("the button of another site")


def _body(trial: FirstPayment) -> str:
    onward = ""
    if trial.redirect:
        onward = f'<p><a href="{escape(trial.redirect)}">Answer as the shopper</a></p>'
    return (
        f"<h1>{escape(trial.code)}</h1><p>{escape(trial.description)}</p>{onward}"
        f'{_messages(trial)}{trial_buttons()}<p><a href="/">Back</a></p>'
    )


def _messages(trial: FirstPayment) -> str:
    """The messages of the payment; where the request made none, the journal that has it."""
    if not trial.payment:
        journal = f"/console/{escape(trial.sandbox)}/journal"
        return (
            "<p>The request was refused, and no payment was made. "
            f'<a href="{journal}">The journal in the console</a></p>'
        )
    drawn = f"data:image/svg+xml;base64,{b64encode(trial.picture.encode()).decode()}"
    payment = f"/console/{trial.sandbox}/payments/{trial.payment}"
    return (
        '<div class="picture" tabindex="0" role="region" aria-label="Messages">'
        f'<img alt="Every message of this payment" src="{drawn}"></div>'
        f'<p><a href="{escape(payment)}">The payment in the console</a></p>'
    )
