"""Recorded answers of earlier releases, and whether they are still given. Source: Versioning,
VER-02.
"""
