"""/console/sign-in, /console/sign-out, /console/invitations: the pages around all others."""

import re
from urllib.parse import quote, unquote

from falcon import Request, Response

from simulator.catalogue.console_words import plain, say
from simulator.domain.console.people import PASSWORD_LENGTH_MIN, Invitation
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.classes import current_classes
from simulator.service.console.sign_in import (
    WrongPasswordError,
    accept_invitation,
    has_administrator,
    invitation_of,
    sign_in,
    sign_out,
    signed_in,
)
from simulator.web.console.rendering import ShownPage, show_page
from simulator.web.console.resources import SIGN_IN, move, with_errors
from simulator.web.console.visits import (
    ConsoleReach,
    UnsafeConnectionError,
    class_in,
    form_in,
    holds_unshown,
    secret_in,
    set_secret,
)

HOME = "/console"
INVITATIONS = "/console/invitations"
UPWARDS = {".", ".."}


class SignInResource:
    """/console/sign-in and /console/sign-out"""

    def __init__(self, console: ConsolePorts, reach: ConsoleReach):
        self._console, self._reach = console, reach

    def on_get(self, req: Request, resp: Response) -> None:
        """The form."""
        with_errors(self._console, resp, lambda: self._show(req, resp))

    def on_post(self, req: Request, resp: Response) -> None:
        """Sign in, and go on to the page that was asked for."""
        with_errors(self._console, resp, lambda: self._sign_in(req, resp))

    def on_post_out(self, req: Request, resp: Response) -> None:
        """Sign out. A foreign page cannot: its request comes without the cookie."""
        with_errors(self._console, resp, lambda: self._sign_out(req, resp))

    def _show(self, req: Request, resp: Response) -> None:
        self._reach.refuse_unsafe(req)
        self._ask(req, resp, inside(str(req.get_param("next") or "")), is_wrong=False)

    def _sign_in(self, req: Request, resp: Response) -> None:
        self._reach.refuse_unsafe(req)
        form = form_in(req, self._reach)
        name, onward = form.get("name", "").strip(), inside(form.get("next", ""))
        try:
            begun = sign_in(self._console, name, form.get("password", ""))
        except WrongPasswordError:
            self._ask(req, resp, onward, is_wrong=True)
            return
        set_secret(req, resp, self._reach, begun.secret)
        move(resp, onward)

    def _ask(self, req: Request, resp: Response, onward: str, *, is_wrong: bool) -> None:
        """The form again without the name: what was typed as one may be the password."""
        came_to = class_in(req, self._reach)
        classes = current_classes(self._console)
        values = {
            "next": onward,
            "is_over": bool(came_to) and all(each.id != came_to for each in classes),
            "is_wrong": is_wrong,
            "has_people": bool(self._console.people.people()),
            "has_classes": bool(classes),
        }
        show_page(resp, ShownPage("sign_in.html", values, 403 if is_wrong else 200))

    def _sign_out(self, req: Request, resp: Response) -> None:
        self._reach.refuse_unsafe(req)
        form_in(req, self._reach)
        signed = signed_in(self._console, secret_in(req, self._reach))
        if signed is not None:
            sign_out(self._console, signed.sign_in)
        set_secret(req, resp, self._reach, None)
        move(resp, SIGN_IN)


class InvitationResource:
    """/console/invitations/{secret}"""

    def __init__(self, console: ConsolePorts, reach: ConsoleReach):
        self._console, self._reach = console, reach

    def on_get(self, req: Request, resp: Response, secret: str) -> None:
        """The form in which a person chooses a password."""
        with_errors(self._console, resp, lambda: self._show(req, resp, secret, ""))

    def on_post(self, req: Request, resp: Response, secret: str) -> None:
        """Join, and be signed in."""
        with_errors(self._console, resp, lambda: self._join(req, resp, secret))

    def _show(self, req: Request, resp: Response, secret: str, problem: str) -> None:
        self._reach.refuse_unsafe(req)
        invitation = self._invitation(req, secret)
        values = {
            "invitation": invitation,
            "path": f"{INVITATIONS}/{quote(secret, safe='')}",
            "problem": problem,
            "name_said": plain("errors.person_name"),
            "length_min": PASSWORD_LENGTH_MIN,
        }
        show_page(resp, ShownPage("invitation.html", values, 400 if problem else 200))

    def _join(self, req: Request, resp: Response, secret: str) -> None:
        self._reach.refuse_unsafe(req)
        self._invitation(req, secret)
        form = form_in(req, self._reach)
        name, password = form.get("name", "").strip(), form.get("password", "")
        try:
            begun = accept_invitation(self._console, secret, name, password)
        except InvalidInputError as error:
            self._show(
                req,
                resp,
                secret,
                say("errors.expected", where=error.where, expected=error.expected),
            )
            return
        set_secret(req, resp, self._reach, begun.secret)
        move(resp, HOME)

    def _invitation(self, req: Request, secret: str) -> Invitation:
        found = invitation_of(self._console, secret)
        is_first = not self._console.people.people() or not (
            found.name or has_administrator(self._console)
        )
        if is_first and not self._reach.is_of_this_machine(req):
            # Who makes the first administrator sits at this machine.
            raise UnsafeConnectionError
        return found


def inside(path: str) -> str:
    """The page of the console to go on to; any other address is not followed, nor is one that holds
    a card number or a secret.
    """
    if holds_unshown(path):
        return HOME
    is_inside = path == HOME or path.startswith((f"{HOME}/", f"{HOME}?"))
    # A browser climbs at a segment of dots, also at one that is escaped.
    climbs = not UPWARDS.isdisjoint(unquote(re.split("[?#]", path)[0]).split("/"))
    return path if is_inside and not climbs and "\\" not in path and path.isprintable() else HOME
