"""How pages look: readable on a phone, light or dark as the reader's device is."""

STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #fbf9f4;
  --ink: #22201c;
  --pale: #6a6357;
  --line: #ddd6c8;
  --link: #8a3b12;
  --card: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b1a18;
    --ink: #ece7dd;
    --pale: #a79f90;
    --line: #3b3832;
    --link: #f0a878;
    --card: #252320;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 1rem;
  max-width: 50rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
nav ol { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0; padding: 0; }
nav li + li::before { content: "/"; color: var(--pale); padding-right: 0.25rem; }
ul { padding-left: 1.25rem; }
ul.matches { list-style: none; padding: 0; }
ul.matches li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.small, footer, caption { color: var(--pale); font-size: 0.875rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0.25rem 0; }
th, td { padding: 0.35rem 0.5rem; border-bottom: 1px solid var(--line); text-align: right; }
th, td { overflow-wrap: break-word; }
th { font-weight: 600; }
thead th { color: var(--pale); font-size: 0.875rem; overflow-wrap: normal; }
th:nth-child(-n+2), td:first-child { text-align: left; }
tbody th { font-weight: 400; width: 100%; min-width: 6rem; }
@media (max-width: 30rem) {
  th, td { padding: 0.35rem 0.25rem; }
  thead th { font-size: 0.75rem; }
}
img { display: block; max-width: 100%; height: auto; border-radius: 0.5rem; }
ol.turns { list-style: none; padding: 0; }
ol.turns > li {
  margin: 0 0 1rem;
  padding: 0.75rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  scroll-margin-top: 0.5rem;
}
ol.turns p { margin: 0 0 0.5rem; }
ol.turns img { margin: 0 auto; }
ol.turns .steps { display: flex; justify-content: space-between; margin: 0.25rem 0 0; }
.steps a { padding: 0.5rem; }
"""
