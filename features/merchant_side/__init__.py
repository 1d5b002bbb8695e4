"""The other side of the wire: conformance of a merchant's webhook receiver and result page."""
