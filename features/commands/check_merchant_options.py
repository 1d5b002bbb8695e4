"""The options of `sandgate check-merchant`, in the order its help shows them."""

from pathlib import Path
from typing import Annotated, Any

import typer


def _of(panel: str, help: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel=panel, **more)


MERCHANT, RUN, REPORTS = "The merchant", "The run", "Reports"

WebhookUrl = Annotated[str, _of(MERCHANT, "Where the merchant takes notifications.")]
Key = Annotated[
    str | None,
    _of(
        MERCHANT,
        "The receiver's key, 64 hex digits; prefer the variable, since command lines are visible.",
        metavar="HEX",
        envvar="SANDGATE_WEBHOOK_SECRET",
        show_default=False,
    ),
]
KeyFile = Annotated[Path | None, _of(MERCHANT, "A file with the key.", metavar="FILE")]
Forms = Annotated[
    list[str] | None,
    _of(
        MERCHANT,
        "Body of webhook events: hex (default) or wrapped; may be repeated.",
        metavar="FORM",
    ),
]
StateUrl = Annotated[
    str | None,
    _of(
        MERCHANT,
        "The URL that shows the merchant's state of a payment; {id} and "
        "{merchantTransactionId} are filled in.",
        metavar="URL",
    ),
]
StateCommand = Annotated[
    str | None, _of(MERCHANT, "A command that prints the same.", metavar="COMMAND")
]
RestartCommand = Annotated[
    str | None,
    _of(MERCHANT, "A command that restarts the receiver.", metavar="COMMAND"),
]
ShopResultUrl = Annotated[
    str | None, _of(MERCHANT, "The page a shopper returns to: shopperResultUrl.", metavar="URL")
]
ShopStartUrl = Annotated[
    str | None, _of(MERCHANT, "A page that starts an order with a checkout.", metavar="URL")
]
PaidText = Annotated[
    str, _of(MERCHANT, "A text that the result page shows for paid orders only.", metavar="TEXT")
]

Only = Annotated[
    list[str] | None,
    _of(RUN, "A check, or a group such as refuses; may be repeated.", metavar="ID"),
]
AllowRemote = Annotated[
    list[str] | None,
    _of(
        RUN,
        "A host that you may test. Without it only this machine is tested, since malformed "
        "requests are sent on purpose.",
        metavar="HOST",
    ),
]
Listen = Annotated[
    str, _of(RUN, "Where the stub gateway listens, which the shop uses.", metavar="HOST:PORT")
]
TimeLimit = Annotated[float, _of(RUN, "Time limit of an answer.", metavar="SECONDS", min=0.1)]
Settle = Annotated[
    float,
    _of(RUN, "Wait before the merchant's state is read.", metavar="SECONDS", min=0),
]
Watch = Annotated[
    float, _of(RUN, "How long to watch the shop's requests.", metavar="SECONDS", min=1)
]
CaFile = Annotated[
    Path | None,
    _of(RUN, "Certificate authority of the merchant's TLS certificates.", metavar="FILE"),
]
ListChecks = Annotated[bool, typer.Option("--list", help="Print every check; run none.",
                                          rich_help_panel=RUN)]  # fmt: skip

Json = Annotated[Path | None, _of(REPORTS, "Write a JSON report.", metavar="FILE")]
Junit = Annotated[Path | None, _of(REPORTS, "Write a JUnit report.", metavar="FILE")]
Html = Annotated[Path | None, _of(REPORTS, "Write an HTML report.", metavar="FILE")]
Events = Annotated[
    Path | None, _of(REPORTS, "Write the stream of verdicts during the run.", metavar="FILE")
]
