"""Records read from files, outputs written whole or not at all, answers kept on disk."""
