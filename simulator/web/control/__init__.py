"""The control API: the world of a sandbox as JSON documents, on a key and a prefix of its own.

Each module has its resources and, last, `routes`: the rows of its paths.
"""
