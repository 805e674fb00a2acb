"""What people can do with Tabula, whatever they do it through: challenges, play, ratings."""
