"""What the words of a question tell about what is asked: tables of patterns, one column per language.

Another language is another entry in each table (and synonyms in the lexicon); nothing else changes.
All patterns are matched against folded text: lower case, no accents.
"""

from __future__ import annotations

import re
from typing import Literal

from compression.terms import word_set
from contracts.questions import Intent

AnswerType = Literal["amount", "date", "person", "number", "duration", "code", "text"]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns))


TIME_UNIT = r"(?:calendar |working |business |paid )?(?:days?|weeks?|months?|years?|hours?|minutes?|dias?|semanas?|meses|mes|anos?|horas?|minutos?)"

SUMMARY = _any(
    r"\bsummar(?:y|ise|ize|ies|ising|izing)\b",
    r"\boverview\b",
    r"\b(?:main|key) (?:points|terms|provisions)\b",
    r"\bin (?:short|brief|a nutshell)\b",
    r"\bgist\b",
    r"\bwhat is (?:this|the) \w+(?: \w+)? about\b",
    r"\bresum(?:e|en|ir|eme)\b",
    r"\bpuntos (?:clave|principales)\b",
    r"\bde que trata\b",
)

INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.FOOTING,
        _any(
            r"\badds? up\b",
            r"\btall(?:y|ies)\b",
            r"\breconciles?\b",
            r"\bfooting\b",
            r"\bmatch(?:es)? the (?:printed |stated )?totals?\b",
            r"\btotals? (?:match|agree|correct|right)\b",
            r"\bcuadran?\b",
            r"\bcoincide(?:n)? (?:con )?(?:el|los) total(?:es)?\b",
        ),
    ),
    (
        Intent.COMPARE,
        _any(
            r"\bcompar(?:e|ed|ing|ison|a|ar|acion)\b",
            r"\bdifferences?\b",
            r"\bversus\b",
            r"\bvs\b",
            r"\b(?:changed?|changes|increased?|decreased?|grew|grow|fell|risen?|rose|raise)\b",
            r"\b(?:joined|left|new|joiners|leavers)\b.*\b(?:between|since|from|after|compared)\b",
            r"\bdid \w+ (?:join|leave|quit|resign)\b.*\b(?:between|since|from|after|compared)\b",
            r"\bdiferencias?\b",
            r"\bcambi(?:o|aron|ado)\b",
            r"\baument(?:o|aron)\b",
            r"\bdisminuy\w+\b",
        ),
    ),
    (Intent.AVERAGE, _any(r"\baverages?\b", r"\bmean (?!by\b)", r"\bmedian\b", r"\bpromedio\b", r"\bmedia(?:na)?\b")),
    (
        Intent.COUNT,
        _any(
            r"\bhow many\b",
            r"\b(?:the|total|exact|a) number of (?!the |this |that |an? )",
            r"\bcount\b",
            r"\bhead ?count\b",
            r"\bcuant[oa]s\b",
            r"\b(?:el|total) numero de\b",
        ),
    ),
    (
        Intent.EXTREME,
        _any(
            r"\b(?:highest|lowest|largest|smallest|biggest|greatest|cheapest|costliest|maximum|minimum|max|min)\b",
            r"\bthe (?:most|least)\b",
            r"\btop (?:\d+|two|three|five|ten)\b",
            r"\b(?:earliest|latest)\b",
            r"\bmas (?:alt[oa]s?|baj[oa]s?|grandes?|pequen[oa]s?|car[oa]s?)\b",
            r"\b(?:mayor|menor|maxim[oa]|minim[oa])\b",
            r"\bgana mas\b",
            r"\bgana menos\b",
        ),
    ),
    (
        Intent.SUM,
        _any(
            r"\btotals?\b",
            r"\bsum\b",
            r"\baltogether\b",
            r"\bcombined\b",
            r"\bin all\b",
            r"\boverall\b",
            r"\bsuma\b",
            r"\ben total\b",
            r"\btotales\b",
        ),
    ),
    (
        Intent.LIST,
        _any(
            r"^(?:please )?(?:list|enumerate|name|show)\b",
            r"\blist (?:of|all|the|every)\b",
            r"\b(?:which|what) (?:\w+ ){0,2}(?:employees|staff|people|persons|workers|invoices|transactions|items|customers|entries|payments)\b",
            r"\bwho (?:are|were) (?:all )?the\b",
            r"\b(?:show|give|name) (?:me )?(?:all|every)\b",
            r"\bwho (?:earns?|gets?|has|have)\b",
            r"\b(?:lista|listado|enumera|muestra)\b",
            r"\b(?:que|cuales) (?:son los )?(?:empleados|trabajadores|facturas|movimientos)\b",
        ),
    ),
)
"""In order of precedence: the first that matches names the intent, if the question is about rows at all."""

LISTING = _any(
    r"\bwhat are (?:the|all)\b",
    r"\bwhich (?:\w+ ){0,2}\w+s are\b",
    r"\blist\b",
    r"\bwhat kinds? of\b",
    r"\bwhat types? of\b",
    r"\bcuales son\b",
    r"\bque tipos? de\b",
    r"\blista\b",
    r"\benumera\b",
)

ANSWER_TYPES: tuple[tuple[AnswerType, re.Pattern[str]], ...] = (
    (
        "duration",
        _any(
            r"\bhow long\b",
            rf"\bhow (?:many|much)(?: \w+){{0,3}} {TIME_UNIT}\b",
            r"\bhow much (?:\w+ )?(?:notice|leave|time|holiday|vacation)\b",
            r"\bhow (?:soon|quickly|early)\b",
            rf"\bcuant[oa]s(?: \w+){{0,2}} {TIME_UNIT}\b",
            r"\bcuanto (?:tiempo|dura|plazo)\b",
        ),
    ),
    (
        "date",
        _any(
            r"\bwhen (?!(?:do|does|must|should|can|may|am) (?:i|we|you|one|an?|the employees?|employees?|staff|people)\b)",
            r"\b(?:what|which|on what) (?:date|day)\b",
            r"\bdeadline\b",
            r"\bby what date\b",
            r"\bdate of\b",
            r"\bcuando\b",
            r"\b(?:que|cual es la) fecha\b",
            r"\bfecha (?:de|limite)\b",
        ),
    ),
    ("person", _any(r"\bwho\b", r"\bwhose\b", r"\bwhom\b", r"\bquien(?:es)?\b")),
    (
        "code",
        _any(
            r"\b(?:which|what) (?:is the )?(?:\w+ )?(?:id|code|number|reference|pan|iban)\b(?! of (?:employees|days|items|invoices|people))",
            r"\bnumero de (?:factura|cuenta|referencia|empleado)\b",
        ),
    ),
    (
        "amount",
        _any(
            r"\bhow much\b",
            r"\b(?:amount|cost|price|fee|fees|cap|salary|pay|limit|budget|value|ceiling)\b",
            r"\bcuanto (?:cuesta|cobra|gana|paga|es|vale|se paga)?\b",
            r"\b(?:importe|precio|coste|costo|salario|tope)\b",
        ),
    ),
    (
        "number",
        _any(
            r"\bhow many\b",
            r"\b(?:what|which) percent(?:age)?\b",
            r"\bpercent(?:age)?\b",
            r"\b(?:what|which) (?:is the )?(?:\w+ )?rate\b",
            r"\bhow (?:often|old|far)\b",
            r"\bcuant[oa]s\b",
            r"\bporcentaje\b",
        ),
    ),
)
"""In order of precedence."""

DURATION_COUNT = _any(
    rf"\bhow many(?: \w+){{0,2}} {TIME_UNIT}\b", rf"\bcuant[oa]s(?: \w+){{0,1}} {TIME_UNIT}\b", r"\bhow many times\b"
)
"""A count of time is a duration, not a count of rows."""

SCAFFOLD = word_set(
    """
    tell show list name find explain describe know want need take receive help question answer document documents file
    files many much long often number total sum count average mean median highest lowest largest smallest most
    least top maximum minimum compare difference versus vs altogether combined overall work works happen
    happens apply applies applicable allowed allow entitled entitlement eligible mention mentioned mentions
    state stated states provide provides provided according regarding concerning please kind kinds type types
    thing things exactly currently summary summarise summarize overview main key points brief gist one two
    three year month day days date dime muestra lista explica describe documento documentos archivo cuantos
    total suma promedio media mayor menor cada dura duran tengo tienen corresponde corresponden puedo segun tipo tipos resumen resume puntos principales dias dia fecha
    """
)
"""Words that ask rather than name: never keywords by themselves."""

SPANISH = word_set(
    """
    que cual cuales cuanto cuanta cuantos cuantas quien quienes cuando donde como el la los las un una de del
    al en por para con es son hay tiene tienen se lo su sus y o dice debe puede
    """
)
ENGLISH = word_set(
    """
    what which how who whom whose when where why the a an of in on at to for by with is are was were does do
    did has have can must should may it its and or about from per
    """
)
