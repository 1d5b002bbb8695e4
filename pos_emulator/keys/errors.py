"""What goes wrong with keys. No message holds a key, a PIN, a card number or a decrypted byte."""


class KeysError(Exception):
    """The secure element refuses, or cannot do, what was asked of it."""


class InvalidKeyError(KeysError):
    """A key or its serial number has a length or a purpose that does not fit."""


class InvalidKeyBlockError(KeysError):
    """A TR-31 key block is malformed, was changed, or is under another protection key."""


class InvalidPinError(KeysError):
    """No PIN block can be made of this PIN and this card number."""


class InvalidDataError(KeysError):
    """Data cannot be encrypted or authenticated as they are."""


class InvalidCertificateError(KeysError):
    """A certificate or signature of the card does not hold."""


class ExhaustedError(KeysError):
    """Every counter of the initial key was used: the terminal needs a new one."""


class StorageError(KeysError):
    """The state of the keys was not stored, cannot be read, or belongs to another process."""
