"""What a terminal does with a card between its insertion and its removal."""
