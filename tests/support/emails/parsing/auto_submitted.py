"""What tests of automatic share."""

# ruff: noqa: RUF001 (words of many languages)
from __future__ import annotations

AWAY = [
    "Out of Office: back on Monday",
    "Automatic reply: [Friday table] Martian Whist",
    "Auto: ooo",
    "AUTO: Anna Berg is out of the office (returning 12/03)",
    "Auto-Reply: hello",
    "Abwesenheitsnotiz",
    "Automatische Antwort: x",
    "Réponse automatique : x",
    "Absence du bureau",
    "Respuesta automática: x",
    "Fuera de la oficina",
    "Resposta automática: x",
    "Fora do escritório",
    "Risposta automatica: x",
    "Fuori ufficio",
    "Automatisch antwoord: x",
    "Afwezig: x",
    "Autosvar: x",
    "Frånvaro: x",
    "Odpowiedź automatyczna: x",
    "Poza biurem",
    "Автоматический ответ: x",
    "自動応答: x",
    "自动回复: x",
    "Otomatik yanıt: x",
    "Sjálfvirkt svar: x",
    "자동 답장: x",
    "الرد التلقائي: x",
    "स्वचालित उत्तर: x",
    "Аутоматски одговор: x",
]
