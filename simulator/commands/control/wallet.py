"""`sandgate wallet`: tokens as a wallet would give them to a shop."""

from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.commands.control.connection import with_sandbox
from simulator.commands.surface.output import FormatOption, print_result

app = typer.Typer(no_args_is_help=True)


@app.callback()
def wallet() -> None:
    """Create tokens of mobile wallets, which the gateway decrypts."""


@app.command("token")
@with_sandbox
def token(
    control: Control,
    sandbox: str,
    *,
    protocol: Annotated[
        str, typer.Option(metavar="NAME", help="Wallet protocol: EC_v1 or ECv2.")
    ] = "EC_v1",
    card: Annotated[
        str, typer.Option(metavar="NUMBER", help="Card number in the token.")
    ] = "4200000000000000",
    expiry: Annotated[
        str, typer.Option(metavar="MM/YYYY", help="Expiry date of the card.")
    ] = "12/2034",
    amount: Annotated[
        str, typer.Option(metavar="AMOUNT", help="Amount the shopper agrees to (EC_v1).")
    ] = "10.00",
    currency: Annotated[str, typer.Option(metavar="CODE", help="Currency of the amount.")] = "EUR",
    fault: Annotated[
        str | None,
        typer.Option(
            metavar="FAULT",
            help="What is invalid: signature, certificate, chain, recipient or stale.",
            autocompletion=lambda: ["signature", "certificate", "chain", "recipient", "stale"],
        ),
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Create a token for a sandbox: the value of mobileWallet.paymentToken."""
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
    made = control.wallet_token(sandbox, **order)
    print_result({"token": made}, [made], output_format)
