"""The computer players: inputs, nets, evaluations, choice of plays and match analysis."""
