"""Texts of the page's scripts, in the current language."""

from __future__ import annotations

from pbem.i18n import _


def script_texts() -> dict[str, str]:
    """Return the texts of the scripts by their names; the scripts fill in `{name}`."""
    return {
        "noJson": _("This is no record: it is neither JSON nor a record’s text form."),
        "cut": _("This is no whole record: after {count} entries of the log, it is cut off or is no JSON."),
        "noRecord": _("This is no record: it does not say “format”: “{format}”."),
        "noWholeNumber": _("This is no whole record: {value} is no whole number of a usual size."),
        "noText": _("This is no record: it holds what cannot be written as text."),
        "tooLarge": _("This is no record: it is larger than {size} MB."),
        "missing": _("This is no whole record: “{key}” is missing."),
        "wrongPart": _("This is no whole record: “{key}” cannot be “{value}”."),
        "wrongLine": _("This is no whole record: line {line}, after {count} entries of the log, cannot be read."),
        "entry": _("entry {number} of the log"),
        "goodCommitment": _("The commitment holds: it is the SHA-256 of the secret."),
        "goodSeed": _(
            "The seed comes from the committed secret and every seat’s entropy ({count} of them typed by players)."
        ),
        "goodDraws": _("Every shuffle and roll comes from the seed: {count} draws, each drawn again."),
        "goodChain": _("The chain holds: {count} entries, to the head {head}…"),
        "goodResult": _("How it ended agrees with the log."),
        "legality": _(
            "Whether each move was legal, and the score right, is not checked here: “pbem verify FILE” does that too."
        ),
        "unequal": _("Seats and entropies are not equally many."),
        "badCommitment": _("The commitment does not hold: it is not the SHA-256 of the secret."),
        "badSeed": _("The seed does not hold: secret and entropies give another one."),
        "badEntropy": _("The entropy of seat {seat} does not hold: it has not the form that “entropy_by” asks for."),
        "badDraw": _("What chance gave at step {step} does not hold: the seed gives something else for “{label}”."),
        "badSeat": _("Entry {number} of the log does not hold: there is no seat {seat}."),
        "badPly": _("Entry {number} of the log does not hold: ply {ply} was used before."),
        "badOpening": _("The chain does not hold from its beginning: match, game, options or seats are others."),
        "badEntry": _("Entry {number} of the log does not hold: the mails named the hash {head} after it."),
        "badLength": _("The chain does not hold: the log has {count} entries and not {claimed}."),
        "badChain": _("The chain does not hold: its entries lead to another head than the record’s."),
        "badEnding": _("The ending does not hold: the log does not end as “{ending}”."),
        "badResult": _("The result does not hold: the log leads to another one."),
        "badEverything": _("This record cannot be checked: something in it is not as records are."),
        "noCrypto": _("This browser cannot check it here. Save the file and open it from your own disk."),
        "step": _("Step {step} of {last}"),
        "play": _("Play"),
        "pause": _("Pause"),
        "seat": _("seat {seat}"),
        "nobody": _("nobody"),
        "gameIs": _("Game: {game}, edition {edition}. Options: {options}."),
        "endingIs": _("Ending: {ending}. Won by: {winners}. Scores: {scores}."),
    }
