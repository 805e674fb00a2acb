"""The puzzle that posts itself in a server every day, and the solution of the last one."""
