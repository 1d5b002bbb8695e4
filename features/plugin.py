"""The pytest plugin of the suite: its tags, its target, and the merchant of each scenario.

The root conftest loads it; any other folder of features can with `-p features.plugin`.
"""

import os
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from features.judge import Judge
from features.merchant import Merchant
from features.server import NotStarted, running_server, size_written, what_it_wrote
from features.spec.tables import expectations, requirements
from features.target import Target, read_target, target_of
from simulator.client import Client, Control

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
_FOLDER = pytest.StashKey[Path]()
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


def pytest_bdd_apply_tag(tag: str, function: Callable[..., object]) -> bool | None:
    """`@req:END-01` is `pytest.mark.req("END-01")`; any other tag is an ordinary mark."""
    name, colon, value = tag.partition(":")
    if not colon or name not in _TAGS:
        return None
    getattr(pytest.mark, name)(value)(function)
    return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember how much the server had written before this scenario."""
    folder = item.config.stash.get(_FOLDER, None)
    item.stash[_SEEN] = size_written(folder) if folder is not None else 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """A failed scenario shows what the server wrote meanwhile, if it wrote anything."""
    report = yield
    folder = item.config.stash.get(_FOLDER, None)
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
        request.config.stash[_FOLDER] = folder
        ours = target_of({**ready, "ca_file": authority_in(folder)}, source="the ready line")
        yield replace(ours, offers=ours.offers | {"own-server"})


@pytest.fixture(scope="session")
def control(target: Target) -> Iterator[Control]:
    """The control API of the target; a scenario that asks for it needs one."""
    control = Control(target.control_url, target.control_key)
    yield control
    control.close()


@pytest.fixture(scope="session")
def client(target: Target) -> Iterator[Client]:
    """One connection to the target, with the target's own credentials."""
    client = Client(target.base_url, target.token, target.entity_id)
    yield client
    client.close()


@pytest.fixture
def open_shops(
    request: pytest.FixtureRequest, client: Client, control: Control
) -> Iterator[OpenShops]:
    """Opens a sandbox for a scenario, gives its merchants, and removes it at the end.

    A scenario that shows what clients of the field expect gets it in their profile.
    """
    opened: list[str] = []
    profile = FIELD if request.node.get_closest_marker("field") else SPECIFICATION

    def open_one(**options: Any) -> list[Merchant]:
        merchants = merchants_of(client, new_sandbox(control, **{"profile": profile, **options}))
        opened.append(merchants[0].sandbox)
        return merchants

    yield open_one
    for sandbox in opened:
        control.delete(sandbox)


@pytest.fixture
def merchant(request: pytest.FixtureRequest, target: Target, client: Client) -> Merchant:
    """The merchant of a scenario: in a fresh sandbox, or the target's own where there is none."""
    if "control" not in target.offers:
        return Merchant(client, live_token=target.live_token)
    return request.getfixturevalue("open_shops")()[0]


@pytest.fixture(scope="session")
def shop(request: pytest.FixtureRequest, target: Target, client: Client) -> Iterator[Merchant]:
    """One merchant for all boundary cases, which leave nothing behind to trip over."""
    if "control" not in target.offers:
        yield Merchant(client)
        return
    control = request.getfixturevalue("control")
    sandbox = new_sandbox(control)
    yield merchants_of(client, sandbox)[0]
    control.delete(sandbox["id"])


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
        pytest.skip(f"not checkable: the target does not offer {', '.join(missing)}")
    if field and target.profile != FIELD and "control" not in target.offers:
        pytest.skip("not checkable: the target is in another profile, and has no control API")
    if decisions and not target.profile:
        pytest.skip(f"not judged: {', '.join(sorted(decisions))} are decisions of another gateway")


def new_sandbox(control: Control, **options: Any) -> Mapping[str, Any]:
    """A fresh sandbox in the specification's own profile, whatever the server's default is."""
    return control.create_sandbox(**{"profile": SPECIFICATION, **options})


def merchants_of(client: Client, sandbox: Mapping[str, Any]) -> list[Merchant]:
    """Every merchant of a sandbox, each on the first of its channels."""
    return [
        Merchant(
            client.with_credentials(entry["token"], entry["channels"][0]["id"]),
            sandbox["id"],
            {channel["name"]: channel["id"] for channel in entry["channels"]},
            live_token=entry.get("live_token", ""),
            entity=entry["id"],
        )
        for entry in sandbox["entities"]["merchants"]
    ]


def authority_in(folder: Path) -> str:
    """The certificate authority a server made in its folder, or nothing."""
    found = sorted(folder.glob("data/**/ca.pem"))
    return str(found[0]) if found else ""
