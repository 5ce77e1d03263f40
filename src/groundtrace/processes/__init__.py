"""Child processes with bounds, pools of them, and work done in order."""
