"""From raw text to segments: regions that no cut enters, lines, sentences."""
