"""Inner products of rollouts' gradients: recorded, or computed from a policy."""
