"""`sandgate form`: which brands the hosted form offers, for a checkout or by rules of a channel."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.client.shown.beginnings import beginning_of
from simulator.commands.control.connection import with_sandbox
from simulator.commands.control.documents import parse_object
from simulator.commands.surface.output import FormatOption, print_result
from simulator.settings import SettingsError

app = typer.Typer(no_args_is_help=True)


@app.callback()
def form() -> None:
    """Choose the brands that the hosted form offers."""


@app.command("offer")
@with_sandbox
def offer(
    control: Control,
    sandbox: str,
    checkout: Annotated[str, typer.Argument(metavar="CHECKOUT", help="The id of a checkout.")],
    brands: Annotated[list[str], typer.Argument(metavar="BRAND...", help="Brands to offer.")],
    *,
    override: Annotated[
        bool, typer.Option(help="Offer them in place of those the page of the shop names.")
    ] = False,
    output_format: FormatOption = "text",
) -> None:
    """Set the brands that forms of one checkout offer, before any rule of its channel."""
    made = control.set_form_brands(sandbox, checkout, brands=brands, override=override, active=True)
    print_result(dict(made), [f"{checkout} offers {', '.join(brands)}"], output_format)


@app.command("rules")
@with_sandbox
def rules(
    control: Control,
    sandbox: str,
    channel: Annotated[str, typer.Argument(metavar="CHANNEL", help="The id of a channel.")],
    rows: Annotated[
        list[str] | None,
        typer.Argument(metavar="JSON...", help="Rules, in the order in which they decide."),
    ] = None,
    *,
    clear: Annotated[bool, typer.Option("--clear", help="Remove every rule.")] = False,
    output_format: FormatOption = "text",
) -> None:
    """Show the rules by which forms of a channel offer brands, or set them."""
    merchant, settings = _channel_of(control, sandbox, channel)
    if rows or clear:
        asked = [parse_object("JSON", row) for row in rows or ()]
        settings = control.change_channel(sandbox, merchant, channel, form_brands=asked)
    found = settings.get("form_brands", [])
    lines = [_line_of(rule) for rule in found] or ["no rule: the page of the shop decides"]
    print_result({"form_brands": found}, lines, output_format)


def _channel_of(control: Control, sandbox: str, channel: str) -> tuple[str, Mapping[str, Any]]:
    """The id of the merchant with the channel, and its settings. Raises SettingsError."""
    for merchant in control.sandbox(sandbox)["merchants"]:
        for settings in merchant["channels"]:
            if settings["id"] == channel:
                return str(merchant["id"]), settings
    raise SettingsError(f"CHANNEL: no channel of the sandbox has the id {beginning_of(channel)}")


def _line_of(rule: Mapping[str, Any]) -> str:
    criteria = [
        f"{name}={','.join(value) if isinstance(value, list) else value}"
        for name, value in rule.items()
        if name not in ("brands", "override") and value
    ]
    shown = "only" if rule.get("override") else "at most"
    return f"{' '.join(criteria) or 'always'}: {shown} {', '.join(rule['brands'])}"
