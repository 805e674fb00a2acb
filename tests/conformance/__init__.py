"""Properties that hold for every game and every option."""
