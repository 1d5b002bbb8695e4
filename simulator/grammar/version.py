"""The version of Sandgate: answers, documents and the package all say this one."""

__version__ = "0.1.0"
