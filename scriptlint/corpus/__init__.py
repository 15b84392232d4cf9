"""Corpora of definitions (skills, agents, commands, rules, plugins, tools): reading them, and who can be found."""
