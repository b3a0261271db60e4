#pragma once

#include <string_view>

namespace harness {

/// The style sheet of the page. Colours of outcomes are told apart in the common kinds of colour blindness,
/// and reach a contrast of 4.5 : 1 on their ground in both schemes.
inline constexpr std::string_view kPageStyle = R"(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f5f7; --line: #d5d9df; --text: #1b1f24; --quiet: #57606a; --link: #0b5cad;
  --regressed: #a4133c; --regressed-ground: #fde7ec; --undecided: #5b3f9b; --undecided-ground: #efe9fb;
  --fixed: #0b5cad; --fixed-ground: #e3f0fc; --expected: #7a4b00; --expected-ground: #fdf0d5;
  --ok: #1a6b3c; --bar: #a4133c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1e2228; --line: #373e47; --text: #e3e7ec; --quiet: #9aa4af; --link: #79b8ff;
    --regressed: #ff9db3; --regressed-ground: #4a1524; --undecided: #cdb9ff; --undecided-ground: #33265a;
    --fixed: #8cc4ff; --fixed-ground: #123456; --expected: #f2c66d; --expected-ground: #45320b;
    --ok: #7fd3a0; --bar: #ff9db3;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 100rem; padding: 1rem 1.25rem 4rem; background: var(--ground); color: var(--text);
  font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
a { color: var(--link); }
h1 { font-size: 1.6rem; margin: 0.2rem 0 0.6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 0.1rem; overflow-wrap: anywhere; }
h5 { font-size: 0.85rem; margin: 0.9rem 0 0.25rem; color: var(--quiet); font-weight: 600; }
p { margin: 0.3rem 0; overflow-wrap: anywhere; }
code, pre { font: 12.5px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: 0; padding: 0.6rem 0.75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 4px;
  overflow-x: auto; }
.quiet, .title { color: var(--quiet); }
.totals { display: flex; flex-wrap: wrap; gap: 0.4rem; list-style: none; margin: 0.4rem 0; padding: 0; }
.facts { margin: 0.6rem 0 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 0.9rem; margin: 0.3rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.mark { display: inline-block; padding: 0.05rem 0.4rem; border-radius: 4px; white-space: nowrap; font-weight: 600; }
.regressed { color: var(--regressed); background: var(--regressed-ground); }
.undecided { color: var(--undecided); background: var(--undecided-ground); }
.fixed { color: var(--fixed); background: var(--fixed-ground); }
.expected { color: var(--expected); background: var(--expected-ground); }
.ok { color: var(--ok); font-weight: 400; }
.skipped { color: var(--quiet); font-weight: 400; }
.scroll { width: fit-content; max-width: 100%; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; }
th, td { padding: 0.35rem 0.6rem; text-align: left; vertical-align: top; }
thead th { background: var(--raised); font-weight: 600; white-space: nowrap; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
.wide { width: 100%; }
.changes td:nth-child(2) { min-width: 9rem; }
.changes td:nth-child(4) { min-width: 8rem; }
.wide td:last-child { min-width: 18rem; overflow-wrap: anywhere; }
.grid th:first-child { position: sticky; left: 0; z-index: 1; background: var(--raised); border-right: 1px solid var(--line);
  min-width: 11rem; max-width: 18rem; overflow-wrap: anywhere; font-weight: 600; }
.grid td { white-space: nowrap; }
.grid .part + .part { margin-top: 0.2rem; }
.grid .where { display: block; font-size: 0.85em; color: var(--quiet); max-width: 15rem; white-space: normal; }
.grid a { text-decoration: none; }
.grid a:hover, .grid a:focus { text-decoration: underline; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; list-style: none; margin: 0.6rem 0; padding: 0;
  color: var(--quiet); font-size: 0.9em; }
details { margin: 0.4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.finding { border: 1px solid var(--line); border-radius: 4px; }
.finding > summary { padding: 0.4rem 0.6rem; }
.finding[open] > summary { background: var(--raised); border-bottom: 1px solid var(--line); }
.finding .body { padding: 0.5rem 0.75rem 0.8rem; scroll-margin-top: 3.5rem; }
.where, .blame { color: var(--quiet); }
.blame::before { content: "· "; }
.tried { margin: 0.2rem 0; padding-left: 1.2rem; }
.beside { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-end; }
.histogram { margin: 0.4rem 0; max-width: 100%; }
.histogram svg { display: block; max-width: 100%; }
.histogram rect { fill: var(--bar); }
.histogram rect.none { fill: var(--line); }
.axis { display: flex; justify-content: space-between; font-size: 0.8em; color: var(--quiet); border-top: 1px solid var(--line); }
figcaption { font-size: 0.85em; color: var(--quiet); overflow-wrap: anywhere; }
.bytes { font: 12.5px/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.bytes caption { text-align: left; color: var(--quiet); }
.bytes th, .bytes td { padding: 0.1rem 0.7rem 0.1rem 0.2rem; border-top: 0; background: none; }
.names { columns: 18rem; margin: 0.5rem 0; padding-left: 1.2rem; }
.names li { overflow-wrap: anywhere; }
@media (max-width: 640px) {
  body { padding: 0.75rem 0.75rem 3rem; font-size: 14px; }
  h1 { font-size: 1.3rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.4rem; }
  .grid th:first-child { min-width: 7rem; max-width: 7rem; }
  .changes thead { display: none; }
  .changes tr { display: block; padding: 0.4rem 0; }
  .changes tbody tr + tr { border-top: 1px solid var(--line); }
  .changes tbody tr td { display: inline-block; min-width: 0; padding: 0.1rem 0.5rem; border: 0; }
  .changes tbody tr td:last-child { display: block; }
}
@media print { .scroll { overflow: visible; } }
)";

} // namespace harness
