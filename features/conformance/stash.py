"""What plugins of the judge leave for each other in the stash of pytest, why a case is not judged
among it.
"""

from pathlib import Path
from typing import NoReturn

import pytest

from features.conformance.pacing import RequestRateLimiter
from features.conformance.recording import ExchangeRecorder
from reports.events import Verdict

# Set by whoever wants every exchange of the run written down.
RECORD_EXCHANGES = pytest.StashKey[bool]()
RECORDER = pytest.StashKey[ExchangeRecorder]()
RATE_LIMITER = pytest.StashKey[RequestRateLimiter]()
# Why a scenario was not judged: a verdict and its reason.
NOT_EVALUATED = pytest.StashKey[tuple[Verdict, str]]()
# Where the server under judgement writes, if it is one that was started for it.
SERVER_FOLDER = pytest.StashKey[Path]()


def skip_case(item: pytest.Item, verdict: Verdict, reason: str) -> NoReturn:
    """Skip a case, and keep why: any other skip is a mistake of the judge."""
    item.stash[NOT_EVALUATED] = verdict, reason
    pytest.skip(f"{verdict.replace('-', ' ')}: {reason}")
