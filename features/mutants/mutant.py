"""What a fault is: a small function around a sound gateway, and what has to see it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from features.mutants.proxy import Asked, Broken, Door, Sound
from simulator.client import Answer

MERCHANT: tuple[Door, ...] = ("merchant", "live")
Describe = Callable[[Mapping[str, str]], dict[str, str]]
EVERYWHERE: tuple[Door, ...] = (*MERCHANT, "control", "receiver")


@dataclass(frozen=True)
class Fault:
    """One broken gateway: its name, what is wrong with it, and who says so.

    `requirements` are what it breaks; `caught_by` are titles of scenarios or addresses of boundary
    cases, each of which fails against it, and together they name every one of its requirements.
    `doors` are where it is broken; elsewhere it is sound. `describe` says what is wrong with how it
    is described as a target, if anything is.
    """

    name: str
    meaning: str
    requirements: tuple[str, ...]
    caught_by: tuple[str, ...]
    gateway: Broken
    doors: tuple[Door, ...] = MERCHANT
    describe: Describe = dict

    def __call__(self, asked: Asked, sound: Sound) -> Answer:
        """What the broken gateway answers."""
        return self.gateway(asked, sound) if asked.door in self.doors else sound.answer(asked)


def fault(
    *requirements: str,
    caught_by: tuple[str, ...],
    doors: tuple[Door, ...] = MERCHANT,
    describe: Describe = dict,
) -> Callable[[Broken], Fault]:
    """Make a function a fault: its name is the fault's, its docstring says what is wrong."""

    def made(gateway: Broken) -> Fault:
        meaning = (gateway.__doc__ or "").strip()
        return Fault(
            gateway.__name__,
            meaning,
            requirements,
            caught_by,
            gateway=gateway,
            doors=doors,
            describe=describe,
        )

    return made
