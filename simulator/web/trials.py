"""/try/{name}: a first payment by a button, its result and its trace on one page. Choice: D-491."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape

from falcon import Request, Response

from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.trials import SHOP_PATH, TRIALS, FirstPayment, try_payment
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.own_names import is_from_here
from simulator.web.http.page import Page, page_of
from simulator.web.http.route import Route

SHOP = (
    "<h1>Back in the shop</h1><p>A shop would now read the result of the payment with the id in "
    'the address of this page.</p><p><a href="/">Go on</a></p>'
)


class TrialResource:
    """/try/{name}; nothing can be tried where other machines reach the gateway."""

    def __init__(self, console: ConsolePorts, *, is_open: bool):
        self._console, self._is_open = console, is_open

    def on_post(self, req: Request, resp: Response, name: str) -> None:
        """Take a first payment, and show what came of it."""
        if not self._is_open:
            raise ForbiddenError("first payments are tried from this machine alone")
        _refuse_foreign(req)
        trial = try_payment(self._console, name, f"{req.prefix}{SHOP_PATH}")
        show_whole(resp, page_of("A first payment", _body(trial), form_action="'self'"))


class ShopResource:
    """/lessons/shop: where the shoppers of trials and lessons come back to."""

    def on_get(self, req: Request, resp: Response) -> None:
        """A page that says so; the console shows it in a frame."""
        page = page_of("The shop", SHOP)
        own = page.policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        show_whole(resp, page._replace(policy=own))


def routes(console: ConsolePorts, shown: Mapping[str, str]) -> tuple[Route, ...]:
    """The rows of these paths; `shown` are the credentials that pages may show."""
    return (
        Route("/try/{name}", TrialResource(console, is_open=bool(shown))),
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
    drawn = f"data:image/svg+xml;base64,{b64encode(trial.picture.encode()).decode()}"
    payment = f"/console/{trial.sandbox}/payments/{trial.payment}"
    onward = ""
    if trial.redirect:
        onward = f'<p><a href="{escape(trial.redirect)}">Answer as the shopper</a></p>'
    return (
        f"<h1>{escape(trial.code)}</h1><p>{escape(trial.description)}</p>{onward}"
        '<div class="picture" tabindex="0" role="region" aria-label="Messages">'
        f'<img alt="Every message of this payment" src="{drawn}"></div>'
        f'<p><a href="{escape(payment)}">The payment in the console</a></p>'
        f'{trial_buttons()}<p><a href="/">Back</a></p>'
    )
