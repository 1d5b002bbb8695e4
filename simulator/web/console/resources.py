"""How a row of the console becomes a resource: who may come in, what is refused, what is shown."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hmac import compare_digest
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import quote

from falcon import Request, Response

from simulator.catalogue.console_words import plain, say
from simulator.domain.console.rights import Right
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import (
    CrowdedSandboxError,
    CrowdedSnapshotsError,
    DamagedLogError,
    DiskError,
    EpochEndedError,
    InvalidInputError,
    Refusal,
    UnknownOutcomeError,
    UnknownReferenceError,
    UnreachableStoreError,
)
from simulator.domain.masking.masking import mask_reason, shown_text
from simulator.domain.masking.openings import SLICE_LENGTH, cut_in_slices, cut_openings
from simulator.domain.ports.console import ConsolePorts, CrowdedSignInError
from simulator.service.console.classes import EndedLinkError, UnknownClassError
from simulator.service.console.people import UnknownPersonError
from simulator.service.console.recording import UnknownStoryError
from simulator.service.console.sign_in import (
    TooManyTriesError,
    UnknownInvitationError,
    is_as_before,
    signed_in,
)
from simulator.service.console.trials import NoActiveTokenError
from simulator.service.holding import UnknownHeldError
from simulator.service.journal import UnknownEntryError
from simulator.service.merchants.entities import UnknownEntityError
from simulator.service.sandboxes.sandboxes import UnknownSandboxError
from simulator.service.scripts import UnknownScriptError
from simulator.service.settlement.history import UnknownSettlementError
from simulator.service.webhooks.deliveries import UnknownEventError
from simulator.service.webhooks.endpoints import UnknownEndpointError
from simulator.web.console.rendering import (
    INSET,
    Download,
    Drawing,
    Moved,
    Part,
    SavedText,
    ShownPage,
    load_templates,
    render,
    show_download,
    show_drawing,
    show_html,
    show_page,
    show_text,
)
from simulator.web.console.visits import (
    ConsoleReach,
    ConsoleVisit,
    ForeignFormError,
    ForeignNameError,
    NoRightError,
    OutsideTrainingError,
    OwnSandboxError,
    ReadOnlyHostError,
    UnsafeConnectionError,
    form_in,
    holds_unshown,
    secret_in,
)
from simulator.web.http.context import ClientLeftError, long_turn
from simulator.web.http.errors import EncodedBodyError, TooLargeError
from simulator.web.http.shopper_pages import KEPT, SEE_OTHER

SIGN_IN = "/console/sign-in"
FORM_TOKEN = "form_token"
OTHERS_SHOWN = 5
# Of the page to go on to, as the address of the sign-in has it: a line has 8192 bytes at most.
ONWARD_BYTES_MAX = 4000
Answer = ShownPage | Moved | Download | SavedText | Drawing | Part
View = Callable[[ConsoleVisit], Answer]
UNKNOWN = (
    EpochEndedError,
    UnknownClassError,
    UnknownEntityError,
    UnknownEntryError,
    UnknownHeldError,
    UnknownPersonError,
    UnknownReferenceError,
    UnknownSandboxError,
    UnknownEndpointError,
    UnknownEventError,
    UnknownScriptError,
    UnknownSettlementError,
    UnknownStoryError,
)


class PageFrame(NamedTuple):
    """What stands around the pages of a sandbox."""

    now: datetime
    mode: str
    others: Sequence[Sandbox]


class ConsoleRow(NamedTuple):
    """A page: method and path, the right it needs, what shows it, a second right that it needs as
    well, and whether it `waits` until something changes.
    """

    method: str
    path: str
    right: Right
    view: View
    also: Right | None = None
    waits: bool = False

    @property
    def rights(self) -> tuple[Right, ...]:
        """Every right it needs."""
        return (self.right,) if self.also is None else (self.right, self.also)


class Refused(NamedTuple):
    """Why a page is not shown, what to do, and an address where it is shown."""

    status: int
    title: str
    advice: str
    address: str = ""


# The title of a refusal is refusals.NAME, what to do refusals.NAME_advice.
REFUSALS: Mapping[type[Exception], tuple[int, str]] = {
    EndedLinkError: (404, "ended_link"),
    UnknownInvitationError: (404, "ended_invitation"),
    ForeignFormError: (403, "foreign"),
    NoRightError: (403, "no_right"),
    OutsideTrainingError: (403, "outside_training"),
    OwnSandboxError: (403, "own_sandbox"),
    ReadOnlyHostError: (403, "read_only"),
    DiskError: (503, "not_stored"),
    UnknownOutcomeError: (500, "unsure"),
    UnreachableStoreError: (503, "unreachable"),
    CrowdedSandboxError: (503, "crowded_sandbox"),
    CrowdedSnapshotsError: (503, "crowded_snapshots"),
    CrowdedSignInError: (503, "crowded"),
    TooLargeError: (413, "too_large"),
    EncodedBodyError: (415, "coded"),
}


class ConsoleResource:
    """The pages at one path; `back` is the path of the page that has their forms, if it is one."""

    def __init__(
        self, console: ConsolePorts, reach: ConsoleReach, rows: Sequence[ConsoleRow], back: str = ""
    ):
        self._console, self._reach, self._back = console, reach, back
        for row in rows:
            setattr(self, f"on_{row.method.lower()}", self._responder(row))

    def _responder(self, row: ConsoleRow) -> Callable[..., None]:
        def respond(req: Request, resp: Response, **ids: str) -> None:
            back = quote(self._back.format(**ids), safe=KEPT) if row.method == "POST" else ""
            with_errors(
                self._console, resp, lambda: self._answer(row, req, resp, ids, back=back), back
            )

        return respond

    def _answer(
        self, row: ConsoleRow, req: Request, resp: Response, ids: Mapping[str, str], *, back: str
    ) -> None:
        self._reach.refuse_unsafe(req)
        signed = signed_in(self._console, secret_in(req, self._reach))
        if signed is None:
            sent_from = f"{self._reach.origin(req)}{back}"
            onward = _as_it_was(req, sent_from, back) if back else req.relative_uri
            move(resp, f"{SIGN_IN}{_onward(onward)}")
            return
        form = form_in(req, self._reach) if row.method == "POST" else {}
        if row.method == "POST" and not compare_digest(
            form.get(FORM_TOKEN, "").encode(), signed.sign_in.form_token.encode()
        ):
            raise ForeignFormError
        origins = self._reach.origin(req), self._reach.shared(req)
        visit = ConsoleVisit(self._console, req, signed, ids, form, *origins)
        for right in row.rights:
            if not visit.may(right):
                raise visit.refusal_of(right)
        if row.waits or row.method != "GET":
            _answer_with(resp, row.view, visit)
            return
        with long_turn(req, self._console.server, visit.name):
            _answer_with(resp, row.view, visit)


def _answer_with(resp: Response, view: View, visit: ConsoleVisit) -> None:
    answer = view(visit)
    if isinstance(answer, Part) and not is_as_before(visit.console, visit.signed):
        answer = Moved(SIGN_IN)
    _show(resp, answer, visit)
    if not isinstance(answer, Part):
        resp.text = _seen_by(visit, resp.text or "")
    if isinstance(answer, ShownPage) and answer.inset:
        resp.text = (resp.text or "").replace(INSET, answer.inset)


def drawn_for(visit: ConsoleVisit, page: ShownPage) -> str:
    """A part of a page as the person may see it; it may be drawn once for all who may see as
    much.
    """
    return _seen_by(visit, render(page, visit.in_turns))


def _seen_by(visit: ConsoleVisit, text: str) -> str:
    """A page without what opens something, for those who only read; others have their turn while a
    long one is cut.
    """
    if not visit.only_reads:
        return text
    if len(text) <= SLICE_LENGTH:
        return cut_openings(text)
    return "".join(visit.in_turns(cut_in_slices(text)))


def _show(resp: Response, answer: Answer, visit: ConsoleVisit) -> None:
    """Answer with what a page is."""
    if isinstance(answer, Moved):
        path = cut_openings(answer.path) if visit.only_reads else answer.path
        move(resp, path)
    elif isinstance(answer, Drawing):
        show_drawing(resp, answer)
    elif isinstance(answer, Download):
        page = with_visit(answer.page, visit)
        show_download(resp, answer._replace(page=page), visit.in_turns)
    elif isinstance(answer, SavedText):
        show_text(resp, answer)
    elif isinstance(answer, Part):
        show_html(resp, answer.html)
    else:
        show_page(resp, with_visit(answer, visit), visit.in_turns)


def _as_it_was(req: Request, page: str, back: str) -> str:
    """The page that has a form, with the query it was opened with; `page` is its whole address."""
    came, question, query = (req.get_header("Referer") or "").partition("?")
    return f"{back}{question}{query}" if came == page else back


def _onward(path: str) -> str:
    """Where a person goes on to after the sign-in, from a form to its page: nowhere from an address
    that is not to be repeated, or too long to be.
    """
    onward = f"?next={quote(path, safe='')}"
    is_kept = len(onward) <= ONWARD_BYTES_MAX and not holds_unshown(path)
    return onward if is_kept else ""


def with_visit(page: ShownPage, visit: ConsoleVisit) -> ShownPage:
    """The page with what every template may name."""
    values = {
        "visit": visit,
        "rights": Right,
        "sandbox": None,
        "frame_of": lambda sandbox: frame_of(visit, sandbox),
        **page.values,
    }
    return page._replace(values=values)


def frame_of(visit: ConsoleVisit, sandbox: Sandbox) -> PageFrame:
    """What stands around the pages of a sandbox: its time, and the first of those that the person
    may choose instead.
    """
    clock = visit.console.server.registry.ports(sandbox.id).clock
    known = () if visit.signed.person.sandbox else visit.console.server.registry.sandboxes()
    others = islice((each for each in known if each.id != sandbox.id), OTHERS_SHOWN)
    return PageFrame(clock.now(), clock.setting.mode, list(others))


def with_errors(
    console: ConsolePorts, resp: Response, answer: Callable[[], None], back: str = ""
) -> None:
    """Answer, or show a page that says why not, and leads back to the page of the form."""
    load_templates(console.server.aside)
    try:
        answer()
    except ClientLeftError:
        resp.status = 503
        show_html(resp, "")
    except DamagedLogError as error:
        # Its name alone: paths of the machine are not for a browser.
        named = PurePath(str(error.path)).name
        show_refusal(resp, refusal(503, "damaged", file=named))
    except UnsafeConnectionError as error:
        show_refusal(resp, refusal(403, "unsafe")._replace(address=error.url), leads_home=False)
    except ForeignNameError:
        show_refusal(resp, refusal(403, "renamed"), leads_home=False)
    except tuple(REFUSALS) as error:
        kind = next(each for each in type(error).__mro__ if each in REFUSALS)
        show_refusal(resp, refusal(*REFUSALS[kind]))
    except NoActiveTokenError as error:
        address = f"/console/{error.sandbox}/tokens"
        show_refusal(resp, refusal(403, "no_token")._replace(address=address), back)
    except UNKNOWN:
        show_refusal(resp, refusal(404, "unknown"))
    except TooManyTriesError as error:
        resp.set_header("Retry-After", str(error.wait_s))
        show_refusal(resp, refusal(429, "tries", wait_s=error.wait_s))
    except InvalidInputError as error:
        show_refusal(resp, refusal(400, "invalid", **values_of(error)), back)
    except Refusal as error:
        reason = mask_reason(error.detail)
        show_refusal(resp, refusal(400, "refused", code=error.code, reason=reason), back)


def values_of(error: InvalidInputError) -> dict[str, str]:
    """What a page says of a value that cannot be. Choice: D-265."""
    got, where = shown_text(error.got), shown_text(error.where)
    return {"where": where, "expected": error.expected, "got": got}


def said_of(error: InvalidInputError, labels: Mapping[str, str]) -> str:
    """What stands in a form that was refused: `labels` has the texts beside its fields."""
    values = values_of(error)
    if error.where in labels:
        values["where"] = plain(labels[error.where])
    return plain("refusals.invalid_advice", **values)


def refusal(status: int, name: str, **values: object) -> Refused:
    """A refusal with its texts, and values in their places."""
    return Refused(status, say(f"refusals.{name}"), say(f"refusals.{name}_advice", **values))


def show_refusal(
    resp: Response, refused: Refused, back: str = "", *, leads_home: bool = True
) -> None:
    """A page that says what was refused, and what to do; it `leads_home` where the console opens
    under the address of the page.
    """
    values = {**refused._asdict(), "back": back, "leads_home": leads_home}
    show_page(resp, ShownPage("refused.html", values, refused.status))


def move(resp: Response, path: str) -> None:
    """Go on to another page of the console; a header holds ASCII alone."""
    path = quote(path, safe=KEPT)
    resp.status = SEE_OTHER
    resp.content_type = "text/plain"
    resp.text = f"Go on to {path}\n"
    resp.set_header("Location", path)
