"""Keys of pytest's stash that the plugins of the suite share, and skipping a test case."""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from features.conformance.descriptions import DescriptionChecker
from features.conformance.pacing import RequestedWait, RequestRateLimiter
from features.conformance.recording import ExchangeRecorder
from features.support.required_tags import BrandGuard
from features.target.records import Target
from reports.events import Verdict
from reports.words import SIGNS
from simulator.client.spread import MemberSpread

# Whether every exchange of the run is recorded.
RECORD_EXCHANGES = pytest.StashKey[bool]()
# The gateway under test, once a test case needed it.
TARGET = pytest.StashKey[Target]()
RECORDER = pytest.StashKey[ExchangeRecorder]()
DESCRIPTIONS = pytest.StashKey[DescriptionChecker]()
RATE_LIMITER = pytest.StashKey[RequestRateLimiter]()
# Shows that a test case waits for its target, where the run is shown.
ANNOUNCE_WAIT = pytest.StashKey[Callable[[RequestedWait], None]]()
BRAND_GUARD = pytest.StashKey[BrandGuard]()
MEMBER_SPREAD = pytest.StashKey[MemberSpread]()
# Why a test case was not evaluated: a verdict and its reason.
NOT_EVALUATED = pytest.StashKey[tuple[Verdict, str]]()
# The folder with the features and steps of a user, where these are run.
OWN_STEPS = pytest.StashKey[Path]()
# The folder with the standard error of the server under test, where it was started for the run.
SERVER_FOLDER = pytest.StashKey[Path]()


def skip_case(item: pytest.Item, verdict: Verdict, reason: str) -> NoReturn:
    """Skip a test case, and keep the reason: any other skip counts as a failure."""
    item.stash[NOT_EVALUATED] = verdict, reason
    pytest.skip(f"{SIGNS[verdict].word}: {reason}")
