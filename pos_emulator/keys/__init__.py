"""What a terminal keeps in its secure element: keys, counters, PIN blocks, codes over messages."""
