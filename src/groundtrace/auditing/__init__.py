"""Audits of traces: facts in, rules decide, records, trees, repairs and reasons out."""
