"""Pages of the console from templates; everything that is shown is escaped."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import islice
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from falcon import Response

from simulator.catalogue.console_words import LANGUAGE, say
from simulator.domain.console.rights import Right
from simulator.domain.core.background import Aside
from simulator.domain.masking.masking import (
    MASK,
    cut_text,
    hidden_in,
    longest_first,
    mask_text,
    mask_url,
    shown_text,
)
from simulator.domain.masking.shown_parameters import SECRETS_MAX

if TYPE_CHECKING:
    from jinja2 import Environment

PAGE_TYPE = "text/html; charset=utf-8"
# Of a text that others wrote, so much is shown.
TEXT_SHOWN = 16 * 1024
# Nothing comes from elsewhere, nothing stands in a page that would be run.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
# A page with frames of the gateway in it, and one that stands in a frame of the console.
STAGE_POLICY = f"{POLICY}; frame-src 'self'"
FRAMED_POLICY = STAGE_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
ASSETS: Mapping[str, str] = {
    "bar.js": "text/javascript; charset=utf-8",
    "console.css": "text/css; charset=utf-8",
    "follow.js": "text/javascript; charset=utf-8",
    "parties.js": "text/javascript; charset=utf-8",
    "stage.js": "text/javascript; charset=utf-8",
    "workbench.js": "text/javascript; charset=utf-8",
}
# The pages of a sandbox in groups, with the right that each needs.
MENU: Mapping[str, Mapping[str, Right]] = {
    "money_in": dict.fromkeys(
        ("payments", "checkouts", "registrations", "schedules", "risk"), Right.READ
    ),
    "tools": {
        "workbench": Right.OPERATE,
        "shell": Right.OPERATE,
        "journal": Right.READ,
        "stage": Right.READ,
    },
    "steering": dict.fromkeys(("scripts", "clock", "throttles"), Right.READ),
    "notices": {"webhooks": Right.READ, "inbox": Right.READ},
    "money_out": {"ledger": Right.READ, "settlements": Right.READ},
    "setup": dict.fromkeys(("merchants", "tokens", "terminals"), Right.READ),
}


# Where the part of a page stands: no text of others can say it.
INSET = token_hex(32)
# The pieces of a page, as they are made.
Pieces = Callable[[Iterable[str]], Iterable[str]]


class ShownPage(NamedTuple):
    """A page to answer with: its template, what that shows, the status and the content policy; and
    the part that stands at `INSET` of the template, as its reader may see it.
    """

    template: str
    values: Mapping[str, Any]
    status: int = 200
    policy: str = POLICY
    inset: str = ""


class Moved(NamedTuple):
    """Go on to another page, as after each form."""

    path: str


class Part(NamedTuple):
    """A part of a page, as HTML that its reader may see."""

    html: str


class Download(NamedTuple):
    """A page that is saved as a file, and needs nothing else."""

    name: str
    page: ShownPage


class SavedText(NamedTuple):
    """A text that is saved as a file."""

    name: str
    text: str


class Drawing(NamedTuple):
    """A picture, as SVG."""

    svg: str


def show_drawing(resp: Response, drawing: Drawing) -> None:
    """Answer with a picture; opened by itself it can do nothing either."""
    resp.content_type = "image/svg+xml; charset=utf-8"
    resp.text = drawing.svg
    resp.set_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")


def show_download(resp: Response, download: Download, in_turns: Pieces) -> None:
    """Answer with a file."""
    show_page(resp, download.page, in_turns)
    resp.set_header("Content-Disposition", f'attachment; filename="{download.name}"')


def show_text(resp: Response, saved: SavedText) -> None:
    """Answer with a text to save."""
    resp.content_type = "text/plain; charset=utf-8"
    resp.text = saved.text
    resp.set_header("Content-Disposition", f'attachment; filename="{saved.name}"')


def load_templates(aside: Aside) -> None:
    """Load the library of the templates for the first page: aside, since it takes as long as a
    hundred payments.
    """
    if not _environment.cache_info().currsize:
        aside(_environment)


def render(page: ShownPage, in_turns: Pieces = iter) -> str:
    """A page as HTML; what may be long is made in turns, and others have theirs in between."""
    return "".join(in_turns(_environment().get_template(page.template).generate(page.values)))


def show_page(resp: Response, page: ShownPage, in_turns: Pieces = iter) -> None:
    """Answer with a page."""
    resp.status = page.status
    show_html(resp, render(page, in_turns), page.policy)


def show_html(resp: Response, html: str, policy: str = POLICY) -> None:
    """Answer with a page, or a part of one."""
    resp.content_type = PAGE_TYPE
    resp.text = html
    resp.set_header("Content-Security-Policy", policy)
    # With "no-referrer" a browser would send its own forms with the origin "null".
    resp.set_header("Referrer-Policy", "same-origin")


def as_json(document: Any) -> str:
    """A document as people read it."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def shown_json(document: Any) -> str:
    """A document in which others wrote, as people read it: without card numbers, codes and keys,
    and without what repeats one.
    """
    secrets = longest_first([*islice(hidden_in(document), SECRETS_MAX + 1)])
    return MASK if len(secrets) > SECRETS_MAX else _without(secrets, shown_whole(as_json(document)))


def _without(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        text = text.replace(msgspec.json.encode(secret)[1:-1].decode(), MASK)
    return text


def shown_whole(text: str, length_max: int = TEXT_SHOWN) -> str:
    """The same of a text. A long one is cut: hostile ones take a hundred times as long to mask."""
    cut = cut_text(text, length_max)
    return mask_text(cut) + ("…" if len(cut) < len(text) else "")


def typed_again(text: str) -> str:
    """What was typed into a field, for the same field; nothing where it may be a card number."""
    return text if shown_text(text, TEXT_SHOWN) == text else ""


@cache
def asset(name: str) -> bytes:
    """A file of the package that pages load."""
    return (files(__package__) / "assets" / name).read_bytes()


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("simulator.web.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"instant": _instant, "address": mask_url}
    environment.globals |= {"say": say, "language": LANGUAGE, "MENU": MENU}
    return environment


def _instant(at: datetime | str) -> str:
    """An instant as people read it: to the second, in UTC."""
    text = at.isoformat() if isinstance(at, datetime) else at
    return text[:19].replace("T", " ")
