"""Virtual cards: chip with contacts or contactless, and magstripe."""
