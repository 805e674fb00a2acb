"""What anybody may send is read as what it means, or refused: case by case found by what code each reaches."""
