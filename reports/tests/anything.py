"""Any stream at all, for property tests."""

from hypothesis import strategies as st

from reports.events import CaseFailure, CaseVerdict, RecordedExchange, StepResult
from reports.run import VERDICTS
from reports.tests.streams import HOSTILE

TEXTS = st.text(max_size=40) | st.sampled_from([HOSTILE, "", "</script>", "a\x00b", "a\ud800"])
PAIRS = st.dictionaries(TEXTS, TEXTS, max_size=2)
BODIES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
EXCHANGES = st.builds(
    RecordedExchange, surface=st.sampled_from(["merchant", "control", "other"]),
    method=TEXTS, path=TEXTS,
    sent=PAIRS, sent_headers=PAIRS, status=st.sampled_from([0, 200, 400]), headers=PAIRS,
    body=BODIES, ms=st.floats(0, 1e7), error=TEXTS,
)  # fmt: skip
STEPS = st.builds(
    StepResult, keyword=TEXTS, text=TEXTS, exchanges=st.lists(EXCHANGES, max_size=2),
    verdict=st.sampled_from(["passed", "failed", "not-reached"]),
)  # fmt: skip
FAILURES = st.builds(CaseFailure, what=TEXTS, expected=TEXTS, came=TEXTS, text=TEXTS)
NAMES = st.lists(TEXTS | st.sampled_from(["END-01", "ERR-01", "E01"]), max_size=2)
CASES = st.builds(
    CaseVerdict, id=TEXTS, title=TEXTS, file=TEXTS, verdict=st.sampled_from(VERDICTS),
    seconds=st.floats(0, 1e6), line=st.integers(0, 10_000), requirements=NAMES, expectations=NAMES,
    decisions=NAMES, needs=NAMES, example=PAIRS, reason=TEXTS, steps=st.lists(STEPS, max_size=2),
    failure=st.none() | FAILURES, repeat=TEXTS, server_wrote=TEXTS,
)  # fmt: skip
SOME_CASES = st.lists(CASES, max_size=3)
