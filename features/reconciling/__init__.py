"""Measures a merchant's own reconciliation against the answer key of a settlement run.

It shares no code with the gateway: the key is a file, and so is the merchant's result.
"""
