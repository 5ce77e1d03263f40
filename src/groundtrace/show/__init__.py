"""Audits and graphs as text for a terminal and as pictures."""
