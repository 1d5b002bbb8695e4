"""What a mutant is: a function around the original gateway, and the cases that must kill it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from features.mutants.proxy import Interface, MutantFunction, OriginalGateway, ProxiedRequest
from simulator.client import Answer

MERCHANT_APIS: tuple[Interface, ...] = ("merchant", "live")
Describe = Callable[[Mapping[str, str]], dict[str, str]]
FILES: tuple[Interface, ...] = ("files",)
ALL_INTERFACES: tuple[Interface, ...] = (*MERCHANT_APIS, "control", "receiver")


@dataclass(frozen=True)
class Mutant:
    """One deliberately broken gateway: its name, its defect, and the cases that kill it.

    It breaks `requirements`. `killed_by` are titles of scenarios or ids of boundary cases: each
    fails against it, and together their failures name all of its requirements. Requests to other
    `interfaces` reach the original unchanged. `describe` changes the target file where the defect
    is in the description of the target.
    """

    name: str
    description: str
    requirements: tuple[str, ...]
    killed_by: tuple[str, ...]
    function: MutantFunction
    interfaces: tuple[Interface, ...] = MERCHANT_APIS
    describe: Describe = dict

    def __call__(self, request: ProxiedRequest, original: OriginalGateway) -> Answer:
        """The response of the mutant."""
        if request.interface not in self.interfaces:
            return original.forward(request)
        return self.function(request, original)


def mutant(
    *requirements: str,
    killed_by: tuple[str, ...],
    interfaces: tuple[Interface, ...] = MERCHANT_APIS,
    describe: Describe = dict,
) -> Callable[[MutantFunction], Mutant]:
    """Make a mutant of a function: the function names it, the docstring describes its defect."""

    def build_mutant(function: MutantFunction) -> Mutant:
        description = (function.__doc__ or "").strip()
        return Mutant(
            function.__name__,
            description,
            requirements,
            killed_by,
            function=function,
            interfaces=interfaces,
            describe=describe,
        )

    return build_mutant
