"""Use cases: reserve, call, settle. One function each; everything else reaches them through
ports.
"""
