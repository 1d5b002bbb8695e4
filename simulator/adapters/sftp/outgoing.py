"""Where the files a merchant may fetch are: below its sandbox, in a folder of its own."""

from pathlib import Path

OUTGOING = "outgoing"
RECONCILIATION = "reconciliation"


def outgoing_folder(data: Path, sandbox: str, merchant: str) -> Path:
    """The folder a merchant sees as its root; it is made where there is none, with the one that its
    files will be in.
    """
    folder = data / sandbox / OUTGOING / merchant
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / RECONCILIATION).mkdir(mode=0o700, exist_ok=True)
    return folder
