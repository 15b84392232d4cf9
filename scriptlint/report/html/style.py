"""The style sheet: quiet, readable on a phone, in the dark, and on paper."""

from __future__ import annotations

from scriptlint.report.html.palette import DARK, LIGHT, SERIES, TONES, variables

_SANS = (
    'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC","PingFang SC","Hiragino Sans",'
    '"Microsoft YaHei",sans-serif'
)
_SERIF = '"Iowan Old Style","Palatino Linotype",Palatino,Charter,"Noto Serif",Georgia,serif'
_MONO = 'ui-monospace,"SF Mono",Menlo,Consolas,"Noto Sans Mono","DejaVu Sans Mono",monospace'

_BASE = """
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:100%/1.6 SANS;-webkit-text-size-adjust:100%;scroll-padding:1rem}
body{margin:0 auto;max-width:78rem;padding:2.5rem 1.5rem 4rem}
header,section.room,footer{margin:0 0 3.5rem}
h1,h2{font-family:SERIF;font-weight:600;line-height:1.2;letter-spacing:-.01em;margin:0}
h1{font-size:clamp(1.9rem,1.4rem + 2.2vw,2.9rem)}
h2{font-size:1.7rem}
h3{font-size:1.05rem;margin:2.2rem 0 .8rem}
h4{font-size:1.05rem;margin:0 0 .6rem}
p{margin:.5rem 0}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.06em}
code,pre,.path,.name{font-family:MONO;font-size:.9em;overflow-wrap:anywhere}
.brand{font-family:MONO;font-size:.95rem;color:var(--soft);margin:0 0 .6rem}
.lead{color:var(--soft);max-width:46rem;margin:.5rem 0 1.4rem}
.soft,caption{color:var(--soft)}
.vh{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem;background:var(--card);padding:.5rem 1rem;z-index:9}
.skip:focus{left:1rem;top:1rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.2rem}
:target{outline:2px solid var(--link);outline-offset:4px;border-radius:.3rem}
nav ul,.tiles,.legend,.plain,.tokens{list-style:none;margin:0;padding:0}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;border-top:1px solid var(--line);padding-top:1rem;margin-top:1.6rem}
.tiles{display:flex;flex-wrap:wrap;gap:.8rem}
.tile{border-radius:.6rem;padding:.7rem 1.1rem;min-width:7.5rem}
.tile .n{display:block;font:600 1.8rem/1.1 SERIF;font-variant-numeric:tabular-nums lining-nums}
.chip{display:inline-block;border-radius:1rem;padding:0 .6rem;font-size:.86rem;font-weight:600;white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:.5rem 1.6rem;margin:0 0 1.4rem;font-size:.9rem}
.card,.file{border:1px solid var(--line);border-radius:.6rem;background:var(--card);margin:.8rem 0;padding:0 1.2rem}
details[open].card,div.card{padding-bottom:1rem}
.card>h4{margin:1rem 0 .4rem}
.wide{overflow-x:auto}
summary{cursor:pointer;padding:.75rem 0}
summary .tail{color:var(--soft);font-size:.9rem;margin-left:.6rem}
summary h3{display:inline;margin:0;font-size:1rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:.4rem 0 .6rem;font-size:.92rem}
th,td{padding:.45rem .7rem;text-align:left;vertical-align:top}
thead th{font-size:.86rem;color:var(--soft);font-weight:600;vertical-align:bottom;border-bottom:1px solid var(--line)}
tbody th{font-weight:500}
tbody tr+tr>*{border-top:1px solid var(--line)}
.numbers{font-variant-numeric:tabular-nums lining-nums}
.numbers td,.numbers thead th:not(:first-child){text-align:right}
.few{max-width:34rem}
.matrix th,.matrix td{padding:.15rem}
.matrix th:first-child{position:sticky;left:0;background:var(--card);padding:.5rem .9rem;min-width:12rem;z-index:1}
.matrix tbody th a{display:block;text-decoration:none}
.matrix tbody th .at{display:block;font-size:.78rem}
.matrix td{text-align:center;vertical-align:middle}
.up{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap;padding:.3rem 0;line-height:1.9rem}
.cell{font:inherit;font-weight:700;border:0;border-radius:.35rem;min-width:1.9rem;height:2rem;cursor:pointer;padding:0}
.cell .script{display:none}
.cell sup{font-size:.7em;line-height:0}
.cell:hover{outline:2px solid currentColor}
.pop{border:1px solid var(--line);border-radius:.7rem;background:var(--card);color:var(--ink);padding:1.3rem 1.5rem;
width:min(38rem,calc(100vw - 2rem));max-height:85vh;overflow:auto;box-shadow:0 1rem 3rem #0005}
.pop::backdrop{background:#0006}
.close,.filter label{font:inherit;cursor:pointer}
.close{margin-top:.8rem;border:1px solid var(--line);border-radius:.4rem;background:var(--code);color:var(--ink);
padding:.3rem 1rem}
.witness{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem .7rem;margin:.7rem 0;overflow-wrap:anywhere}
.witness>bdi{font-size:1.12rem}
.to{color:var(--soft);font-size:.88rem}
.tokens{display:flex;flex-wrap:wrap;gap:.3rem}
.tokens li{background:var(--code);border-radius:.3rem;padding:0 .45rem}
.src{background:var(--code);border-radius:.4rem;padding:.6rem .8rem;margin:.6rem 0;white-space:pre-wrap;tab-size:4;
overflow-wrap:anywhere;line-height:1.5}
.src .row{display:block;padding-left:3.4em;text-indent:-3.4em}
.src .no{display:inline-block;min-width:2.6em;margin-right:.8em;text-align:right;text-indent:0;color:var(--soft);
user-select:none}
mark{background:var(--mark);color:var(--ink);border-radius:.2rem;padding:.05em 0;
box-shadow:inset 0 -.12em currentColor}
.where{font-size:.88rem;color:var(--soft);margin-bottom:.2rem}
.finding{border-top:1px solid var(--line);padding:1rem 0}
.finding .head{display:flex;flex-wrap:wrap;gap:.2rem .8rem;align-items:baseline;margin:0}
.finding .message{font-size:1.06rem;max-width:52rem;overflow-wrap:anywhere}
.finding .help{max-width:52rem}
.finding details summary{padding:.2rem 0;font-size:.9rem;color:var(--soft)}
.filter{border:0;margin:0 0 1rem;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:baseline}
.filter legend{float:left;padding:0;margin-right:1rem;color:var(--soft)}
:root:has(#show-error:not(:checked)) .finding.error,:root:has(#show-warning:not(:checked)) .finding.warning,
:root:has(#show-note:not(:checked)) .finding.note{display:none}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.5rem 1.2rem;margin:.4rem 0 1rem}
.facts dd,.rules dd{margin:0}
.steps{margin:0;padding-left:1.2rem}
.rules>div{border-top:1px solid var(--line);padding:.8rem 0}
.with-bar{display:inline-flex;flex-direction:column;align-items:stretch;width:8.6rem;white-space:nowrap}
.with-bar>.soft{font-size:.86rem}
.bar{height:.5rem;width:100%;border-radius:.2rem;margin-top:.25rem}
.bar .rest,.key .rest{fill:var(--line)}.key{width:.8rem;height:.8rem;vertical-align:baseline}
.keys{font-size:.88rem}
.chart{width:100%;height:auto;max-width:46rem;display:block;margin:1rem 0;font:15px SANS}
.curves{display:none;list-style:none;margin:0;padding:0;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem}
.curves svg{width:2.2rem;height:.9rem;vertical-align:middle}
.chart text{fill:var(--ink)}.chart .tick{fill:var(--soft)}
.chart .grid{stroke:var(--line);stroke-width:1}
.chart .axis{stroke:var(--soft);stroke-width:1}
.curve{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
.chart .faint{stroke-width:1.2;opacity:.75}
.chart .lead-line{stroke-width:1}
figure{margin:1.4rem 0;background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.2rem}
figcaption{color:var(--soft);font-size:.92rem;max-width:46rem}
.down{font-weight:700;color:var(--bad-ink)}
footer{border-top:1px solid var(--line);padding-top:1rem;margin:0;color:var(--soft);font-size:.9rem}
"""

_PHONE = """
@media (max-width:46rem){
body{padding:1.5rem 1rem 3rem}
.scroll{border:0;background:none;overflow:visible}
.matrix,.matrix tbody,.stack,.stack tbody{display:block}
.matrix thead,.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.matrix tr{display:flex;flex-wrap:wrap;gap:.3rem;background:var(--card);border:1px solid var(--line);
border-radius:.6rem;padding:.9rem;margin:0 0 .9rem}
.matrix tbody tr>*{border:0;padding:0}
.matrix th:first-child{position:static;width:100%;padding:0 0 .4rem;background:none}
.matrix .cell{height:auto;padding:.25rem .55rem;font-weight:600;font-size:.9rem}
.cell .script{display:inline;font-weight:500;margin-right:.35rem}
.stack tr{display:block;padding:.7rem 0;border-top:1px solid var(--line)}
.stack tbody tr>*{display:block;border:0;padding:.15rem 0}
.stack th{font-weight:600}
.stack td{display:flex!important;justify-content:space-between;gap:1rem;text-align:right}
.stack td::before{content:attr(data-label);color:var(--soft);text-align:left;flex:1 1 50%;min-width:0;
overflow-wrap:anywhere}
.stack caption{display:block}
.card,.file{padding:0 .9rem}
.chip{white-space:normal}
.chart{min-width:31rem}.curves{display:flex}
.facts{grid-template-columns:1fr;gap:.2rem}
.facts dd{margin-bottom:.6rem}
.pop{margin:auto 0 0;width:100vw;max-width:100vw;border-radius:1rem 1rem 0 0;border-width:1px 0 0}
summary .tail{display:block;margin-left:1.1rem}
.src .row{padding-left:0;text-indent:0}
.src .no{min-width:0;margin-right:.7em}
figure{padding:.8rem .6rem}
}
"""

_PAPER = """
@media print{
html{font-size:9.5pt}
body{max-width:none;padding:0}
nav,.filter,.skip,.close{display:none}
.scroll{overflow:visible;border:0}
details::details-content{content-visibility:visible;block-size:auto}
[popover].pop{display:block;position:static;width:auto;max-height:none;box-shadow:none;margin:.5rem 0;
padding:.6rem .8rem}
[popover].good-pop,[popover].dim-pop{display:none}
.pop,.finding,.tile,figure,tr{break-inside:avoid}
h2,h3,summary{break-after:avoid}
.chip,.cell,.tile,mark,.bar,.src,.tokens li{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
"""


def stylesheet() -> str:
    """All of it."""
    tones = "".join(
        f".{t}{{background:var(--{t});color:var(--{t}-ink)}}.bar .{t},.key .{t}{{fill:var(--{t}-ink)}}" for t in TONES
    )
    tones += "".join(
        f".s{n}{{stroke:var(--series-{n})}}.d{n}{{fill:var(--series-{n});stroke:var(--card)}}"
        for n in range(1, SERIES + 1)
    )
    text = (
        f":root{{color-scheme:light dark;{variables(LIGHT)}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}"
        f"{_BASE}{tones}{_PHONE}{_PAPER}"
    )
    return text.replace("SANS", _SANS).replace("SERIF", _SERIF).replace("MONO", _MONO)
