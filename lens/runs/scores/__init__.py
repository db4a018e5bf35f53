"""What the recorded scores say: silence, zeros, exploits, groups, best of n."""
