"""What one update did to the policy, and what its effect is made of."""
