"""Rewards: how a model's reasoning compares with the critical evidence graph of a case."""
