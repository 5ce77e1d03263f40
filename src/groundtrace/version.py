"""The version of this package, spelled once."""

__version__ = "0.1.0"
