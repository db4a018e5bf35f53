"""A run by step: its series, the change in them, alarms and what those cost."""
