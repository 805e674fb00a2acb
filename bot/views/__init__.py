"""What people see and press in Discord: messages, buttons and menus."""
