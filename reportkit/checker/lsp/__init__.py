"""The language server: findings underlined while one writes.

session.py     what is open, to which paper it belongs, and what a check says of that
positions.py   characters of a text as editors count them
actions.py     edits that are offered at a finding
server.py      the protocol, by pygls (extra `[lsp]`)
"""
