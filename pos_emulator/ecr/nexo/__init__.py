"""nexo Retailer 3.0: JSON over local HTTPS. Begin with `interface.py`."""
