"""What `sandgate serve` prints when it is ready: addresses, credentials, and two lines to paste."""

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from simulator.variables import api_url_of, export_line

ROWS = (
    #  title              key
    ("API", "base_url"),
    ("API over TLS", "tls_url"),
    ("From other machines", "shared_url"),
    ("Live host", "live_url"),
    ("Card host", "card_host"),
    ("3-D Secure ACS", "acs_url"),
    ("SFTP server", "sftp"),
    ("SFTP host key", "sftp_fingerprint"),
    ("Control API", "control_url"),
    ("Control key", "control_key"),
    ("Access token", "token"),
    ("Live token", "live_token"),
    ("Entity id", "entity_id"),
    ("Profile", "profile"),
    ("Throttle table", "throttle"),
    ("Throttle, live", "live_throttle"),
)
TOKENS = ("token", "live_token")


def print_banner(facts: Mapping[str, str], *, ca: Path) -> None:
    """Print the facts of a ready gateway to standard output."""
    console = Console(highlight=False)
    grid = Table.grid(padding=(0, 2))
    rows = {**{key: _no_token(facts) for key in TOKENS}, **facts}
    for title, key in (each for each in ROWS if each[1] in rows):
        # Folded in a narrow window: an address or a key that is cut short is of no use.
        grid.add_row(Text(title, style="dim"), Text(rows[key], style="bold", overflow="fold"))
    grid.add_row(Text("Certificate", style="dim"), Text(str(ca)))
    console.print(Panel(grid, title="Sandgate is ready", expand=False))
    # Plain print for what is pasted: a terminal may wrap a line, but nothing may break it in two.
    console.print("The console, to open in a browser on this machine:\n")
    print(facts["console_url"], end="\n\n")
    if "token" in facts:
        console.print("A first payment, to paste into a second terminal:\n")
        print(first_payment(facts, ca=ca), end="\n\n")
    console.print("Commands and variables of the documentation, for the same terminal:\n")
    print(export_line({**facts, "ca_file": str(ca.absolute())}), flush=True)


def _no_token(facts: Mapping[str, str]) -> str:
    """What stands in the place of a token that is suspended. Choice: D-716."""
    console = facts["console_url"].partition("/console")[0]
    return f"none is active: {console}/console/{facts.get('sandbox_id', '')}/tokens issues one"


def first_payment(facts: Mapping[str, str], *, ca: Path) -> str:
    """One curl line that takes a payment at the gateway the facts describe."""
    url = api_url_of(facts) + "v1/payments"
    trust = f" --cacert '{ca}'" if url.startswith("https:") else ""
    sent = (
        f"entityId={facts['entity_id']}&amount=92.00&currency=EUR&paymentType=PA&paymentBrand=VISA"
        "&card.number=4200000000000000&card.holder=Jane+Jones&card.expiryMonth=05"
        "&card.expiryYear=2034&card.cvv=123"
    )
    return f"curl{trust} {url} -H 'Authorization: Bearer {facts['token']}' -d '{sent}'"
