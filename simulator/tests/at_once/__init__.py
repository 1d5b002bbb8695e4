"""Two requests that do the same at once, on a store that lets others run at every call."""
