"""OpenAPI 3.1 of the control API: one row an operation. A test compares rows and routes."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from simulator.derive.openapi.headers import header_components, headers_of
from simulator.grammar.version import __version__
from simulator.web.control.description.query_schemas import PASSPHRASE_SCHEMA, QUERY
from simulator.web.control.description.schemas import control_schemas, schema_ref

JSON = "application/json"
FILE = "application/octet-stream"
PASSPHRASE = "Sandgate-Passphrase"
NAMES_A_FILE = {FILE: ("Content-Disposition",)}
DESCRIPTION = """Isolated sandboxes for tests: their clocks, the scripts that decide how the
acquirer answers, and the payments that wait for an answer. The server's control key opens
everything, a sandbox's own key that sandbox. `/_sandbox/behaviour.schema.json` is the JSON
Schema of behaviours and of the scripts that arm them."""

SEARCH = "ndc payment path code since until limit before after follow"


class Row(NamedTuple):
    """One operation: its answer (status and schema), its refusals, and the document it takes.

    `query` names the parameters of the query, `header` one of the header; `media` is what it
    answers in, `sent` what it takes: a file is what says that it is one.
    """

    method: str
    path: str
    id: str
    summary: str
    answer: str
    refusals: str = "404"
    takes: str = ""
    query: str = ""
    media: str = JSON
    header: str = ""
    sent: str = JSON


# fmt: off
ROWS: Mapping[str, tuple[Row, ...]] = {
    "Sandboxes": (
        Row("post",   "/sandboxes", "create_sandbox", "Make a sandbox",
            "201 Credentials", "400 413 415", "AskedSandbox"),
        Row("get",    "/sandboxes", "list_sandboxes", "List the sandboxes",
            "200 SandboxList", ""),
        Row("get",    "/sandboxes/{id}", "read_sandbox", "Read a sandbox",
            "200 Sandbox"),
        Row("delete", "/sandboxes/{id}", "delete_sandbox", "Delete a sandbox with everything in it",
            "200 Deleted"),
        Row("post",   "/sandboxes/{id}/reset", "reset_sandbox", "Empty a sandbox, keep its tokens",
            "200 Sandbox"),
        Row("get",    "/sandboxes/{id}/snapshot", "take_snapshot", "Take a sandbox as one file",
            "200 Snapshot", "400 404", media=FILE, header=PASSPHRASE),
        Row("post",   "/sandboxes/restore", "restore_snapshot", "Make a sandbox as it was then",
            "200,201 Sandbox", "400 415", "Snapshot", header=PASSPHRASE, sent=FILE),
    ),
    "Entities": (
        Row("get",    "/sandboxes/{id}/merchants", "list_merchants", "List the merchants",
            "200 MerchantList"),
        Row("post",   "/sandboxes/{id}/merchants", "add_merchant", "Add a merchant",
            "201 MerchantCredentials", "400 404 413 415", "AskedMerchant"),
        Row("get",    "/sandboxes/{id}/merchants/{merchant}", "read_merchant", "Read a merchant",
            "200 Merchant"),
        Row("patch",  "/sandboxes/{id}/merchants/{merchant}", "change_merchant",
            "Change a merchant", "200 Merchant", "400 404 413 415", "AskedMerchantChange"),
        Row("post",   "/sandboxes/{id}/merchants/{merchant}/channels", "add_channel",
            "Add a channel", "201 Channel", "400 404 413 415", "AskedChannel"),
        Row("get",    "/sandboxes/{id}/merchants/{merchant}/channels/{channel}", "read_channel",
            "Read a channel", "200 Channel"),
        Row("patch",  "/sandboxes/{id}/merchants/{merchant}/channels/{channel}", "change_channel",
            "Change a channel", "200 Channel", "400 404 413 415", "AskedChannel"),
        Row("get",    "/sandboxes/{id}/merchants/{merchant}/tokens", "list_tokens",
            "List the tokens without their values", "200 TokenList"),
        Row("post",   "/sandboxes/{id}/merchants/{merchant}/tokens", "issue_token",
            "Issue another token", "201 IssuedToken", "400 404 413 415", "AskedToken"),
        Row("post",   "/sandboxes/{id}/merchants/{merchant}/tokens/{token}/suspend",
            "suspend_token", "Suspend a token", "200 Token"),
        Row("post",   "/sandboxes/{id}/merchants/{merchant}/tokens/{token}/activate",
            "activate_token", "Activate a token", "200 Token"),
        Row("post",   "/sandboxes/{id}/merchants/{merchant}/tokens/{token}/rotate", "rotate_token",
            "Put a new token in its place", "200 IssuedToken"),
        Row("get",    "/sandboxes/{id}/merchants/{merchant}/sftp", "read_sftp_access",
            "Read how it fetches files", "200 SftpAccess"),
        Row("put",    "/sandboxes/{id}/merchants/{merchant}/sftp", "set_sftp_access",
            "Let it fetch files by SFTP", "200 SftpAccess", "400 404 413 415",
            "AskedSftpAccess"),
        Row("delete", "/sandboxes/{id}/merchants/{merchant}/sftp", "remove_sftp_access",
            "Let it fetch files no more", "200 Deleted"),
        Row("get",    "/sandboxes/{id}/merchants/{merchant}/sftp-push", "read_push_target",
            "Read where its files are pushed to", "200 PushTarget"),
        Row("put",    "/sandboxes/{id}/merchants/{merchant}/sftp-push", "set_push_target",
            "Push its files to a server", "200 PushTarget", "400 404 413 415",
            "AskedPushTarget"),
        Row("delete", "/sandboxes/{id}/merchants/{merchant}/sftp-push", "remove_push_target",
            "Push its files no more", "200 Deleted"),
    ),
    "Console": (
        Row("get",    "/people", "list_people", "List who may sign in to the console,"
            " and who was invited", "200 PersonList", ""),
        Row("post",   "/people", "invite_person", "Invite a person to the console",
            "201 IssuedInvitation", "400 413 415", "AskedInvitation"),
        Row("delete", "/people/{person}", "remove_person", "Remove a person from the console, or an"
            " invitation", "200 Deleted", "400 404"),
    ),
    "Scripts": (
        Row("post",   "/sandboxes/{id}/scripts", "arm_script", "Arm a script: the newest answers",
            "201 Script", "400 404 413 415", "AskedScript"),
        Row("get",    "/sandboxes/{id}/scripts", "list_scripts", "List the scripts, newest first",
            "200 ScriptList"),
        Row("get",    "/sandboxes/{id}/scripts/{script}", "read_script", "Read a script",
            "200 Script"),
        Row("delete", "/sandboxes/{id}/scripts/{script}", "disarm_script", "Disarm a script",
            "200 Deleted"),
    ),
    "Breakpoints": (
        Row("get",    "/sandboxes/{id}/breakpoints", "read_breakpoints",
            "Read where messages are held", "200 Breakpoints"),
        Row("put",    "/sandboxes/{id}/breakpoints", "set_breakpoints",
            "Hold messages at these parties", "200 Breakpoints", "400 404 413 415",
            "Breakpoints"),
        Row("get",    "/sandboxes/{id}/held", "list_held", "List the messages that are held",
            "200 HeldList"),
        Row("post",   "/sandboxes/{id}/held/{held}", "let_go", "Let a held message go on",
            "200 Held", "400 404 413 415", "AskedLet"),
    ),
    "Wallets": (
        Row("get",    "/sandboxes/{id}/wallet", "read_wallet", "Read whom tokens are made for",
            "200 Wallet"),
        Row("post",   "/sandboxes/{id}/wallet/tokens", "make_wallet_token", "Make a wallet token",
            "201 WalletToken", "400 404 413 415", "AskedWalletToken"),
    ),
    "Terminals": (
        Row("post",   "/sandboxes/{id}/terminals", "create_terminal", "Create a terminal",
            "201 NewTerminal", "400 404 413 415", "AskedTerminal"),
        Row("get",    "/sandboxes/{id}/terminals", "list_terminals", "List the terminals",
            "200 TerminalList"),
        Row("get",    "/sandboxes/{id}/terminals/{terminal}", "read_terminal", "Read a terminal",
            "200 Terminal"),
        Row("delete", "/sandboxes/{id}/terminals/{terminal}", "delete_terminal",
            "Remove a terminal with its keys", "200 Deleted"),
        Row("post",   "/sandboxes/{id}/terminals/{terminal}/certificate", "certify_terminal",
            "Certify the key of a terminal", "201 TerminalCertificate", "400 404 413 415",
            "AskedCertificate"),
        Row("post",   "/sandboxes/{id}/terminals/{terminal}/keys", "load_terminal_keys",
            "Load new keys into a terminal remotely", "201 RemoteLoad", "400 404 413 415",
            "AskedKeys"),
        Row("post",   "/sandboxes/{id}/terminals/{terminal}/rollover", "roll_over_terminal_keys",
            "Send the next keys of a terminal, under its update keys", "201 KeyRollover",
            "400 404 413 415", "AskedRollover"),
    ),
    "Checkouts": (
        Row("post",   "/sandboxes/{id}/checkouts/{checkout}/capability", "issue_capability",
            "Let a form post once", "201 FormCapability"),
        Row("put",    "/sandboxes/{id}/checkouts/{checkout}/brands", "set_form_brands",
            "Set the brands its form offers", "200 BrandsOnOffer", "400 404 413 415",
            "BrandsOnOffer"),
    ),
    "Webhooks": (
        Row("post",   "/sandboxes/{id}/webhooks", "create_webhook", "Make an endpoint, and call it",
            "201 NewWebhook", "400 404 413 415", "AskedWebhook"),
        Row("get",    "/sandboxes/{id}/webhooks", "list_webhooks", "List the endpoints",
            "200 WebhookList"),
        Row("get",    "/sandboxes/{id}/webhooks/{endpoint}", "read_webhook", "Read an endpoint",
            "200 Webhook"),
        Row("patch",  "/sandboxes/{id}/webhooks/{endpoint}", "change_webhook", "Change an endpoint",
            "200 Webhook", "400 404 413 415", "AskedWebhookChange"),
        Row("delete", "/sandboxes/{id}/webhooks/{endpoint}", "delete_webhook", "Remove an endpoint",
            "200 Deleted"),
        Row("post",   "/sandboxes/{id}/webhooks/{endpoint}/activate", "activate_webhook", "Call it",
            "200 Webhook"),
        Row("post",   "/sandboxes/{id}/webhooks/{endpoint}/rotate", "rotate_secret",
            "Give it another secret", "200 RotatedWebhook", "400 404 413 415", "AskedRotation"),
        Row("post",   "/sandboxes/{id}/webhooks/{endpoint}/rotate/finish", "finish_rotation",
            "Use the other secret", "200 Webhook", "400 404"),
        Row("get",    "/sandboxes/{id}/notices", "list_notices", "List events, newest first",
            "200 NoticeList", "400 404", query="failed payment limit"),
        Row("post",   "/sandboxes/{id}/notices", "trigger_event", "Trigger an event",
            "201 Notice", "400 404 413 415", "AskedTrigger"),
        Row("get",    "/sandboxes/{id}/notices/{notice}", "read_notice", "Read a webhook event",
            "200 NoticeWithPayload"),
        Row("post",   "/sandboxes/{id}/notices/{notice}/resend", "resend_notice",
            "Deliver it again", "200 Notice"),
        Row("get",    "/sandboxes/{id}/inbox", "read_inbox", "Show what arrived",
            "200 Inbox", "400 404", query="count wait"),
        Row("delete", "/sandboxes/{id}/inbox", "empty_inbox", "Forget what arrived",
            "200 Emptied"),
        Row("post",   "/sandboxes/{id}/inbox/{key}", "post_to_inbox", "Post to the inbox",
            "200 Taken", "400 404 413"),
    ),
    "Clock": (
        Row("get",    "/sandboxes/{id}/clock", "read_clock", "Read the clock",
            "200 Clock"),
        Row("put",    "/sandboxes/{id}/clock", "set_clock", "Set the clock",
            "200 Clock", "400 404 413 415", "AskedClock"),
        Row("post",   "/sandboxes/{id}/clock/advance", "advance_clock", "Do what is due",
            "200 Clock", "400 404 413 415", "AskedAdvance"),
        Row("get",    "/sandboxes/{id}/pending", "list_pending", "List what is pending",
            "200 PendingList"),
        Row("post",   "/sandboxes/{id}/pending/{payment}", "release_pending", "End it",
            "200 Released", "400 404 413 415", "AskedRelease"),
        Row("post",   "/sandboxes/{id}/drain", "drain", "Wait until nothing is under way",
            "200 Drained", "400 404 413 415", "AskedDrain"),
    ),
    "Books": (
        Row("get",    "/sandboxes/{id}/books", "reconcile_ledgers", "Compare gateway and card host",
            "200 ReconciliationReport"),
    ),
    "Settlement": (
        Row("get",    "/sandboxes/{id}/settlements", "list_settlements", "List the runs, by day",
            "200 SettlementList"),
        Row("post",   "/sandboxes/{id}/settlements", "settle", "Settle the bank days that are over",
            "200 SettledList", "400 404 413 415", "AskedSettlement"),
        Row("get",    "/sandboxes/{id}/settlements/{run}", "read_settlement", "Read a run",
            "200 SettlementDetail"),
        Row("get",    "/sandboxes/{id}/settlements/{run}/picture.svg", "draw_settlement", "Draw it",
            "200 Text", media="image/svg+xml"),
        Row("get",    "/sandboxes/{id}/settlements/{run}/keys/{account}", "read_settlement_key",
            "Read the answer key of a merchant account", "200 Text",
            media="application/x-ndjson"),
        Row("post",   "/sandboxes/{id}/settlements/{run}/pushes", "push_again",
            "Push now what is not pushed yet", "200 FilePushList"),
        Row("post",   "/sandboxes/{id}/settlement-faults", "plant_settlement_faults",
            "Plant faults in the next file", "201 ArmedSettlementFaults", "400 404 413 415",
            "AskedSettlementFaults"),
    ),
    "Throttle": (
        Row("get",    "/sandboxes/{id}/throttle", "read_throttles", "Read the table of each host",
            "200 Throttles"),
        Row("put",    "/sandboxes/{id}/throttle", "set_throttles", "Throttle by other tables",
            "200 Throttles", "400 404 413 415", "AskedThrottles"),
    ),
    "Journal": (
        Row("get",    "/sandboxes/{id}/journal", "search_journal", "Search, newest first",
            "200 JournalPage", "400 404", query=SEARCH),
        Row("get",    "/sandboxes/{id}/journal/{ndc}", "read_entry", "Read one exchange",
            "200 JournalEntry", "400 404", query="number"),
        Row("get",    "/sandboxes/{id}/payments/{payment}/trace", "read_trace", "Trace a payment",
            "200 Text", media="text/plain"),
        Row("get",    "/sandboxes/{id}/payments/{payment}/trace.svg", "draw_trace", "Draw it",
            "200 Text", media="image/svg+xml"),
        Row("get",    "/sandboxes/{id}/payments/{payment}/trace.json", "list_trace", "List it",
            "200 Trace"),
        Row("get",    "/journal", "search_unattributed", "Search exchanges of no sandbox",
            "200 JournalPage", "400", query=SEARCH),
        Row("get",    "/journal/{ndc}", "read_unattributed", "Read one of these exchanges",
            "200 JournalEntry"),
    ),
}
REFUSALS: Mapping[str, str] = {
    "400": "A document that cannot be used; error says where, what was expected and what came.",
    "401": "No control key, or a wrong one.",
    "404": "Nothing has the id.",
    "413": "A document of more than 1 MiB or 100,000 values, or a script of more than 4 KiB.",
    "415": "A body with a Content-Encoding, such as gzip.",
    "500": "A mistake of the gateway; it is logged, and the process goes on.",
    "503": "Nothing was stored: the disk is full, too much changes or waits at once, or data is "
    "damaged.",
}
EXAMPLES: Mapping[str, dict[str, Any]] = {
    "AskedSandbox": {},
    "AskedMerchant": {"name": "Second", "channels": [{"name": "Till"}]},
    "AskedMerchantChange": {"name": "Renamed"},
    "AskedChannel": {"currencies": ["EUR"], "three_d_secure": {"VISA": "2.2.0"}},
    "AskedToken":   {"alias": "till", "host": "test"},
    "AskedSftpAccess": {"password": "twelve or more"},
    "AskedPushTarget": {
        "host": "sftp.example", "user": "jones", "password": "theirs",
        "host_key": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{'A' * 43}",
    },
    "AskedScript":  {"behaviour": "decline"},
    "Breakpoints":  {"parties": ["acquirer"]},
    "AskedLet":     {"action": "release"},
    "AskedTerminal": {"model": "SANDGATE_COUNTERTOP", "method": "AES"},
    "AskedCertificate": {"request": "-----BEGIN CERTIFICATE REQUEST-----"},
    "AskedRollover": {"pin": "5A00001A00047314", "data": "5A00002A00047314"},
    "AskedKeys": {"certificate": "-----BEGIN CERTIFICATE-----", "nonce": "0" * 32},
    "AskedWebhook": {"url": "inbox"},
    "AskedWebhookChange": {"types": ["PAYMENT"]},
    "AskedRotation": {},
    "AskedTrigger": {"event": "payment.updated", "payment": "8" + "0" * 31},
    "AskedClock":   {"mode": "frozen", "at": "2027-01-31T12:00:00Z"},
    "AskedAdvance": {"by": "30m"},
    "AskedRelease": {"outcome": "success"},
    "AskedDrain":   {"timeout": "1s"},
    "AskedInvitation": {"name": "jane", "role": "viewer"},
    "AskedThrottles": {"throttle": "field"},
    "AskedSettlement": {"institute": "Sandgate Clearing"},
    "AskedSettlementFaults": {"institute": "Sandgate Clearing", "plan": "counts: {missing: 1}"},
    "AskedWalletToken": {"protocol": "EC_v1", "number": "4200000000000000", "amount": "10.00"},
    "BrandsOnOffer": {"brands": ["VISA"], "active": True},
}
# fmt: on


def control_openapi_document() -> dict[str, Any]:
    """The control API, as `/_sandbox/openapi.json` shows it."""
    paths: dict[str, Any] = {}
    for tag, rows in ROWS.items():
        for row in rows:
            paths.setdefault(row.path, _path(row))[row.method] = _operation(row, tag)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sandgate control",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/_sandbox/v1"}],
        "security": [{"controlKey": []}],
        "tags": [{"name": tag} for tag in ROWS],
        "paths": paths,
        "components": {
            "securitySchemes": {"controlKey": {"type": "http", "scheme": "bearer"}},
            "schemas": control_schemas(),
            "responses": {
                status: {
                    "description": said,
                    "headers": headers_of(status),
                    "content": _content("Refusal"),
                }
                for status, said in REFUSALS.items()
            },
            "headers": header_components("Location", "Sandgate-Capability"),
        },
    }


def _path(row: Row) -> dict[str, Any]:
    names = re.findall(r"{(\w+)}", row.path)
    text = {"type": "string", "minLength": 1}
    parameters = [{"name": name, "in": "path", "required": True, "schema": text} for name in names]
    return {"parameters": parameters} if parameters else {}


def _operation(row: Row, tag: str) -> dict[str, Any]:
    statuses, schema = row.answer.split()
    refusals = sorted({"401", "500", "503", *row.refusals.split()})
    answered = {
        "description": row.summary,
        "headers": headers_of(statuses, *NAMES_A_FILE.get(row.media, ())),
        "content": _content(schema, row.media),
    }
    operation: dict[str, Any] = {
        "operationId": row.id,
        "tags": [tag],
        "summary": row.summary,
        "responses": {
            **dict.fromkeys(statuses.split(","), answered),
            **{refused: {"$ref": f"#/components/responses/{refused}"} for refused in refusals},
        },
    }
    names = row.query.split()
    parameters = [{"name": name, "in": "query", "schema": QUERY[name]} for name in names]
    if row.header:
        parameters.append({"name": row.header, "in": "header", "schema": PASSPHRASE_SCHEMA})
    if parameters:
        operation["parameters"] = parameters
    if row.takes:
        operation["requestBody"] = {"required": True, "content": _taken(row)}
    return operation


def _taken(row: Row) -> dict[str, Any]:
    if row.sent == FILE:
        return _content(row.takes, FILE)
    return {JSON: {"schema": schema_ref(row.takes), "example": EXAMPLES[row.takes]}}


def _content(schema: str, media: str = JSON) -> dict[str, Any]:
    return {media: {"schema": schema_ref(schema)}}
