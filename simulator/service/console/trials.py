"""First payments for newcomers: one is approved, one declined, one challenged.

Each is the first step of a story, with what the page of a shop would send at this channel. The
challenge needs a channel that is set up for 3-D Secure, so it has a sandbox of its own. Choice:
D-491.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scenarios.story import SHIPPED, load_story, stories
from simulator.catalogue.fields.requirements import RECEIVER, SECURE_2
from simulator.client.merchant import FORM
from simulator.client.shown.beginnings import beginning_of
from simulator.client.wire import form_of
from simulator.derive.schemas.examples import BROWSER, SHOPPER
from simulator.domain.accounts.accounts import brand_in
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.documents import as_record
from simulator.domain.journal.diagram import trace_svg
from simulator.domain.merchants.hierarchy import AskedSandbox
from simulator.domain.merchants.requirements import needs_of
from simulator.domain.merchants.tokens import active_token
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import ServerPorts
from simulator.domain.story_run import StoryCall
from simulator.service.console.lessons import facts_of
from simulator.service.console.recording import note_call
from simulator.service.journal import UnknownEntryError, trace_payment
from simulator.service.sandboxes.sandboxes import create_whole, sandbox_with

# Where the shoppers of trials and lessons come back to.
SHOP_PATH = "/lessons/shop"
# In place of the id of a sandbox, while that of trials is made.
TRIAL = "trial"
# Its issuer authenticates the shopper without asking, so that a trial ends as its button says.
AUTHENTICATED_CARD = "4200000000000026"


class NoActiveTokenError(Exception):
    """No token of a sandbox opens the host; `sandbox` is its id."""

    def __init__(self, sandbox: str):
        super().__init__("no access token of the sandbox is active on this host")
        self.sandbox = sandbox


class TrialRow(NamedTuple):
    """A first payment: what its button says, its story, and what is sent otherwise."""

    said: str
    story: str
    more: Mapping[str, str] = {}
    has_own_sandbox: bool = False


class FirstPayment(NamedTuple):
    """What came of it: its sandbox, the answer in short, where the shopper goes on, and the trace
    as a picture; a request that made nothing has neither id nor picture.
    """

    sandbox: str
    payment: str
    code: str
    description: str
    redirect: str
    picture: str


# fmt: off
TRIALS: Mapping[str, TrialRow] = {
    "pay":       TrialRow("Pay", "first-payment"),
    "decline":   TrialRow("Be declined", "first-payment", {"card.holder": "800.100.203"}),
    "challenge": TrialRow("Be challenged", "3ds-challenge", has_own_sandbox=True),
}

# What the page of a shop sends beside the form of a story or instead, by what makes it mandatory.
OF_A_SHOP: Mapping[str, Mapping[str, str]] = {
    RECEIVER: {"merchantTransactionId": SHOPPER["merchantTransactionId"]},
    SECURE_2: {**BROWSER, "shopperResultUrl": "{shop}", "card.number": AUTHENTICATED_CARD},
}
# fmt: on


def try_payment(console: ConsolePorts, name: str, shop: str) -> FirstPayment:
    """A first payment in the default sandbox, or in one of its own; its shopper comes back to
    `shop`. Raises InvalidInputError for an unknown one, UnknownSandboxError where there is no
    default sandbox, NoActiveTokenError.
    """
    sandbox = console.server.registry.default() or ""
    if _row(name).has_own_sandbox:
        sandbox = _own_sandbox(console, _row(name))
    return try_payment_in(console, sandbox, name, shop=shop)


def _own_sandbox(console: ConsolePorts, row: TrialRow) -> str:
    """One sandbox serves every challenge: a button without a token makes no more of them."""
    stages = console.stages
    with stages.changing(TRIAL):
        if console.server.registry.sandbox(stages.trial_sandbox) is None:
            story = load_story(stories(SHIPPED)[row.story])
            asked = as_record(dict(story.sandbox), AskedSandbox)
            stages.trial_sandbox = create_whole(console.server, asked)
        return stages.trial_sandbox


def try_payment_in(
    console: ConsolePorts,
    sandbox: str,
    name: str,
    *,
    shop: str,
    by: str = "",
    say: str = "",
    host: Host = TEST,
) -> FirstPayment:
    """A first payment in this sandbox, at one of its hosts, recorded as what `by` did. Raises
    InvalidInputError, UnknownSandboxError, NoActiveTokenError.
    """
    row = _row(name)
    _refuse_without_token(console.server, sandbox, host)
    call = load_story(stories(SHIPPED)[row.story]).steps[0].call
    assert call is not None, "the first step of these stories is a payment"
    facts = facts_of(console, sandbox, host)
    form = {**call.form, **row.more}
    channel = sandbox_with(console.server, sandbox).merchants[0].channels[0]
    added = _of_a_shop(form, channel)
    # The story of a challenge has the card that is asked for one.
    whole = {**added, **form} if row.has_own_sandbox else {**form, **added}
    sent = {"entityId": facts["entity_id"], **whole}
    sent = {key: value.replace("{shop}", shop) for key, value in sent.items()}
    headers = {"Authorization": f"Bearer {facts['token']}", "Content-Type": FORM}
    body = form_of(sent)
    asked = StoryCall(facts["base_url"], call.method, call.path, headers, body)
    answer = console.ask(asked)
    if by:
        note_call(console, sandbox, asked, answer, by=by, say=say)
    picture = _picture_of(console.server, sandbox, answer.id)
    payment, redirect = answer.id if picture else "", str(answer.at("redirect.url") or "")
    code = answer.code or str(answer.status)
    return FirstPayment(sandbox, payment, code, answer.description, redirect, picture)


def _of_a_shop(form: Mapping[str, str], channel: Channel) -> dict[str, str]:
    """What the page of a shop adds at this channel: all that the channel makes mandatory."""
    needs = needs_of(form, channel, brand_in(form, channel))
    return {name: value for row in needs for name, value in OF_A_SHOP[row.when].items()}


def _refuse_without_token(server: ServerPorts, sandbox: str, host: Host) -> None:
    """Raise NoActiveTokenError where a payment could only be answered that its token is unknown."""
    if active_token(sandbox_with(server, sandbox).merchants[0], host) is None:
        raise NoActiveTokenError(sandbox)


def _picture_of(server: ServerPorts, sandbox: str, payment: str) -> str:
    """The trace of a payment; empty where the request made none, and is in no journal under it."""
    try:
        return trace_payment(server.registry.ports(sandbox), payment, trace_svg, server.aside)
    except UnknownEntryError:
        return ""


def _row(name: str) -> TrialRow:
    if name not in TRIALS:
        raise InvalidInputError("name", ", ".join(TRIALS), beginning_of(name, 40))
    return TRIALS[name]
