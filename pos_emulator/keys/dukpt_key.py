"""The keys of one transaction, and all that a terminal does with them.

The serial number selects the method, here as at the gateway: 10 bytes are TDES DUKPT, 12 bytes are
AES DUKPT. Working keys of AES are as long as the transaction key.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from pos_emulator.keys import account_data, macs, pinblocks
from pos_emulator.keys.dukpt_aes import AES_BY_BYTES, Usage, working_key
from pos_emulator.keys.dukpt_tdes import KSN_BYTES as TDES_KSN_BYTES
from pos_emulator.keys.dukpt_tdes import TdesUsage, variant_of

Random = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class DukptKey:
    """The key that a serial number names, used for one transaction."""

    ksn: bytes
    key: bytes = field(repr=False)

    @property
    def is_tdes(self) -> bool:
        """Whether the serial number is one of TDES DUKPT."""
        return len(self.ksn) == TDES_KSN_BYTES

    def encrypt_pin(self, pin: str, pan: str, random: Random) -> bytes:
        """Return the PIN block: format 0 of 8 bytes under TDES, format 4 of 16 bytes under AES.

        `random` returns so many random bytes. Raises InvalidPinError.
        """
        if self.is_tdes:
            return pinblocks.encipher_format_0(variant_of(self.key, TdesUsage.PIN), pin, pan)
        field_4 = pinblocks.format_4_field(pin, random(pinblocks.FORMAT_4_RANDOM_BYTES))
        return pinblocks.encipher_format_4(self._working_key(Usage.PIN), field_4, pan)

    def encrypt_account(self, data: bytes) -> bytes:
        """Return account data under the data key of requests, padded to whole blocks."""
        if self.is_tdes:
            key = variant_of(self.key, TdesUsage.DATA_REQUEST)
            return account_data.encrypt_tdes(key, data)
        return account_data.encrypt_aes(self._working_key(Usage.DATA_ENCRYPTION), data)

    def mac(self, message: bytes) -> bytes:
        """Return the code of a request: retail MAC of 4 bytes, or CMAC. Raises InvalidDataError."""
        if self.is_tdes:
            return macs.retail_mac(variant_of(self.key, TdesUsage.MAC_REQUEST), message)
        return macs.cmac(self._working_key(Usage.MAC_GENERATION), message)

    def response_mac(self, message: bytes) -> bytes:
        """Return the code that a response must carry. Raises InvalidDataError."""
        if self.is_tdes:
            return macs.retail_mac(variant_of(self.key, TdesUsage.MAC_RESPONSE), message)
        return macs.cmac(self._working_key(Usage.MAC_VERIFICATION), message)

    def _working_key(self, usage: Usage) -> bytes:
        return working_key(self.key, self.ksn, usage, AES_BY_BYTES[len(self.key)])
