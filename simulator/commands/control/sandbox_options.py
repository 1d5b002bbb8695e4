"""The options of `sandgate sandbox create`, in the order its help shows them."""

from typing import Annotated, Literal

import typer

from simulator.commands.control.clock import ClockMode

ProfileOption = Annotated[
    Literal["specification", "field"] | None,
    typer.Option(metavar="NAME", help="Profile: specification or field."),
]
OverrideOption = Annotated[
    list[str] | None,
    typer.Option(metavar="D-nn=VALUE", help="Override of a decision; may be repeated."),
]
SeedOption = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="Seed of drawn names and numbers.")
]
ClockOption = Annotated[
    ClockMode | None,
    typer.Option(metavar="MODE", help="Clock: real, frozen, offset or scaled."),
]
AtOption = Annotated[
    str | None, typer.Option(metavar="INSTANT", help="Where the clock stands or starts.")
]
RateOption = Annotated[float | None, typer.Option(metavar="NUMBER", help="Rate of a scaled clock.")]
ThrottleOption = Annotated[
    str | None,
    typer.Option(metavar="TABLE", help="Throttle table of the test host: a name or a file."),
]
LiveThrottleOption = Annotated[
    str | None,
    typer.Option(metavar="TABLE", help="Throttle table of the live host: a name or a file."),
]
MerchantOption = Annotated[str | None, typer.Option(metavar="NAME", help="Name of its merchant.")]
ChannelOption = Annotated[
    list[str] | None,
    typer.Option(metavar="JSON", help="Settings of a channel; may be repeated."),
]
DocumentOption = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="FILE", help="JSON document with all of it; - is standard input."
    ),
]
