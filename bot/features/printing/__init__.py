"""Games to print: the board at true size, the rules on a sheet, and men and dice to cut out."""
