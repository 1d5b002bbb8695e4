"""The words of the hosted form: one file a language, beside this module."""
