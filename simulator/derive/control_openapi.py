"""OpenAPI 3.1 of the control API: sandboxes, and the scripts armed in them."""

from simulator import __version__

JSON = "application/json"
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
COUNT = {"type": "integer", "minimum": 0}
ID = {"type": "string", "pattern": "^[0-9a-f]{32}$(?!\\n)"}
OPEN_OBJECT = {"type": "object", "additionalProperties": True}
PROFILE = {"type": "string", "enum": ["specification", "field"]}
OVERRIDES = {
    "description": "Single decisions switched: an id such as D-14, and a profile or a value.",
    "type": "object",
    "additionalProperties": TEXT,
}
DESCRIPTION = """Worlds of one's own for tests: sandboxes, and the scripts that tell the acquirer of one
of them how to answer. The server's control key opens everything, a sandbox's own key that sandbox."""


def control_openapi_document() -> dict:
    """The control API, as `/_sandbox/openapi.json` shows it."""
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
        "tags": [{"name": "Sandboxes"}, {"name": "Scripts"}],
        "paths": _paths(),
        "components": {
            "securitySchemes": {"controlKey": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(),
            "responses": _refusals(),
        },
    }


def _paths() -> dict:
    one = {"name": "id", "in": "path", "required": True, "schema": TEXT}
    script = {"name": "script", "in": "path", "required": True, "schema": TEXT}
    asked = {"required": False, "content": {JSON: {"schema": _ref("AskedSandbox"), "example": {}}}}
    armed = {
        "required": True,
        "content": {JSON: {"schema": _ref("AskedScript"), "example": {"behaviour": "decline"}}},
    }
    # fmt: off
    return {
        "/sandboxes": {
            "post":   _operation("create_sandbox", "Make a sandbox", "201 Credentials", "400 413", body=asked),
            "get":    _operation("list_sandboxes", "List the sandboxes", "200 SandboxList"),
        },
        "/sandboxes/{id}": {
            "parameters": [one],
            "get":    _operation("read_sandbox", "Read a sandbox", "200 Sandbox", "404"),
            "delete": _operation("delete_sandbox", "Delete a sandbox with everything in it", "200 Deleted", "404"),
        },
        "/sandboxes/{id}/reset": {
            "parameters": [one],
            "post":   _operation("reset_sandbox", "Empty a sandbox: same entities and credentials, no payments",
                                 "200 Sandbox", "404"),
        },
        "/sandboxes/{id}/scripts": {
            "parameters": [one],
            "post":   _operation("arm_script", "Arm a script: the newest that fits a payment answers it",
                                 "201 Script", "400 404 413", body=armed),
            "get":    _operation("list_scripts", "List the scripts, newest first", "200 ScriptList", "404"),
        },
        "/sandboxes/{id}/scripts/{script}": {
            "parameters": [one, script],
            "get":    _operation("read_script", "Read a script: what it matched, and nearly matched",
                                 "200 Script", "404"),
            "delete": _operation("disarm_script", "Disarm a script", "200 Deleted", "404"),
        },
    }
    # fmt: on


def _operation(
    identity: str, summary: str, success: str, errors: str = "", *, body: dict | None = None
) -> dict:
    status, schema = success.split()
    refused = sorted({"401", "500", *errors.split()})
    operation: dict = {
        "operationId": identity,
        "tags": ["Scripts" if "script" in identity else "Sandboxes"],
        "summary": summary,
        "responses": {
            status: {"description": summary, "content": {JSON: {"schema": _ref(schema)}}},
            **{number: {"$ref": f"#/components/responses/{number}"} for number in refused},
        },
    }
    if body is not None:
        operation["requestBody"] = body
    return operation


def _refusals() -> dict:
    """The answers every operation shares."""
    words = {
        "400": "A document that cannot be used; error says where, what was expected and what came.",
        "401": "No control key, or a wrong one.",
        "404": "No sandbox or script has the id.",
        "413": "A document of more than 1 MiB.",
        "500": "A mistake of the gateway; it is logged, and the process goes on.",
    }
    content = {JSON: {"schema": _ref("Refusal")}}
    return {status: {"description": said, "content": content} for status, said in words.items()}


def _schemas() -> dict:
    settings = _channel_settings()
    channel = _object({"id": ID, "merchant_account": ID, **settings}, "id name merchant_account")
    merchant = {"id": ID, "name": TEXT, "channels": {"type": "array", "items": _ref("Channel")}}
    sandbox = {
        "id": ID,
        "epoch": {"description": "One more after each reset.", "type": "integer", "minimum": 1},
        "created_at": {"type": "string", "format": "date-time"},
        "profile": PROFILE,
        "overrides": OVERRIDES,
        "psp": ID,
        "division": ID,
        "merchants": {"type": "array", "items": _object(merchant)},
    }
    return {
        "AskedSandbox": _asked_sandbox(settings),
        "Channel": channel,
        "Sandbox": _object(sandbox),
        "SandboxList": _object({"sandboxes": {"type": "array", "items": _ref("Sandbox")}}),
        "Credentials": _credentials(merchant),
        **_script_schemas(),
        "Deleted": _object({"id": TEXT, "deleted": {"const": True}}),
        "Refusal": _refusal(),
    }


def _channel_settings() -> dict:
    flag = {"type": "boolean"}
    return {
        "name": TEXT,
        "clearing_institute": TEXT,
        "brands": {"description": "None: every card brand.", **TEXTS},
        "currencies": {"description": "None: every currency.", **TEXTS},
        "brand_detection": flag,
        "cvv": {"type": "string", "enum": ["optional", "required"]},
        "descriptor_use": {"type": "string", "enum": ["dynamic", "fixed"]},
        "default_behaviour": {"description": "What answers when nothing else steers.", **TEXT},
        "amount_behaviours": flag,
        "requires_merchant_transaction_id": flag,
    }


def _asked_sandbox(settings: dict) -> dict:
    channels = {"type": "array", "minItems": 1, "items": _object(settings, "")}
    merchants = {
        "type": "array",
        "minItems": 1,
        "items": _object({"name": TEXT, "channels": channels}, ""),
    }
    asked = {"profile": PROFILE, "overrides": OVERRIDES, "merchants": merchants}
    return {"description": "Whatever is left out gets a default.", **_object(asked, "")}


def _credentials(merchant: dict) -> dict:
    with_token = _object({**merchant, "token": TEXT})
    merchants = {"type": "array", "items": with_token}
    entities = _object({"psp": ID, "division": ID, "merchants": merchants})
    given = {"id": ID, "token": TEXT, "entity_id": ID, "control_key": TEXT, "entities": entities}
    return {"description": "Token and entity are those of the first channel.", **_object(given)}


def _script_schemas() -> dict:
    times = {"description": "How often it answers; without it: always.", "type": "integer", "minimum": 1}
    asked = {
        "behaviour": {"description": "Its name, or the behaviour itself.", "type": ["string", "object"]},
        "match": {"description": "Whom it is for; every criterion must fit.", **OPEN_OBJECT},
        "times": times,
    }
    script = {
        "id": ID,
        "behaviour": OPEN_OBJECT,
        "match": OPEN_OBJECT,
        "times": {**times, "type": ["integer", "null"]},
        "matched": COUNT,
        "asked": COUNT,
        "near_misses": TEXTS,
        "state": {"type": "string", "enum": ["never matched", "matched", "used up"]},
    }
    return {
        "AskedScript": _object(asked, "behaviour"),
        "Script": _object(script),
        "ScriptList": _object({"scripts": {"type": "array", "items": _ref("Script")}}),
    }


def _refusal() -> dict:
    result = _object({"code": TEXT, "description": TEXT})
    error = _object({"where": TEXT, "expected": TEXT, "got": TEXT})
    envelope = {"result": result, "buildNumber": TEXT, "timestamp": TEXT, "ndc": TEXT}
    return _object({**envelope, "error": error}, " ".join(envelope))


def _object(properties: dict, required: str | None = None) -> dict:
    """A closed object; every member is required unless those that are stand in `required`."""
    names = list(properties) if required is None else required.split()
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": names} if names else {}),
    }


def _ref(name: str) -> dict:
    return {"$ref": f"#/components/schemas/{name}"}
