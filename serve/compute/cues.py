"""The words that tell what is asked of a table, English and Spanish. General language only: no word of any data set."""

from __future__ import annotations

from typing import Literal

from serve.compute.words import word_set

FUNCTION = word_set("""
    a an the of in on at for by with from to into as per than that this these those it its he she his her hers him
    they them their theirs we us our you your i me my is are was were be been being am do does did doing done have has
    had having will would shall should can could may might must what which who whom whose when where why how there
    here and all any some s also please just up out during within while so ever if through about across among according
    el la los las un una unos unas de del al en por para con que cual cuales quien quienes cuando donde como es son fue
    fueron era eran hay ha han tiene tienen hubo habia su sus se lo le les y e este esta estos estas
    """)
"""Carry no condition: a plan need not account for them."""

NEUTRAL = word_set("""
    list listed lists show shown shows appear appears appeared appearing table chart register document page total
    number many much count name named names tell give given find include included includes mention mentioned record
    recorded records exist exists present presented displayed contain contains contained according altogether overall
    entry entries row rows item items following information data column state amount value there existing different
    distinct unique kind type full complete separate know say says sum currently together times time
    cuantos cuantas cuanto cuanta numero suma lista listado aparecen aparece figura figuran nombre total
    """)

MILD = word_set("""
    play played plays compete competed competes participate participated enter entered attend attended hold held take
    took taken occur occurred happen happened make made get got earn earned earns receive received receives score
    scored scores finish finished release released publish published produce produced produces build built open opened
    establish established found founded create created launch launched start started begin began join joined serve
    served run ran work works worked working come came go went use used born die died direct directed write wrote
    written star starred perform performed sign signed draft drafted pick picked select selected elect elected appoint
    appointed locate located base based represent represented pay paid pays belong belongs employ employed hire hired
    go goes went gone bring brought call called become became reach reached put set see saw seen live lived come spend spent cost costs
    air aired rank ranked place placed win won wins winning achieve achieved collect accumulate accrue obtain
    limit rate figure entitlement tied charge charged bill billed owe owed cobra cobran gana ganan trabajan trabaja pagan pagar paga pago
    """)
"""Verbs that mostly join a subject to a condition without adding one."""

EARNING = word_set(
    "earn earns earned earning earner earners paid pays gana ganan ganaba cobra cobran cobro salary salaries sueldo"
)
"""Words that mean what a person is paid without naming the column."""

OUTCOMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("won", "win", "wins", "winning", "victory", "victories"), ("won", "win", "w", "winner", "victory")
    ),
    **dict.fromkeys(("lost", "lose", "loss", "losses", "losing"), ("lost", "loss", "l", "defeat")),
    **dict.fromkeys(("tied", "tie", "ties", "draw", "draws", "drew", "drawn"), ("tie", "draw", "d", "t", "tied")),
}
"""Verbs of result to the spellings of a result column, the likeliest first."""

DETERMINERS = frozenset(
    {"the", "this", "that", "these", "those", "his", "her", "its", "their", "el", "la", "este", "esta"}
)
TOPICS = word_set("""
    team party club band artist actor actress player singer driver show season series competition tournament
    championship championships event race games game match contest record career history country company city list
    league album election elections film films world year years olympics
""")
"""Nouns that name what a whole table is about when a determiner stands before them."""

SPENDING = word_set("""
    spend spends spent spending cost costs expense expenses expenditure paid pay gasto gastos gastamos gastado gastaron
    costo costaron
    """)
"""Words of money going out, without naming the column that holds it."""

SYNONYMS: tuple[frozenset[str], ...] = tuple(
    map(
        word_set,
        (
            "country nation nationality",
            "film movie title",
            "song track title",
            "team club",
            "rank place position pos",
            "city town",
            "location venue site",
            "company organization firm",
            "player name athlete",
            "date day",
            "job occupation",
            "cost price",
            "opponent versus",
            "score result",
            "birthplace born",
            "school college university institution",
            "student enrollment",
            "picture film",
            "author writer",
            "nominated nominee",
            "winner champion",
            "height elevation",
            "area size",
            "length distance",
            "kind type",
            "employee staff",
            "pay salary",
        ),
    )
)
"""Everyday words that may head the same column."""

SOURCES = word_set("""
    companies firms entities registers documents files months periods tables statements
    empresas companias registros documentos archivos meses periodos nominas
    """)
BOTH, ALL = frozenset({"both", "two", "ambas", "ambos"}), frozenset({"all", "every", "todas", "todos"})
"""Words that say that every source there is is meant."""

NEGATIONS = frozenset({"not", "no", "never", "without", "neither", "non", "didnt", "wasnt", "werent", "isnt", "arent",
                       "dont", "doesnt", "hasnt", "havent", "hadnt", "except", "excluding", "besides", "sin", "ningun",
                       "ninguna", "excepto", "salvo"})  # fmt: skip

BLOCKERS = word_set("""
    consecutive consecutively row streak difference differ gap ratio rate percentage percent share proportion each per
    same equal equals twice double half only besides other another both either neither nor or if whether span spanned
    spanning increase decrease rise drop change changed changes longer shorter older younger earlier later faster slower
    than more less most least fewest fewer before after above below previous next prior until since between average mean
    first last top bottom exactly almost nearly approximately except excluding instead versus vs alphabetical second
    """)
"""Words that always change what is asked: left unexplained they forbid an answer."""

HIGH = word_set("most highest largest biggest greatest maximum max top best longest tallest heaviest mayor maximo maxima "
                 "alto alta")  # fmt: skip
LOW = word_set("least lowest smallest fewest minimum min worst shortest lightest menor minimo minima bajo baja")
LATE = frozenset({"latest", "newest", "recent", "youngest"})
EARLY = frozenset({"earliest", "oldest"})

DIMENSION: dict[str, tuple[str, ...]] = {
    "longest": ("length", "duration", "time", "run", "distance"),
    "shortest": ("length", "duration", "time", "height", "distance", "run"),
    "tallest": ("height", "ht", "elevation"),
    "highest": ("height", "elevation", "rank", "altitude"),
    "heaviest": ("weight", "mass"),
    "lightest": ("weight", "mass"),
    "largest": ("size", "area", "population"),
    "smallest": ("size", "area", "population"),
    "biggest": ("size", "area", "population"),
}
"""Superlative to the headers that it can stand for without naming one."""

COMPARATIVES: dict[str, tuple[str, ...]] = {
    "taller": ("height", "elev", "elevation"), "shorter": ("height", "length", "time"),
    "longer": ("length", "duration", "time", "distance"), "heavier": ("weight", "mass"), "lighter": ("weight", "mass"),
    "faster": ("speed",), "slower": ("speed",), "older": ("age",), "younger": ("age",),
    "larger": ("area", "population", "size"), "bigger": ("area", "population", "size"),
}  # fmt: skip
"""Comparative to stems of the headers that it compares."""

UNIT_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("feet", "ft", "foot"), ("ft", "feet")),
    **dict.fromkeys(("metres", "meters", "metre", "meter", "m"), ("m", "metr", "meter")),
    **dict.fromkeys(("km", "kilometres", "kilometers"), ("km",)), **dict.fromkeys(("miles", "mi"), ("mi", "mile")),
    **dict.fromkeys(("lb", "lbs", "pounds"), ("lb", "lbs")), "kg": ("kg",), "mph": ("mph",), "kw": ("kw",), "hp": ("hp",),
    **dict.fromkeys(("seconds", "sec"), ("s", "sec", "second")), **dict.fromkeys(("minutes", "min"), ("min", "minut")),
    **dict.fromkeys(("hours", "hrs"), ("h", "hr", "hour")), "percent": ("%", "percent"), "dollars": ("usd", "$"),
    "euros": ("eur", "€"), **dict.fromkeys(("rupees", "rupias", "rs", "inr"), ("inr", "rs")), "usd": ("usd", "$"),
    "people": ("population", "attendanc", "capaciti"),
}  # fmt: skip
"""Unit behind a number to what a column in that unit has in its header or after its numbers."""

RANKS = frozenset({"rank", "place", "position", "pos", "finish", "standing", "ranking", "placing", "po", "class"})
"""Stems of headers in which 1 is best."""

BLOCKERS = BLOCKERS | HIGH | LOW | LATE | EARLY

Superlative = Literal["high", "low", "late", "early"]


def superlative(norm: str) -> Superlative | None:
    for names, kind in ((HIGH, "high"), (LOW, "low"), (LATE, "late"), (EARLY, "early")):
        if norm in names:
            return kind  # type: ignore[return-value]
    return None
