"""The fixtures of a scenario: the target, clients, its merchant, its shopper, its assertions."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from features.conformance.descriptions import DescriptionChecker
from features.conformance.naming import names_of
from features.conformance.pacing import MINUTE_S, RequestRateLimiter, ignore_wait
from features.conformance.recording import ExchangeRecorder
from features.conformance.stash import (
    ANNOUNCE_WAIT,
    BRAND_GUARD,
    DESCRIPTIONS,
    MEMBER_SPREAD,
    RATE_LIMITER,
    RECORD_EXCHANGES,
    RECORDER,
    SERVER_FOLDER,
    TARGET,
    skip_case,
)
from features.spec.tables import expectations, requirements
from features.support.assertions import Judge
from features.support.interceptors import compose_interceptors
from features.support.merchant import Merchant
from features.support.required_tags import demand_tag
from features.support.sandboxes import (
    FIELD,
    SPECIFICATION,
    OpenChannel,
    OpenShops,
    merchants_of,
    new_sandbox,
    own_merchant,
)
from features.target.reading import parse_target, read_target, with_members
from features.target.records import OTHER, Target
from simulator.client import Client, Control, Interceptor
from simulator.client.processes import ServerStartError, authority_in, gateway_in
from simulator.client.receiver import WebhookReceiver
from simulator.client.spread import MemberSpread

# No step waits for longer at the control API: a target that hangs is found soon.
CONTROL_S_MAX = 10.0
TARGET_VARIABLE, WAITS_VARIABLE = "SANDGATE_TARGET", "SANDGATE_REAL_TIME"
MEMBERS_VARIABLE = "SANDGATE_MEMBERS"


@pytest.fixture(scope="session")
def target(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Target]:
    """The gateway under test: the one SANDGATE_TARGET describes, or one started here."""
    described = os.environ.get(TARGET_VARIABLE)
    if described:
        members = os.environ.get(MEMBERS_VARIABLE, "").split()
        found = with_members(read_target(Path(described)), members)
        yield _known(request, found.waiting() if os.environ.get(WAITS_VARIABLE) else found)
        return
    folder = tmp_path_factory.mktemp("gateway")
    with ExitStack() as stack:
        try:
            # As `sandgate check` starts its own: no scenario is about a power cut.
            ready = stack.enter_context(gateway_in(folder, "--durability", "os"))
        except ServerStartError as error:
            pytest.fail(str(error), pytrace=False)
        request.config.stash[SERVER_FOLDER] = folder
        own = parse_target({**ready, "ca_file": authority_in(folder)}, source="the ready line")
        yield _known(request, own)


def _known(request: pytest.FixtureRequest, target: Target) -> Target:
    """The target; its secrets are masked in what is kept from now on, before any request."""
    stash = request.config.stash
    stash[TARGET] = target
    if stash.get(RECORD_EXCHANGES, False):
        stash[RECORDER] = ExchangeRecorder(target)
    return target


@pytest.fixture(scope="session")
def around(request: pytest.FixtureRequest, target: Target) -> Iterator[Interceptor]:
    """The interceptor of every request: the guard of brands, what sends it to any member of a
    fleet, the recorder, the checker of descriptions and the rate limiter, as far as each is needed.
    """
    stash = request.config.stash
    interceptors: list[Interceptor] = [stash[BRAND_GUARD].around]
    spread = MemberSpread(target.base_url, target.members, seed="", ca_file=target.ca_file or None)
    if target.members:
        stash[MEMBER_SPREAD] = spread
        interceptors.append(spread.around)
    if RECORDER in stash:
        interceptors.append(stash[RECORDER].around)
    if "openapi" in target.offers:
        stash[DESCRIPTIONS] = DescriptionChecker(target)
        interceptors.append(stash[DESCRIPTIONS].around)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    limiter = RequestRateLimiter(
        target,
        share=1 / workers,
        announce=lambda wait: stash.get(ANNOUNCE_WAIT, ignore_wait)(wait),
    )
    if limiter.paces:
        stash[RATE_LIMITER] = limiter
        interceptors.append(limiter.around)
    yield reduce(compose_interceptors, interceptors)
    spread.close()


@pytest.fixture(scope="session")
def operator(target: Target, around: Interceptor) -> Iterator[Control]:
    """The control API as the suite itself uses it: to create sandboxes and to remove them."""
    authority = target.ca_file or None
    control = Control(
        target.control_url,
        target.control_key,
        timeout_s=CONTROL_S_MAX,
        ca_file=authority,
        around=around,
    )
    yield control
    control.close()


@pytest.fixture
def control(request: pytest.FixtureRequest, operator: Control) -> Control:
    """The control API of the target; a scenario that uses it has a tag for it."""
    demand_tag(request.node, "control")
    return operator


@pytest.fixture(scope="session")
def client(
    target: Target, around: Interceptor, lasting_receiver: WebhookReceiver | None
) -> Iterator[Client]:
    """One connection to the target, with the target's own credentials.

    Its requests may cause notifications, so their receiver listens already.
    """
    authority = target.ca_file or None
    client = Client(
        target.base_url,
        target.token,
        target.entity_id,
        ca_file=authority,
        around=around,
        names=names_of(target),
    )
    yield client
    client.close()


@pytest.fixture
def sandboxes(
    request: pytest.FixtureRequest, target: Target, client: Client, operator: Control
) -> Iterator[OpenShops]:
    """Creates a sandbox for a scenario, returns its merchants, and removes it at the end.

    A scenario about expectations of existing clients gets the profile `field`.
    """
    opened: list[str] = []
    profile = FIELD if request.node.get_closest_marker("field") else SPECIFICATION

    def open_one(**options: Any) -> list[Merchant]:
        sandbox = new_sandbox(operator, **{"profile": profile, **options})
        opened.append(sandbox["id"])
        return merchants_of(client, sandbox, target.card)

    yield open_one
    for sandbox in opened:
        operator.delete(sandbox)


@pytest.fixture
def open_shops(request: pytest.FixtureRequest, sandboxes: OpenShops) -> OpenShops:
    """Creates sandboxes with other settings; a scenario that uses it has a tag for it."""
    demand_tag(request.node, "open_shops")
    return sandboxes


@pytest.fixture
def merchant(request: pytest.FixtureRequest, target: Target, client: Client) -> Merchant:
    """The merchant of a scenario: in a fresh sandbox, or, without a control API, one of the target
    file: its own, or the one in profile field where the scenario is about that.
    """
    if "control" in target.offers:
        open_sandbox: OpenShops = request.getfixturevalue("sandboxes")
        return open_sandbox()[0]
    if request.node.get_closest_marker("field") and target.profile != FIELD:
        named: Mapping[str, Merchant] = request.getfixturevalue("entities")
        return named[FIELD]
    return own_merchant(client, target)


@pytest.fixture
def two_merchants(
    request: pytest.FixtureRequest, target: Target, entities: Mapping[str, Merchant]
) -> list[Merchant]:
    """Two merchants, each with its own token and channel: of one sandbox, or of the target file."""
    demand_tag(request.node, "two_merchants")
    if "control" not in target.offers:
        return [request.getfixturevalue("merchant"), entities[OTHER]]
    open_sandbox: OpenShops = request.getfixturevalue("sandboxes")
    shops = [{"name": name, "channels": [{"name": "web"}]}
             for name in ("Jones Books", "Smith Shoes")]  # fmt: skip
    return open_sandbox(merchants=shops)


@pytest.fixture
def foreign_merchant(
    request: pytest.FixtureRequest, target: Target, entities: Mapping[str, Merchant]
) -> Merchant:
    """A merchant of another sandbox; without a control API, another one of the target file."""
    demand_tag(request.node, "foreign_merchant")
    if "control" not in target.offers:
        return entities[OTHER]
    open_sandbox: OpenShops = request.getfixturevalue("sandboxes")
    return open_sandbox()[0]


@pytest.fixture
def open_channel(
    request: pytest.FixtureRequest, target: Target, entities: Mapping[str, Merchant]
) -> OpenChannel:
    """Opens a channel with other settings, or takes the one that the target file calls by the
    same name. A case whose channel it does not name is not checkable.
    """
    demand_tag(request.node, "open_channel")

    def open_one(name: str, settings: Mapping[str, object]) -> Merchant:
        if "control" in target.offers:
            open_sandbox: OpenShops = request.getfixturevalue("sandboxes")
            channels = [{"name": "web", **settings}]
            return open_sandbox(merchants=[{"name": "Jones Books", "channels": channels}])[0]
        is_field = request.node.get_closest_marker("field") and target.profile != FIELD
        named = f"{FIELD}-{name}" if is_field else name
        if named not in entities:
            skip_case(request.node, "not-checkable", f"the target file has no [entities.{named}]")
        return entities[named]

    return open_one


@pytest.fixture
def let_pass(
    request: pytest.FixtureRequest, target: Target, merchant: Merchant
) -> Callable[[int], None]:
    """Lets some seconds pass: by the clock of the sandbox, or for real."""
    demand_tag(request.node, "let_pass")
    if not merchant.sandbox:
        return time.sleep
    operator: Control = request.getfixturevalue("operator")

    def advance(seconds: int) -> None:
        operator.drain(merchant.sandbox)
        operator.advance_clock(merchant.sandbox, by=f"{seconds}s")

    return advance


@pytest.fixture
def limited_merchant(
    request: pytest.FixtureRequest, target: Target, entities: Mapping[str, Merchant]
) -> OpenShops:
    """Opens a sandbox whose merchants are limited by these options. Without a control API it is the
    entity that the target file calls by the limit, in a minute in which it has sent nothing.
    """
    demand_tag(request.node, "limited_merchant")

    def open_one(name: str, **options: Any) -> list[Merchant]:
        if "control" in target.offers:
            open_sandbox: OpenShops = request.getfixturevalue("sandboxes")
            return open_sandbox(**options)
        if name not in entities:
            skip_case(request.node, "not-checkable", f"the target file has no [entities.{name}]")
        time.sleep(MINUTE_S)
        time.sleep(MINUTE_S - time.time() % MINUTE_S)
        return [entities[name]]

    return open_one


@pytest.fixture
def entities(target: Target, client: Client) -> Mapping[str, Merchant]:
    """The entities that the target file names, each a merchant: for steps of a user's own."""
    own = own_merchant(client, target)
    return {
        name: own.with_token(entity.token or target.token).naming(entity.entity_id)
        for name, entity in target.entities.items()
    }


@pytest.fixture(scope="session")
def shop(request: pytest.FixtureRequest, target: Target, client: Client) -> Iterator[Merchant]:
    """One merchant for all boundary cases, which do not affect each other."""
    if "control" not in target.offers:
        yield own_merchant(client, target)
        return
    operator = request.getfixturevalue("operator")
    sandbox = new_sandbox(operator)
    yield merchants_of(client, sandbox, target.card)[0]
    operator.delete(sandbox["id"])


@pytest.fixture
def judge(request: pytest.FixtureRequest, target: Target) -> Judge:
    """The assertions of the scenario, with its requirements."""
    known = {**requirements(), **expectations()}
    marks = [*request.node.iter_markers("req"), *request.node.iter_markers("field")]
    named = sorted({mark.args[0] for mark in marks})
    any_code = not target.profile and request.node.get_closest_marker("code") is not None
    texts = {name: known.get(name, "unknown requirement") for name in named}
    return Judge(texts, any_code=any_code)
