import { CSS_BASE, CSS_TOKENS } from '../../../lib/page-styles.ts';

const FRAME = `
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
body { margin: 0; font: 15px/1.5 var(--font); color: var(--ink); background: var(--sunk); min-height: 100vh; overflow-wrap: anywhere; }
body.framed { display: grid; grid-template-columns: 232px minmax(0, 1fr); }
h1 { font-size: 24px; line-height: 1.25; margin: 0; letter-spacing: -.01em; } h2 { font-size: 16px; margin: 0; } h3 { font-size: 15px; margin: 0; } p { margin: 0; }
.side { background: var(--panel); border-right: 1px solid var(--line); padding: 16px 12px 10px; display: flex; flex-direction: column; gap: 2px;
  position: sticky; top: 0; height: 100vh; overflow-y: auto; }
.brand { display: flex; align-items: center; gap: 10px; padding: 0 8px 10px; font-weight: 700; font-size: 18px; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
.brand svg { width: 30px; height: 30px; }
.side p.group { font-size: 11px; font-weight: 700; text-transform: uppercase; letter-spacing: .08em; color: var(--ink-3); padding: 10px 10px 3px; }
a.item, .more > summary { display: flex; align-items: center; gap: 10px; min-height: 36px; padding: 5px 10px; border-radius: 8px; color: var(--ink); text-decoration: none; }
a.item:hover { background: var(--sunk); } .side svg { flex: none; } a.item svg, .more > summary svg { width: 18px; height: 18px; }
a.item[aria-current], .more.here > summary { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.more { display: none; } .more > summary { font-weight: 400; }
.foot { margin-top: auto; padding: 12px 0 2px 4px; font-size: 13px; color: var(--ink-2); display: flex; gap: 8px 6px; align-items: center; flex-wrap: wrap; }
.foot .who { flex-basis: 100%; display: flex; gap: 8px; align-items: center; min-width: 0; } .foot form { display: inline; }
.foot button { font-size: 13px; font-weight: 500; min-height: 32px; padding: 4px 7px; color: var(--ink-2); }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--good); flex: none; }
main { padding: 28px 32px 40px; max-width: 1080px; width: 100%; display: grid; gap: 20px; align-content: start; grid-template-columns: minmax(0, 1fr); }
main.alone { max-width: 480px; margin: 8vh auto 0; } .alone .brand { padding: 0; }
.head { display: flex; gap: 16px; align-items: end; justify-content: space-between; flex-wrap: wrap; } .head p { color: var(--ink-2); margin-top: 4px; } time { white-space: nowrap; }
@media (max-width: 760px) {
  body.framed { grid-template-columns: minmax(0, 1fr); } main { padding: 20px 16px 96px; }
  .side { position: fixed; inset: auto 0 0; height: auto; flex-direction: row; gap: 0; border: 0; border-top: 1px solid var(--line); padding: 4px 2px max(4px, env(safe-area-inset-bottom)); z-index: 2; overflow: visible; }
  .side > .brand, .side > p, .side > .foot, .side > a.item.deep { display: none; }
  .side > a.item, .more > summary { flex: 1 1 0; flex-direction: column; justify-content: center; gap: 2px; font-size: 11px; line-height: 1.3; padding: 6px 0; min-width: 0; min-height: 54px; overflow-wrap: normal; }
  .more { display: block; flex: 1 1 0; min-width: 0; } .more > summary { list-style: none; cursor: pointer; } .more > summary::-webkit-details-marker { display: none; }
  .sheet { position: fixed; inset: auto 0 calc(63px + env(safe-area-inset-bottom)); max-height: 74vh; overflow-y: auto; background: var(--panel); border-top: 1px solid var(--line); border-radius: 16px 16px 0 0;
    padding: 8px 16px 16px; box-shadow: 0 -12px 32px rgb(0 0 0 / .18); }
  .sheet a.item { min-height: 44px; } .hide-s { display: none; } }
@media (prefers-reduced-motion: no-preference) { .button, button, .chip, a.item { transition: background .12s, border-color .12s; } }
`;

const PARTS = `
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); }
.row { display: flex; gap: 12px; align-items: center; flex-wrap: wrap; } .between { justify-content: space-between; }
.grid > .panel { align-content: start; } .grid { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(200px, 100%), 1fr)); }
.quiet, small { color: var(--ink-2); font-size: 13px; }
.button, button { font: inherit; font-weight: 600; display: inline-flex; align-items: center; justify-content: center; gap: 8px; border: 1px solid var(--line); background: var(--panel);
  color: var(--ink); border-radius: 8px; padding: 8px 14px; min-height: 40px; cursor: pointer; text-decoration: none; }
button { white-space: nowrap; } .button:hover, button:hover { border-color: var(--ink-3); }
.button.main, button.main { background: var(--accent); border-color: transparent; color: var(--accent-ink); } .button.bad, button.bad { color: var(--bad); }
.button.wide { display: flex; overflow-wrap: anywhere; }
button.small, .button.small { min-height: 32px; padding: 4px 10px; font-size: 13px; }
.field { display: flex; align-items: center; gap: 10px; background: var(--panel); border: 1px solid var(--ink-3); border-radius: 12px; padding: 6px 6px 6px 16px; }
.field:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px var(--accent-soft); }
.field input { flex: 1; min-width: 0; border: 0; background: none; font: inherit; font-size: 17px; color: var(--ink); padding: 8px 0; outline: 0; }
.chips { display: flex; gap: 8px; flex-wrap: wrap; }
.chip { display: inline-flex; gap: 6px; align-items: center; min-height: 32px; border: 1px solid var(--line); border-radius: 999px; padding: 4px 12px;
  font-size: 13px; background: var(--panel); color: var(--ink-2); text-decoration: none; } a.chip:hover { border-color: var(--ink-3); }
.chip:has(:checked), .chip[aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.chip input { accent-color: var(--accent); margin: 0; }
.tag { font-size: 12px; font-weight: 600; border-radius: 6px; padding: 2px 8px; background: var(--sunk); color: var(--ink-2); text-decoration: none; white-space: nowrap; }
.tag.good { background: var(--good-soft); color: var(--good); } .tag.warn { background: var(--warn-soft); color: var(--warn); }
.tag.bad { background: var(--bad-soft); color: var(--bad); } .tag.info { background: var(--info-soft); color: var(--info); } .tag.more { background: var(--accent-soft); color: var(--accent); }
.said { background: var(--good-soft); border-radius: 10px; padding: 8px 16px; } .alert { background: var(--bad-soft); color: var(--bad); border-radius: 10px; padding: 12px 16px; }
.note { background: var(--info-soft); border-radius: 10px; padding: 12px 16px; } .caution { background: var(--warn-soft); border-radius: 10px; padding: 12px 16px; display: grid; gap: 8px; }
:is(.alert, .caution, details) > ul { margin: 4px 0; padding-left: 20px; } :is(.alert, .caution) summary { padding-top: 4px; }
.answer { border-left: 4px solid; border-image: var(--sheen) 1; padding-left: 16px; display: grid; gap: 8px; } .answer sup a { text-decoration: none; font-weight: 600; }
.hit { display: grid; gap: 4px; padding: 16px 0; border-top: 1px solid var(--line); grid-template-columns: minmax(0, 1fr); } .hit:first-of-type { border: 0; padding-top: 0; } .hit:last-of-type { padding-bottom: 0; }
.where { display: flex; gap: 2px 14px; align-items: center; flex-wrap: wrap; font-size: 13px; color: var(--ink-2); overflow: clip; overflow-clip-margin: 5px; }
// The dot before the first item of a line lies outside of the box and is cut off.
.where > :is(span, time, bdi):not(.tag) + :is(span, time, bdi):not(.tag) { position: relative; } .where > :is(span, time, bdi):not(.tag) + :is(span, time, bdi):not(.tag)::before { content: "·"; position: absolute; left: -10px; }
.hit > .between { flex-wrap: nowrap; align-items: start; }
.text { white-space: pre-line; } mark { background: var(--accent-soft); color: inherit; padding: 0 2px; border-radius: 3px; }
label { font-weight: 600; } .panel form, form.stack { display: grid; gap: 12px; } .row form, .acts form, form.line { display: inline-flex; gap: 8px; }
.acts { display: flex; gap: 8px; flex-wrap: wrap; margin-top: 4px; align-items: start; }
form label > input, form label > textarea, form label > select { display: block; width: 100%; margin-top: 4px; font: inherit; font-weight: 400; color: var(--ink); background: var(--panel);
  border: 1px solid var(--ink-3); border-radius: 8px; padding: 8px 12px; min-height: 40px; }
form label > small { display: block; font-weight: 400; }
label.chip > input, .pair label.chip > input { display: inline; width: auto; height: auto; min-height: 0; margin: 0; }
input::file-selector-button { font: inherit; font-weight: 600; margin: -2px 12px -2px -4px; min-height: 28px; padding: 2px 10px; border-radius: 6px; border: 1px solid var(--line); background: var(--sunk); color: var(--ink); cursor: pointer; } form label > textarea { min-height: 88px; max-height: 60vh; resize: vertical; field-sizing: content; }
fieldset { border: 0; margin: 0; padding: 0; } legend { font-weight: 600; padding: 0 0 6px; }
summary { cursor: pointer; min-height: 32px; } .panel summary { font-weight: 600; } .acts summary { font-size: 14px; font-weight: 600; padding: 8px 4px; }
.acts details[open] { flex-basis: 100%; } .acts details form { display: grid; gap: 8px; justify-items: start; }
.empty { text-align: center; padding: 32px 20px; color: var(--ink-2); } .empty h2 { color: var(--ink); }
.stat b { display: block; font-size: 26px; line-height: 1.25; letter-spacing: -.02em; font-variant-numeric: tabular-nums; } .stat { gap: 2px; }
.scroll { overflow-x: auto; } table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: 12px; color: var(--ink-3); font-weight: 600; padding: 0 12px 8px 0; } td { padding: 10px 12px 10px 0; border-top: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; } th, .num { overflow-wrap: normal; } th[scope=row], .num, td.one, th.one { white-space: nowrap; } .num, .end { text-align: right; } td.end .row { flex-wrap: nowrap; justify-content: end; gap: 8px; } td .where { padding-top: 2px; }
code, kbd { font: 13px/1.5 var(--mono); background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 1px 5px; }
pre { font: 13px/1.55 var(--mono); background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; overflow-x: auto; margin: 0; } pre code { border: 0; padding: 0; background: none; }
.pages { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
.days { display: block; width: 100%; height: 64px; fill: var(--accent); } .days .none { fill: var(--line); }
.copy { position: relative; } .copy > button { position: absolute; top: 6px; right: 6px; } .copy > pre { padding-right: 84px; }
div.stack { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); }
.drop { border: 1.5px dashed var(--ink-3); border-radius: 10px; padding: 18px 20px; background: var(--panel); display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); } .drop button { justify-self: start; } .drop.over { border-color: var(--accent); background: var(--accent-soft); }
.drop input[type=file] { font: inherit; max-width: 100%; color: var(--ink-2); } .drop input::file-selector-button { margin: 0 12px 0 0; min-height: 40px; padding: 6px 14px; border-radius: 8px; border: 1px solid var(--line); background: var(--accent); color: var(--accent-ink); cursor: pointer; }
.options { display: flex; flex-wrap: wrap; gap: 4px 24px; } .options details[open] { flex-basis: 100%; } .drop summary { font-weight: 500; font-size: 13px; color: var(--ink-2); } .drop details input { font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--ink-3); border-radius: 8px; padding: 8px 12px; min-height: 40px; width: 100%; margin-top: 4px; } .drop details label { font-weight: 400; font-size: 13px; }
ul.progress { list-style: none; margin: 0; padding: 0; } ul.progress:not(:empty) { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 4px 20px; } ul.progress:empty { display: none; } section > ul.progress { margin-top: 12px; }
ul.progress li { padding: 12px 0; border-top: 1px solid var(--line); display: grid; gap: 6px; grid-template-columns: minmax(0, 1fr); } ul.progress button { justify-self: start; } ul.progress li:first-child { border: 0; } progress { width: 100%; accent-color: var(--accent); } .error { color: var(--bad); } .done { color: var(--good); }
form.key { display: flex; gap: 8px; align-items: end; flex-wrap: wrap; }
.sure form { justify-items: start; gap: 6px; font-size: 13px; margin-top: 4px; }
.leaf { display: grid; gap: 20px; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); align-items: start; } figure { margin: 0; } figure img { display: block; width: 100%; height: auto; min-height: 48px; border: 1px solid var(--line); border-radius: 6px; background: #fff; color: #14181b; }
.sheet-text { white-space: pre-wrap; background: var(--sunk); border-radius: 8px; padding: 14px 16px; max-height: 70vh; overflow-y: auto; }
@media (max-width: 760px) { .panel { padding: 16px; } table.cards thead { position: absolute; left: -100rem; } table.cards tr { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 12px 0; border-top: 1px solid var(--line); } table.cards td:first-child { flex-basis: 100%; } table.cards td.end { margin-left: auto; }
  table.cards tbody tr:first-child { border: 0; padding-top: 0; } table.cards td { border: 0; padding: 0; text-align: left; } }
`;

export const CONSOLE_STYLE = `${CSS_TOKENS}${CSS_BASE}${FRAME}${PARTS}`;
