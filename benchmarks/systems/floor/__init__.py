"""The floor: the promises of the service kept by as little work as there can be, and nothing decided.

A mail is committed before its 250; a move is one transaction with the rows of the service's; two mails of the bytes of
the service's are encoded and sent; each is marked after its 250. Nothing is read, checked, composed or drawn: the
picture is a file in memory. What the service costs beyond this is what it is for, or could be spared.
"""
