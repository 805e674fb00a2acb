"""Games that are small enough to be solved: every state's worth under best play by both sides."""
