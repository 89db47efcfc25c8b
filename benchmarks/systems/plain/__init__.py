"""The plain app: what a good programmer writes in two days with the same libraries, measured beside the service.

Each mail is a row and a task, each row an object, each mail an `EmailMessage` from templates, each board rendered as a
whole, and each mail sent by a connection of its own. It keeps a mail before its 250, and plays each mail once.
"""
