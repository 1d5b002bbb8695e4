"""The simulator in the process: answers at once, as the order of steering decides."""

from collections.abc import Callable, Sequence
from itertools import count
from zlib import crc32

from acquirer_mocks.responses import APPROVED, response_of
from scenarios.codes import APPROVING
from scenarios.steering import Rules, steer
from simulator.domain.acquiring import Ask, Plan
from simulator.domain.records import Channel, Outcome, Script


class InternalAcquirer:
    """The acquirer of one sandbox, as ports.Acquirer.

    `scripts` gives those armed, newest first; `channel_of` the channel of an entity. What lives on
    between calls is the number of asks so far: it seeds drawn latencies that no script counts. In a
    seeded sandbox the trace numbers do, which a pause does not begin anew.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        scripts: Callable[[], Sequence[Script]],
        channel_of: Callable[[str], Channel],
        seeded: bool = False,
    ):
        self._rules = rules
        self._scripts = scripts
        self._channel_of = channel_of
        self._numbers = None if seeded else count()

    def plan(self, ask: Ask) -> Plan:
        """How this ask will be answered, when, and the scripts that counted it."""
        channel = self._channel_of(ask.entity)
        steering = steer(
            ask,
            self._rules,
            channel=channel,
            scripts=self._scripts(),
            count=ask.trace if self._numbers is None else next(self._numbers),
        )
        then = steering.then
        return Plan(
            outcome=self._with_details(steering.outcome, ask, channel),
            delay=steering.delay,
            then=None if then is None else self._with_details(then, ask, channel),
            then_after=steering.then_after,
            scripts=steering.scripts,
            near_misses=steering.near_misses,
        )

    def _with_details(self, bare: Outcome, ask: Ask, channel: Channel) -> Outcome:
        group = self._rules.results[bare.code].group
        return Outcome(
            code=bare.code,
            avs=bare.avs,
            cvv=bare.cvv,
            risk_score=bare.risk_score,
            details=details_of(bare, ask, group=group, institute=channel.clearing_institute),
            decided_by=bare.decided_by,
        )


def details_of(outcome: Outcome, ask: Ask, *, group: str, institute: str) -> dict[str, str]:
    """The resultDetails of an answer; the trace number alone decides the made-up ones.

    Members a behaviour names itself win. Source: Payment response, resultDetails; Choice: D-64.
    """
    details = {"ConnectorTxID1": ask.payment, "clearingInstituteName": institute}
    response = APPROVED if group in APPROVING else response_of(outcome.code, group)
    if response is not None:
        details["AcquirerResponse"] = response
    if response == APPROVED:
        details["AuthCode"] = f"{crc32(b'%d' % ask.trace) % 1_000_000:06d}"
    if outcome.details:
        details.update(outcome.details)
    return details
