"""Tests over real sockets: a small Discord on 127.0.0.1, checked by Discord's API description."""
