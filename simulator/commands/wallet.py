"""`sandgate wallet`: tokens as a wallet would give them to a shop."""

from typing import Annotated, Any

import typer

from simulator.commands.asking import (
    CaOption,
    KeyOption,
    SandboxOption,
    UrlOption,
    asking,
    sandbox_in,
)

app = typer.Typer(name="wallet", help="Make wallet tokens.", no_args_is_help=True)


@app.callback()
def wallet() -> None:
    """Make wallet tokens, which the gateway opens again."""


@app.command("token")
def token(
    *,
    protocol: Annotated[str, typer.Option(help="EC_v1 or ECv2.")] = "EC_v1",
    card: Annotated[str, typer.Option(help="The card number in it.")] = "4200000000000000",
    expiry: Annotated[str, typer.Option(help="MM/YYYY.")] = "12/2034",
    amount: Annotated[str, typer.Option(help="What the shopper agrees to (EC_v1).")] = "10.00",
    currency: Annotated[str, typer.Option(help="Its currency.")] = "EUR",
    fault: Annotated[
        str | None,
        typer.Option(help="What is wrong: signature, certificate, chain, recipient or stale."),
    ] = None,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    sandbox: SandboxOption = None,
    ca_file: CaOption = None,
) -> None:
    """Make a token for a sandbox and print it: the value of mobileWallet.paymentToken."""
    month, _, year = expiry.partition("/")
    order: dict[str, Any] = {
        "protocol": protocol,
        "number": card,
        "expiryMonth": month,
        "expiryYear": year,
        "amount": amount,
        "currency": currency,
    }
    if fault is not None:
        order["fault"] = fault
    with asking(control_url, control_key, ca_file) as control:
        typer.echo(control.wallet_token(sandbox_in(control, sandbox), **order))
