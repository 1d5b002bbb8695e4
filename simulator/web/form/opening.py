"""/form/{checkout}/open: what the hidden frame of a form is answered when it opens.

A browser alone may ask, from a page of the gateway itself: the answer holds what lets it post once.
Choices: D-131, D-312.
"""

from falcon import Request, Response

from simulator.catalogue.form_words.languages import language_of
from simulator.domain.core.errors import UnknownCheckoutError
from simulator.domain.ports.server import Registry
from simulator.service.checkouts.forms import FormWish, open_form
from simulator.service.checkouts.standing import Standing, checkout_page
from simulator.web.form.checkouts import checkout_of_page
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import UnopenedFormError
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import Form, form_in

OPENED = "000.200.000"


class OpeningResource:
    """/form/{checkout}/open"""

    def __init__(self, registry: Registry):
        self._registry = registry

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Open the form of a checkout. Raises ForbiddenError, UnopenedFormError,
        ThrottledError.
        """
        wish, said = _wish_in(form_in(req)), "expired"
        try:
            with checkout_of_page(self._registry, req, identity) as (ports, checkout):
                if checkout_page(ports, checkout).standing is Standing.PAID:
                    said = "alreadyPaid"
                shown = open_form(ports, checkout, wish)
        except UnknownCheckoutError as error:
            raise UnopenedFormError(language_of(wish.locale), said) from error
        send(resp, 200, {**result_body(exchange_of(req), OPENED), **shown})


def _wish_in(form: Form) -> FormWish:
    """Which words the form wants; what is sent twice is not sent."""
    locale = form.get("locale", "")
    return FormWish(
        locale=locale if isinstance(locale, str) else "",
        has_countries=form.get("countries") == "true",
    )


def routes(registry: Registry) -> tuple[Route, ...]:
    """The row of this path."""
    return (Route("/form/{identity}/open", OpeningResource(registry)),)
