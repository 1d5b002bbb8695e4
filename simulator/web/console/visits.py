"""Who visits a page of the console: cookies, forms, and from where it may be opened at all."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import unquote_plus

from falcon import Request, Response
from falcon.uri import parse_query_string

from simulator.domain.console.rights import Right, rights_of
from simulator.domain.core.background import Aside
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.hosts import Host
from simulator.domain.masking.masking import mask_text, takes_long
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.sandbox import Ports
from simulator.service.console.classes import is_of_training, shown_name
from simulator.service.console.sign_in import SignedIn, is_as_before
from simulator.service.sandboxes.sandboxes import UnknownSandboxError, sandbox_with
from simulator.web.http.forms import read_body, refuse_coded
from simulator.web.http.own_names import is_own_name, is_passed_on, leads_home

FORM_BYTES_MAX = 16 * 1024
HOST_PREFIX, COOKIE = "__Host-", "sandgate-console"
# Which class a browser came to, so that its end can be said when the sign-in is gone.
CLASS_COOKIE = "sandgate-class"
FORWARDED = "X-Forwarded-Proto"
SECRET_LENGTH_MAX = 100
LONG_OVER = datetime(1970, 1, 1, tzinfo=UTC)


class ForeignFormError(Exception):
    """A form that no page of the console has sent."""


class UnsafeConnectionError(Exception):
    """The console is asked for in plain text from another machine; `url` is where it is open to
    that, or empty.
    """

    def __init__(self, url: str = ""):
        super().__init__(url)
        self.url = url


class ForeignNameError(Exception):
    """The console is asked for under a name that may be that of a site. Choice: D-633."""


class NoRightError(Exception):
    """A person whose role does not allow this."""


class OutsideTrainingError(NoRightError):
    """A trainer who would act in a sandbox of neither a lesson nor a class."""


class OwnSandboxError(NoRightError):
    """A participant of a class who would go elsewhere than to the pages of their sandbox."""


class ReadOnlyHostError(Exception):
    """A change on the live host, which the person has not allowed."""


class ConsoleReach(NamedTuple):
    """Whether other machines reach the gateway, the address of the proxy that speaks https to them,
    if there is one, the own addresses of this machine beside loopback, and where other machines
    open the console. Choice: D-496.
    """

    is_open_to_others: bool
    proxy: str | None = None
    own: tuple[str, ...] = ()
    shared_url: Callable[[], str] = str

    def is_secure(self, req: Request) -> bool:
        """Whether no one between reads what is sent."""
        if req.scheme == "https":
            return True
        return self._is_from_proxy(req) and req.get_header(FORWARDED) == "https"

    def refuse_unsafe(self, req: Request) -> None:
        """Raise UnsafeConnectionError for plain text that did not stay on this machine,
        ForeignNameError where it was sent to a name that a site may have.
        """
        is_local = not self.is_open_to_others and self.is_of_this_machine(req)
        if not is_local and not self.is_secure(req):
            url = self.shared_url().rstrip("/")
            raise UnsafeConnectionError(f"{url}/console" if url else "")
        if is_local and not self.is_secure(req) and not is_own_name(req):
            raise ForeignNameError

    def is_of_this_machine(self, req: Request) -> bool:
        """Whether a request comes from this machine, and no proxy passed it on."""
        peer = ip_address(req.remote_addr)
        return bool(peer.is_loopback or str(peer) in self.own) and not is_passed_on(req)

    def origin(self, req: Request) -> str:
        """The origin of the console as the browser sees it."""
        return f"{'https' if self.is_secure(req) else 'http'}://{req.netloc}"

    def shared(self, req: Request) -> str:
        """Where a link begins that others open: at the origin, where that is https for all."""
        url, leads_here = self.shared_url(), self.is_secure(req) and not leads_home(req)
        return url.rstrip("/") if url and not leads_here else self.origin(req)

    def _is_from_proxy(self, req: Request) -> bool:
        return self.proxy is not None and req.remote_addr == self.proxy


class ConsoleVisit(NamedTuple):
    """A request of a person who is signed in: the ids in its path, what was posted, the origin of
    the console as the browser sees it, and that of links for others.
    """

    console: ConsolePorts
    req: Request
    signed: SignedIn
    ids: Mapping[str, str]
    form: Mapping[str, str]
    origin: str
    shared: str

    @property
    def aside(self) -> Aside:
        """Does long work in turns of the sandbox."""
        return self.console.server.aside.of(self.ids.get("sandbox", ""))

    def in_turns(self, pieces: Iterable[str]) -> Iterable[str]:
        """The pieces of a page; others have their turn while it is made."""
        return self.console.in_turns(self.ids.get("sandbox", ""), pieces)

    @property
    def host(self) -> Host:
        """The host whose records are shown."""
        return self.signed.sign_in.host

    @property
    def may_change_host(self) -> bool:
        """Whether the records that are shown may be changed."""
        return self.signed.sign_in.may_change(self.host)

    @property
    def is_only_here(self) -> bool:
        """Whether no other machine can open a link for others."""
        return leads_home(self.req) and self.shared == self.origin

    @property
    def here(self) -> str:
        """The page that is shown, or where a form on it leads back to."""
        if self.req.method == "GET" and not holds_unshown(self.req.relative_uri):
            return str(self.req.relative_uri)
        return f"/console/{self.ids['sandbox']}/payments" if "sandbox" in self.ids else "/console"

    def has_left(self) -> bool:
        """Whether the browser has closed the connection, or the person is no longer as they were:
        signed out, removed, or shown another stage.
        """
        is_cut: Callable[[], bool] = self.req.env.get("sandgate.has_left", bool)
        return is_cut() or not is_as_before(self.console, self.signed)

    def refuse_changes(self, host: Host) -> None:
        """Raise ReadOnlyHostError where records of a host are only looked at. Choice: D-632."""
        if not self.signed.sign_in.may_change(host):
            raise ReadOnlyHostError

    @property
    def name(self) -> str:
        """Who it is."""
        return self.signed.person.name

    @property
    def shown_name(self) -> str:
        """How the person is called on a page."""
        return shown_name(self.console, self.signed.person)

    def may(self, right: Right) -> bool:
        """Whether the role allows something here."""
        sandbox = self.ids.get("sandbox", "")
        in_training = bool(sandbox) and is_of_training(self.console, sandbox)
        return right in rights_of(self.signed.person.role, in_training=in_training)

    @property
    def only_reads(self) -> bool:
        """Whether a sandbox is shown that the person may not change: then what opens something is
        cut. Choice: D-493.
        """
        return "sandbox" in self.ids and not self.may(Right.OPERATE)

    def refusal_of(self, right: Right) -> NoRightError:
        """Why something is not allowed here: anywhere, or outside lessons and classes alone."""
        if self.signed.person.sandbox:
            return OwnSandboxError()
        is_for_training = right in rights_of(self.signed.person.role, in_training=True)
        return OutsideTrainingError() if is_for_training else NoRightError()

    def sandbox(self) -> Sandbox:
        """The sandbox that the path names. Raises UnknownSandboxError, also for one that is not
        that of a student.
        """
        asked, own = self.ids["sandbox"], self.signed.person.sandbox
        if own and asked != own:
            raise UnknownSandboxError("another sandbox than that of the student")
        return sandbox_with(self.console.server, asked)

    def ports(self) -> Ports:
        """The ports of that sandbox. Raises UnknownSandboxError."""
        return self.console.server.registry.ports(self.sandbox().id)

    def asked(self, name: str, default: str = "") -> str:
        """A parameter of the query; of several the last."""
        value = self.req.params.get(name, default)
        return value[-1] if isinstance(value, list) else str(value)


def holds_unshown(path: str) -> bool:
    """Whether a path or its query holds what no page repeats: a card number, a token, a key, a
    password or the user part of an address.
    """
    text = unquote_plus(path)
    return takes_long(text) or mask_text(text) != text


def cookie_name(req: Request, reach: ConsoleReach, cookie: str = COOKIE) -> str:
    """The name of the cookie: two gateways on one machine have one each."""
    prefix = HOST_PREFIX if reach.is_secure(req) else ""
    return f"{prefix}{cookie}-{req.port}"


def secret_in(req: Request, reach: ConsoleReach) -> str:
    """The secret of the browser's sign-in; empty where it sends none, or two."""
    return _cookie_in(req, reach, COOKIE)


def class_in(req: Request, reach: ConsoleReach) -> str:
    """The id of the class that the browser came to; empty where it came to none."""
    return _cookie_in(req, reach, CLASS_COOKIE)


def set_secret(
    req: Request, resp: Response, reach: ConsoleReach, secret: str | None, *, group: str = ""
) -> None:
    """Give the browser the secret of a sign-in, of a participant the class too; or take it back."""
    _set_cookie(req, resp, reach, COOKIE, value=secret or "")
    if group or (secret and class_in(req, reach)):
        _set_cookie(req, resp, reach, CLASS_COOKIE, value=group)


def _cookie_in(req: Request, reach: ConsoleReach, cookie: str) -> str:
    sent = req.get_cookie_values(cookie_name(req, reach, cookie)) or []
    return sent[0] if len(sent) == 1 and len(sent[0]) <= SECRET_LENGTH_MAX else ""


def _set_cookie(
    req: Request, resp: Response, reach: ConsoleReach, cookie: str, *, value: str
) -> None:
    resp.set_cookie(
        cookie_name(req, reach, cookie),
        value,
        expires=None if value else LONG_OVER,
        path="/",
        secure=reach.is_secure(req),
        http_only=True,
        same_site="Strict",
    )


def form_in(req: Request, reach: ConsoleReach) -> dict[str, str]:
    """The fields of a posted form, each once. Raises ForeignFormError where another page sent it,
    TooLargeError, EncodedBodyError.
    """
    origin = req.get_header("Origin")
    is_ours = req.get_header("Sec-Fetch-Site") in (None, "same-origin", "none")
    if not is_ours or origin not in (None, reach.origin(req)):
        raise ForeignFormError
    raw = read_body(req, FORM_BYTES_MAX)
    refuse_coded(req)
    found = parse_query_string(raw.decode("utf-8", "replace"), keep_blank=True, csv=False)
    return {name: value for name, value in found.items() if isinstance(value, str)}
