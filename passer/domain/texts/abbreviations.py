"""Abbreviations whose full stop ends no sentence, of many languages.

Without training, Punkt knows none. One list serves all languages, because answers mix them and datasets are often
tagged as English. Words that also end sentences (*etc.*, *и т.н.*, *usw.*) are left out: a small letter behind them
continues the sentence anyway.
"""

from __future__ import annotations

_TITLES = """
prof dr drs dra mr mrs ms st mt rev gen col lt sgt hon messrs mme mmes mlle dott sig sigg avv ing sr sra srta dhr mevr
mgr inż doç yrd dl dna bpk gng ts ths pgs gs tp bs kol hr fr pr assoc
проф акад доц инж д-р г-н г-жа гр ул бул пл кв обл общ вул пров просп ас канд ст.н.с δρ καθ
डॉ प्रो श्री ড ডা ดร ศ.ดร รศ.ดร ผศ.ดร รศ ผศ
"""
_WITHIN = """
e.g i.e cf vs viz al approx incl resp co u.s u.k u.n e.u c.f.r ph.d
z.b d.h u.a v.a i.d.r bzw ca vgl ggf inkl evtl zzgl abzgl sog gem
p.ex env av avda ee aprox ad.es bijv d.w.z o.a m.b.t
np tzn tzw tj tzv např zob por esim t.ex bl.a f.eks jf jfr örn bkz yakl
напр т.е т.нар вж срв ок изм обн тзв см ср див тобто
π.χ δηλ βλ πρβλ χλμ พ.ศ ค.ศ
"""
_BEFORE_NUMBERS = """
no nos nr art arts fig figs sec sect secs eq eqs tab ch chap vol p pp par para paras v ver ex app apr apt reg dir
jan feb mar jun jul aug sep sept oct nov dec janv févr avr juil déc ene abr ago dic okt dez gen mag giu lug ott
abb abs kap ziff lit anl anh bd s str pag pág cap núm num cl inc all
ust pkt ok poz rys dz obr č čl odst písm alin pct blz hfdst lid mom sz bek kb stk kpl lk sivu md şek böl
чл ал т фиг табл стр бр прил разд ред пар ст п пп рис рисунк гл кн ч приб
εικ παρ ν αρ άρθ σελ κεφ πίν σχ αριθ
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_LAST = _words(_TITLES) | _words(_WITHIN)
"""Case-folded words without their last full stop, after which a sentence always continues."""
LAST_UNLESS_NUMBERED = _words(_BEFORE_NUMBERS)
"""Words after which a sentence continues if a number follows: *Fig. 2*, *чл. 5*."""
WITH_ORDINAL_STOPS = frozenset(
    ["cs", "da", "de", "et", "fi", "hr", "hu", "lv", "nb", "nn", "no", "pl", "sk", "sl", "sr", "tr"]
)
"""Languages that write a full stop behind ordinal numbers: *3. Mai*."""
