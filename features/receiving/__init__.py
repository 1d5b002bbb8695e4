"""The other side of the wire: a merchant's receiver and result page, judged."""
