"""The options of `sandgate check-merchant`, in the order its help shows them."""

from pathlib import Path
from typing import Annotated, Any

import typer


def _of(panel: str, help: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel=panel, **more)


JUDGED, WAY, REPORTS = "What is judged", "How it is judged", "Reports"

WebhookUrl = Annotated[str, _of(JUDGED, "Where the merchant takes notifications.")]
Key = Annotated[
    str | None,
    _of(
        JUDGED,
        "The receiver's key, 64 hex digits; rather in the variable, for a command line can be "
        "seen.",
        metavar="HEX",
        envvar="SANDGATE_WEBHOOK_SECRET",
        show_default=False,
    ),
]
KeyFile = Annotated[Path | None, _of(JUDGED, "A file with the key.", metavar="FILE")]
Forms = Annotated[
    list[str] | None,
    _of(JUDGED, "hex (as it is without this), or wrapped, or one after the other.", metavar="FORM"),
]
StateUrl = Annotated[
    str | None,
    _of(
        JUDGED,
        "Where the merchant tells what it believes of a payment; {id} and "
        "{merchantTransactionId} are filled in.",
        metavar="URL",
    ),
]
StateCommand = Annotated[
    str | None, _of(JUDGED, "A command that prints the same.", metavar="COMMAND")
]
RestartCommand = Annotated[
    str | None,
    _of(JUDGED, "A command that ends the receiver and starts it again.", metavar="COMMAND"),
]
ShopResultUrl = Annotated[
    str | None, _of(JUDGED, "The page a shopper comes back to: shopperResultUrl.", metavar="URL")
]
ShopStartUrl = Annotated[
    str | None, _of(JUDGED, "A page that begins an order, with a checkout.", metavar="URL")
]
PaidText = Annotated[
    str, _of(JUDGED, "What the result page says of a paid order alone.", metavar="TEXT")
]

Only = Annotated[
    list[str] | None,
    _of(WAY, "A check, or a group such as refuses; may be repeated.", metavar="ID"),
]
AllowRemote = Annotated[
    list[str] | None,
    _of(
        WAY,
        "A host that is yours to test. Without it no other machine is asked: what is sent is "
        "malformed on purpose.",
        metavar="HOST",
    ),
]
Listen = Annotated[
    str, _of(WAY, "Where the judge's own gateway is, for the shop to ask.", metavar="HOST:PORT")
]
TimeLimit = Annotated[float, _of(WAY, "How long an answer may take.", metavar="SECONDS", min=0.1)]
Settle = Annotated[
    float,
    _of(WAY, "How long the merchant may think after it answered.", metavar="SECONDS", min=0),
]
Watch = Annotated[
    float, _of(WAY, "How long to watch what the shop asks.", metavar="SECONDS", min=1)
]
CaFile = Annotated[Path | None, _of(WAY, "Who signed the merchant's certificates.", metavar="FILE")]
ListChecks = Annotated[bool, typer.Option("--list", help="Print every check; judge nothing.",
                                          rich_help_panel=WAY)]  # fmt: skip

Json = Annotated[Path | None, _of(REPORTS, "Write a JSON report.", metavar="FILE")]
Junit = Annotated[Path | None, _of(REPORTS, "Write a JUnit report.", metavar="FILE")]
Html = Annotated[Path | None, _of(REPORTS, "Write an HTML report.", metavar="FILE")]
Events = Annotated[
    Path | None, _of(REPORTS, "Write the stream of verdicts, as it goes.", metavar="FILE")
]
