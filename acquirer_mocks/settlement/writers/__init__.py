"""The three formats of settlement files, one module each."""
