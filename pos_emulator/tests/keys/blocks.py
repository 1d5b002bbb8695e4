"""Key blocks as a facility that loads terminals makes them."""

import psec

from pos_emulator.keys.triple_des import supply_triple_des

KBPK = bytes.fromhex("DD7515F2BFC17F85CE48F3CA25CB21F6")
KBPK_AES = bytes.fromhex("88E1AB2A2E3DD38C1FA039A536500CC8A87AB9D62DC92C01058FA79F44657DE6")
KSN = "FFFF9876543210E00000"
IDENTITY = "1234567890123456"


def wrap_initial_key(
    key: bytes,
    serial_number: str | None,
    *,
    kbpk: bytes = KBPK,
    version: str = "B",
    algorithm: str = "T",
    usage: str = "B1",
    mode: str = "X",
    name: str = "KS",
) -> str:
    """Return the block of an initial key, with its serial number in the optional block `name`."""
    supply_triple_des()
    header = psec.tr31.Header(version, usage, algorithm, mode, "00", "N")
    if serial_number is not None:
        header.blocks[name] = serial_number
    return psec.tr31.KeyBlock(kbpk, header).wrap(key)
