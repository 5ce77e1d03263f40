"""Rewards as reinforcement-learning trainers call them."""
