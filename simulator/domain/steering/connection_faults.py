"""Faults of the connection to a client, as the steps of a behaviour describe them."""

from scenarios.records import TransportSteps, behaviour_of
from simulator.domain.core.records import Script
from simulator.domain.transport import FaultKind, TransportFault


def transport_fault_of(script: Script) -> TransportFault:
    """The fault that a script with transport steps orders."""
    steps = behaviour_of(script.behaviour).steps.transport
    assert steps is not None, "the script has transport steps"
    return describe_fault(steps, script.id)


def describe_fault(steps: TransportSteps, script: str = "") -> TransportFault:
    """The fault that these steps describe: exactly one of them is given."""
    kind = next(each for each in FaultKind if getattr(steps, each) is not None)
    step = getattr(steps, kind)
    given = {name: getattr(step, name) for name in step.__struct_fields__}
    return TransportFault(kind, script, **given)
