"""Tests over real sockets: a small Discord on 127.0.0.1, and the gate against Discord's own API description."""
