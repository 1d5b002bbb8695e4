"""The pytest plugin of the suite: its tags, its target, and the merchant of each scenario.

The root conftest loads it; any other folder of features can with `-p features.plugin`.
"""

import os
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from features.catalogue import nearest
from features.judge import Judge
from features.merchant import Merchant
from features.needs import refuse_unless_tagged
from features.pacing import Pacer
from features.recording import Recorder
from features.server import (
    NotStarted,
    authority_in,
    running_server,
    size_written,
    what_it_wrote,
)
from features.shopper import Shopper
from features.spec.companions import Sent
from features.spec.tables import expectations, requirements
from features.target import Target, read_target, target_of
from reports.events import Verdict
from simulator.client import Answer, Around, Asked, Client, Control, Send

pytest_plugins = (
    "features.steps.accounts",
    "features.steps.asynchronous",
    "features.steps.authentication",
    "features.steps.banks",
    "features.steps.checkouts",
    "features.steps.clock",
    "features.steps.errors",
    "features.steps.external",
    "features.steps.formats",
    "features.steps.hosts",
    "features.steps.payments",
    "features.steps.recorded",
    "features.steps.receivers",
    "features.steps.registrations",
    "features.steps.reports",
    "features.steps.risk",
    "features.steps.schedules",
    "features.steps.scripts",
    "features.steps.chargebacks",
    "features.steps.series",
    "features.steps.structures",
    "features.steps.three_d_secure",
    "features.steps.throttling",
    "features.steps.transport",
    "features.steps.wallets",
    "features.steps.webhooks",
    "features.steps.field",
    "features.steps.field_answers",
    "features.steps.field_wire",
    "features.steps.field_webhooks",
)

TARGET_VARIABLE = "SANDGATE_TARGET"
SPECIFICATION, FIELD = "specification", "field"
_TAGS = ("req", "needs", "decision", "field")
# Set by whoever wants every exchange of the run written down.
RECORDS = pytest.StashKey[bool]()
RECORDER = pytest.StashKey[Recorder]()
PACER = pytest.StashKey[Pacer]()
# Why a scenario was not judged: a verdict and its reason.
UNJUDGED = pytest.StashKey[tuple[Verdict, str]]()
# Where the server under judgement writes, if it is one that was started for it.
SERVER_FOLDER = pytest.StashKey[Path]()
_SEEN = pytest.StashKey[int]()

OpenShops = Callable[..., list[Merchant]]


def pytest_configure(config: pytest.Config) -> None:
    """Make the tags known, so that a mistyped one is an error."""
    config.addinivalue_line("markers", "req(id): the requirement a scenario shows")
    config.addinivalue_line("markers", "needs(offer): what a target must offer to be judged by it")
    config.addinivalue_line("markers", "decision(id): judged only where the gateway is ours")
    config.addinivalue_line("markers", "field(id): shown in a sandbox of the profile field")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--shuffle SEED` runs everything in an order that depends on the seed alone."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run in the order of this seed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle what was collected, every worker alike."""
    seed = config.getoption("shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: Callable[..., object]) -> bool | None:
    """`@req:END-01` is `pytest.mark.req("END-01")`; any other tag is an ordinary mark."""
    name, colon, value = tag.partition(":")
    if not colon or name not in _TAGS:
        return None
    getattr(pytest.mark, name)(value)(function)
    return True


def pytest_bdd_step_func_lookup_error(step: Any, exception: Exception) -> None:
    """A step that nobody has defined names those that are most like it."""
    near = nearest(pytest_plugins, step.type, step.name)
    lines = [f"  {each.keyword.capitalize()} {each.wording}" for each in near]
    advice = "\n".join(["the nearest steps are:", *lines]) if near else "no step is like it"
    exception.args = (f"{exception}\n{advice}\n`sandgate steps` lists all of them",)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember how much the server had written before this scenario; who paces begins anew."""
    folder = item.config.stash.get(SERVER_FOLDER, None)
    item.stash[_SEEN] = size_written(folder) if folder is not None else 0
    pacer = item.config.stash.get(PACER, None)
    if pacer is not None:
        needs = {mark.args[0] for mark in item.iter_markers("needs")}
        pacer.begin(prepares=True, is_at_rest="throttling" in needs)


def pytest_bdd_before_step(request: pytest.FixtureRequest, step: Any) -> None:
    """What a `Given` asks for only prepares what will be judged."""
    pacer = request.config.stash.get(PACER, None)
    if pacer is not None:
        pacer.prepares = step.type == "given"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """A failed scenario shows what the server wrote meanwhile, if it wrote anything."""
    report = yield
    folder = item.config.stash.get(SERVER_FOLDER, None)
    if report.failed and folder is not None:
        wrote = what_it_wrote(folder, since=item.stash.get(_SEEN, 0))
        report.sections.extend([("server stderr", wrote)] if wrote else [])
    return report


@pytest.fixture(scope="session")
def target(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Target]:
    """The gateway under judgement: the one SANDGATE_TARGET describes, or one started here."""
    described = os.environ.get(TARGET_VARIABLE)
    if described:
        yield read_target(Path(described))
        return
    folder = tmp_path_factory.mktemp("gateway")
    with ExitStack() as stack:
        try:
            ready = stack.enter_context(running_server(folder))
        except NotStarted as error:
            pytest.fail(str(error), pytrace=False)
        request.config.stash[SERVER_FOLDER] = folder
        ours = target_of({**ready, "ca_file": authority_in(folder)}, source="the ready line")
        yield ours


@pytest.fixture(scope="session")
def around(request: pytest.FixtureRequest, target: Target) -> Around | None:
    """Who stands around every request: one who keeps to the target's limits, one who writes down.

    Nobody where there are no limits to keep and nothing is written down.
    """
    stash = request.config.stash
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    pacer = Pacer(target, share=1 / workers)
    if pacer.paces:
        stash[PACER] = pacer
    if stash.get(RECORDS, False):
        stash[RECORDER] = Recorder(target)
        if pacer.paces:
            return one_around_the_other(stash[RECORDER].around, pacer.around)
        return stash[RECORDER].around
    return pacer.around if pacer.paces else None


@pytest.fixture(scope="session")
def operator(target: Target, around: Around | None) -> Iterator[Control]:
    """The control API as the judge itself uses it: to open sandboxes and to remove them."""
    authority = target.ca_file or None
    control = Control(target.control_url, target.control_key, ca_file=authority, around=around)
    yield control
    control.close()


@pytest.fixture
def control(request: pytest.FixtureRequest, operator: Control) -> Control:
    """The control API of the target; a scenario that asks for it says so by a tag."""
    refuse_unless_tagged(request.node, "control")
    return operator


@pytest.fixture(scope="session")
def client(target: Target, around: Around | None) -> Iterator[Client]:
    """One connection to the target, with the target's own credentials."""
    authority = target.ca_file or None
    client = Client(
        target.base_url, target.token, target.entity_id, ca_file=authority, around=around
    )
    yield client
    client.close()


@pytest.fixture
def sandboxes(
    request: pytest.FixtureRequest, target: Target, client: Client, operator: Control
) -> Iterator[OpenShops]:
    """Opens a sandbox for a scenario, gives its merchants, and removes it at the end.

    A scenario that shows what clients of the field expect gets it in their profile.
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
    """Opens sandboxes set up otherwise; a scenario that asks for one says so by a tag."""
    refuse_unless_tagged(request.node, "open_shops")
    return sandboxes


@pytest.fixture
def merchant(request: pytest.FixtureRequest, target: Target, client: Client) -> Merchant:
    """The merchant of a scenario: in a fresh sandbox, or the target's own where there is none."""
    if "control" not in target.offers:
        return own_merchant(client, target)
    return request.getfixturevalue("sandboxes")()[0]


@pytest.fixture
def entities(target: Target, client: Client) -> Mapping[str, Merchant]:
    """The entities that the target file names, each a merchant: for steps of a user's own."""
    own = own_merchant(client, target)
    return {
        name: own.with_token(entity.token or target.token).naming(entity.entity_id)
        for name, entity in target.entities.items()
    }


@pytest.fixture
def shopper(target: Target, around: Around | None) -> Shopper:
    """The shopper of a scenario."""
    return Shopper(around, target.ca_file or None)


@pytest.fixture(scope="session")
def shop(request: pytest.FixtureRequest, target: Target, client: Client) -> Iterator[Merchant]:
    """One merchant for all boundary cases, which leave nothing behind to trip over."""
    if "control" not in target.offers:
        yield own_merchant(client, target)
        return
    operator = request.getfixturevalue("operator")
    sandbox = new_sandbox(operator)
    yield merchants_of(client, sandbox, target.card)[0]
    operator.delete(sandbox["id"])


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Judge:
    """The judge, told which requirements are at stake."""
    known = {**requirements(), **expectations()}
    marks = [*request.node.iter_markers("req"), *request.node.iter_markers("field")]
    named = sorted({mark.args[0] for mark in marks})
    return Judge({name: known.get(name, "unknown requirement") for name in named})


@pytest.fixture(autouse=True)
def _checkable(request: pytest.FixtureRequest) -> None:
    """Not checkable is said aloud: a need the target does not meet skips, with its reason."""
    needs = {mark.args[0] for mark in request.node.iter_markers("needs")}
    decisions = {mark.args[0] for mark in request.node.iter_markers("decision")}
    field = {mark.args[0] for mark in request.node.iter_markers("field")}
    if not needs and not decisions and not field:
        return
    target = request.getfixturevalue("target")
    missing = sorted(needs - target.offers)
    if missing:
        not_judged(request, "not-checkable", f"the target does not offer {', '.join(missing)}")
    if field and target.profile != FIELD and "control" not in target.offers:
        why = "the target is in another profile, and has no control API"
        not_judged(request, "not-checkable", why)
    if decisions and not target.profile:
        why = f"{', '.join(sorted(decisions))} are decisions of another gateway"
        not_judged(request, "not-judged", why)


def not_judged(request: pytest.FixtureRequest, verdict: Verdict, reason: str) -> None:
    """Skip a scenario, and keep why: any other skip is a mistake of the judge."""
    request.node.stash[UNJUDGED] = verdict, reason
    pytest.skip(f"{verdict.replace('-', ' ')}: {reason}")


def one_around_the_other(inner: Around, outer: Around) -> Around:
    """The inner one sees every request that is sent; the outer one decides when, and how often."""

    def around(asked: Asked, send: Send) -> Answer:
        return outer(asked, partial(inner, asked, send))

    return around


def new_sandbox(control: Control, **options: Any) -> Mapping[str, Any]:
    """A fresh sandbox in the specification's own profile, whatever the server's default is."""
    return control.create_sandbox(**{"profile": SPECIFICATION, **options})


def own_merchant(client: Client, target: Target) -> Merchant:
    """The merchant whose credentials the target file holds."""
    channels = {name: entity.entity_id for name, entity in target.entities.items()}
    return Merchant(client, channels=channels, live_token=target.live_token, card=target.card)


def merchants_of(client: Client, sandbox: Mapping[str, Any], card: Sent) -> list[Merchant]:
    """Every merchant of a sandbox, each on the first of its channels."""
    return [
        Merchant(
            client.with_credentials(entry["token"], entry["channels"][0]["id"]),
            sandbox["id"],
            {channel["name"]: channel["id"] for channel in entry["channels"]},
            live_token=entry.get("live_token", ""),
            entity=entry["id"],
            card=card,
        )
        for entry in sandbox["entities"]["merchants"]
    ]
