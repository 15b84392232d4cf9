"""Generated tables; see tools/gen_unicode.py. Each is loaded when it is first asked for."""
