"""Texts of the page's scripts, in the current language."""

from __future__ import annotations

from pbem.i18n import _


def script_texts() -> dict[str, str]:
    """Return the texts of the scripts by their names; the scripts fill in `{name}`."""
    return {
        "noJson": _("This is not a record: it is neither JSON nor a record’s text form."),
        "cut": _("This record is not valid: after {count} entries of the log, it is cut off or is not JSON."),
        "noRecord": _("This is not a record: it does not say “format”: “{format}”."),
        "noWholeNumber": _("This record is not valid: {value} is not a whole number of a usual size."),
        "noText": _("This is not a record: it contains what cannot be written as text."),
        "tooLarge": _("This is not a record: it is larger than {size} MB."),
        "missing": _("This record is not valid: “{key}” is missing."),
        "wrongPart": _("This record is not valid: “{key}” cannot be “{value}”."),
        "wrongLine": _("This record is not valid: line {line}, after {count} entries of the log, cannot be read."),
        "entry": _("entry {number} of the log"),
        "goodCommitment": _("The commitment holds: it is the SHA-256 of the secret."),
        "goodSeed": _(
            "The seed comes from the committed secret and every seat’s entropy ({count} of them typed by players)."
        ),
        "goodSet": _("The deal is shared: one deal for tables 1 to {tables}; this is table {place}."),
        "goodLaterTable": _(
            "The deal is shared: one deal for tables 1 to {tables}; this table joined after it was dealt."
        ),
        "goodDraws": _("Every shuffle and roll comes from the seed: each was drawn again ({count} in all)."),
        "goodChain": _("The chain holds, to the head {head}… (entries: {count})."),
        "goodResult": _("The ending agrees with the log."),
        "legality": _(
            "This page does not check that each move was legal and the score is right. “pbem verify FILE” does."
        ),
        "unequal": _("The numbers of seats and entropies differ."),
        "badCommitment": _("The commitment does not hold: it is not the SHA-256 of the secret."),
        "badSeed": _("The seed does not hold: secret and entropies give another one."),
        "badEntropy": _(
            "The entropy of seat {seat} does not hold: it does not have the form that “entropy_by” requires."
        ),
        "badSet": _(
            "The shared deal does not hold: its entropies are not those of its tables, or not those of this match."
        ),
        "badDraw": _("The draw at step {step} does not hold: the seed gives another one for “{label}”."),
        "badSeat": _("Entry {number} of the log does not hold: there is no seat {seat}."),
        "badPly": _("Entry {number} of the log does not hold: ply {ply} was used before."),
        "badOpening": _("The chain does not hold from its beginning: match, game, options or seats differ."),
        "badEntry": _("Entry {number} of the log does not hold: the mails named the hash {head} after it."),
        "badLength": _("The chain does not hold: the log has {count} entries and not {claimed}."),
        "badChain": _("The chain does not hold: its entries lead to a different head than the record’s."),
        "badEnding": _("The ending does not hold: the log does not end as “{ending}”."),
        "badResult": _("The result does not hold: the log leads to another one."),
        "badEverything": _("This record cannot be checked: something in it does not have the form of a record."),
        "noCrypto": _("This browser cannot check the record here. Save the file and open it from your disk."),
        "step": _("Step {step} of {last}"),
        "play": _("Play"),
        "pause": _("Pause"),
        "seat": _("seat {seat}"),
        "nobody": _("nobody"),
        "gameIs": _("Game: {game}, edition {edition}. Options: {options}."),
        "endingIs": _("Ending: {ending}. Won by: {winners}. Scores: {scores}."),
    }
