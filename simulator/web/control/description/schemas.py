"""JSON Schema of the documents of the control API, derived from their structs."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from simulator.domain.core.entities import BrandsOnOffer
from simulator.domain.core.shapes import Anything, shape
from simulator.domain.merchants.credentials import Credentials, MerchantCredentials
from simulator.domain.merchants.entities import GIVEN, AskedMerchant, AskedMerchantChange
from simulator.domain.merchants.hierarchy import AskedClock, AskedSandbox
from simulator.domain.merchants.sftp import AskedSftpAccess
from simulator.domain.settlement.pushing import AskedPushTarget
from simulator.domain.terminals.loading import (
    AskedCertificate,
    AskedKeys,
    AskedRollover,
    KeyRollover,
    RemoteLoad,
    TerminalCertificate,
)
from simulator.domain.terminals.terminals import AskedTerminal
from simulator.domain.wallets import TokenOrder
from simulator.service.webhooks.endpoints import AskedEndpoint, AskedEndpointChange
from simulator.web.control import (
    clock,
    holding,
    settlements,
    throttling,
    tokens,
    webhooks,
)
from simulator.web.control.documents import entities, events, people, settlement
from simulator.web.control.documents import holding as held

DOCUMENTS = (entities, events, held, people, settlement)
REF = "#/components/schemas/{name}"
TEXT = {"type": "string"}
ASKED = (
    BrandsOnOffer,
    AskedSandbox,
    AskedClock,
    clock.AskedAdvance,
    clock.AskedRelease,
    clock.AskedDrain,
    AskedMerchant,
    AskedMerchantChange,
    tokens.AskedToken,
    AskedEndpoint,
    AskedEndpointChange,
    webhooks.AskedRotation,
    webhooks.AskedTrigger,
    throttling.AskedThrottles,
    TokenOrder,
    AskedTerminal,
    AskedCertificate,
    AskedKeys,
    AskedRollover,
    AskedSftpAccess,
    AskedPushTarget,
    people.AskedInvitation,
    held.Breakpoints,
    holding.AskedLet,
    settlements.AskedSettlement,
    settlements.AskedSettlementFaults,
)
# Answers of the domain that are shown as they are.
ANSWERED = (TerminalCertificate, RemoteLoad, KeyRollover)
# Structs whose documents the OpenAPI description has under another name than the struct's.
NAMES = {
    "AskedEndpoint": "AskedWebhook",
    "AskedEndpointChange": "AskedWebhookChange",
    "TokenOrder": "AskedWalletToken",
    "TableDocument": "ThrottleTable",
}
ONE_MEMBER = {"minProperties": 1, "maxProperties": 1}
# What stands in some answers of a document alone: the answers that have it, and those that do not,
# have a schema each. Without this a secret that was just issued would be optional.
ONLY_IN: Mapping[str, Mapping[str, str]] = {
    "Token": {"token": "IssuedToken"},
    "Webhook": {"secret": "NewWebhook", "next_secret": "RotatedWebhook"},
    "Notice": {"payload": "NoticeWithPayload"},
    "Terminal": {"load": "NewTerminal"},
}


class AskedScript(Struct, frozen=True, forbid_unknown_fields=True):
    """A script to arm. It is read by the schema of behaviours, which names every member."""

    behaviour: Annotated[
        Any, shape("Its name, or the behaviour itself.", type=["string", "object"])
    ]
    match: Annotated[Anything, shape("The requests it is for; every criterion must match.")] = {}
    times: Annotated[int, shape("How often it answers; without it: always.", minimum=1)] | None = (
        None
    )


def control_schemas() -> dict[str, Any]:
    """Every schema by its name. Objects are closed; a struct's docstring describes its schema."""
    structs = (*ASKED, AskedScript, Credentials, MerchantCredentials, *_answered())
    _, found = msgspec.json.schema_components(structs, ref_template=REF)
    schemas = {_name_of(name): _renamed(schema) for name, schema in found.items()}
    for name, schema in schemas.items():
        schema.pop("title", None)
        if not _is_asked(name) and "properties" in schema:
            schema["additionalProperties"] = False
    schemas["AskedAdvance"] |= ONE_MEMBER
    for each in _answered():
        if not each.__struct_config__.omit_defaults:
            _demand_defaults(schemas[_name_of(each.__name__)])
    return {
        **schemas,
        **dict(_with_own_members(schemas)),
        "AskedChannel": _settings_of(schemas["Channel"]),
        "Snapshot": {"description": "A snapshot: header, sandbox and log.", **TEXT},
        "Text": TEXT,
    }


def schema_ref(name: str) -> dict[str, Any]:
    """The reference to one of them."""
    return {"$ref": REF.format(name=name)}


def _is_asked(name: str) -> bool:
    return name.startswith("Asked")


def _demand_defaults(schema: dict[str, Any]) -> None:
    """An answer has each of its members, also those with the value they have by default."""
    for name, member in schema.get("properties", {}).items():
        if "default" in member:
            del member["default"]
            schema.setdefault("required", []).append(name)


def _with_own_members(schemas: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The schemas of `ONLY_IN`, by name; their members are taken out of the plain ones."""
    for base, special in ONLY_IN.items():
        plain = schemas[base]
        taken = {member: plain["properties"].pop(member) for member in special}
        for member, name in special.items():
            properties = {**plain["properties"], member: taken[member]}
            yield (
                name,
                {
                    **plain,
                    "properties": properties,
                    "required": [*plain["required"], member],
                },
            )


def _answered() -> Iterator[type[Struct]]:
    """The structs that answers are: those of the modules of documents, and of the domain."""
    yield from ANSWERED
    for module in DOCUMENTS:
        for each in vars(module).values():
            if isinstance(each, type) and each.__module__ == module.__name__ and each not in ASKED:
                yield each


def _settings_of(channel: Mapping[str, Any]) -> dict[str, Any]:
    """A channel as it is asked for: every setting may be left out, and its ids are never chosen."""
    settings = {name: each for name, each in channel["properties"].items() if name not in GIVEN}
    return {"type": "object", "properties": settings, "additionalProperties": False}


def _name_of(struct: str) -> str:
    return NAMES.get(struct, struct.removesuffix("Document"))


def _renamed(schema: Any) -> Any:
    """The schema with the references it has under the names of `_name_of`."""
    if isinstance(schema, (list, tuple)):
        return [_renamed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    renamed = {name: _renamed(each) for name, each in schema.items()}
    if isinstance(renamed.get("$ref"), str):
        head, _, struct = renamed["$ref"].rpartition("/")
        renamed["$ref"] = f"{head}/{_name_of(struct)}"
    return renamed
