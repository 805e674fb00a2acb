"""The rules of the games of tables: pure, without input, output, clock or chance."""
