"""`python -m acquirer_mocks.three_d_secure.write_schemas` writes the schemas of all messages as
files, for readers without Python.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from simulator.catalogue.messages.three_d_secure import MESSAGES, VERSIONS
from simulator.derive.schemas.three_d_secure import message_schema

FOLDER = Path(__file__).with_name("schemas")


def schema_files() -> Iterator[tuple[Path, str]]:
    """Each file and what it holds."""
    for message in MESSAGES:
        for version in VERSIONS:
            text = json.dumps(message_schema(message, version), indent=2) + "\n"
            yield FOLDER / f"{message}-{version}.json", text


def main() -> None:
    """Write them."""
    for path, text in schema_files():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
