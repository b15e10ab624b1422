import { CSS_TOKENS } from '../../lib/page-styles.ts';
import { CONTROL_STATUSES, type ControlStatus } from '../assessing/assessment.ts';

/** Colours of status names, with a contrast of at least 4.5 to 1 on white and on black. */
export const STATUS_TEXT_COLOURS: Readonly<
  Record<ControlStatus, readonly [onWhite: string, onBlack: string]>
> = {
  pass: ['#17713f', '#5ccb8c'],
  fail: ['#b3261e', '#ff8a80'],
  attested: ['#2f6f4f', '#8fd6ae'],
  exception: ['#8f4a00', '#f0a95b'],
  manual: ['#3646b8', '#a4b0ff'],
  no_findings: ['#0a6a72', '#57c7cf'],
  not_applicable: ['#4d565c', '#a9b4bb'],
  not_assessed: ['#5c666d', '#98a4ac'],
};

const words = (at: 0 | 1) =>
  CONTROL_STATUSES.map((status) => `.${status} { color: ${STATUS_TEXT_COLOURS[status][at]}; }`).join('\n');

export const REPORT_CSS = `
${CSS_TOKENS}
:root { font: 15px/1.5 var(--font); color: var(--ink); background: var(--panel); }
body { max-width: 64rem; margin: 32px auto; padding: 0 16px; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; } h1 { font-size: 28px; margin: 0 0 4px; padding-top: 14px; border-top: 4px solid; border-image: var(--sheen) 1; } h2 { font-size: 20px; margin-top: 40px; padding-bottom: 6px; border-bottom: 1px solid var(--line); }
h3 { font-size: 16px; margin-top: 32px; } a { color: var(--accent); text-underline-offset: 3px; } .soft, footer { color: var(--ink-2); } header p { margin: 0; }
nav ul { list-style: none; margin: 16px 0; padding: 0; display: flex; flex-wrap: wrap; gap: 8px; } nav a { display: block; padding: 3px 12px; border: 1px solid var(--line); border-radius: 999px; font-size: 13px; text-decoration: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 16px; background: var(--panel); padding: 6px; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: .8rem 0; font-size: .88rem; }
th, td { text-align: start; vertical-align: top; padding: 6px 8px; border-bottom: 1px solid var(--line); }
thead th { overflow-wrap: normal; font-size: 12px; color: var(--ink-3); } tbody th { font-weight: 600; } .group { padding-top: .9rem; color: var(--ink-2); }
td.number, th.number { text-align: end; }
.counts th:first-child { width: 32%; } .counts :is(th, td).number { padding: 6px 4px; } .counts thead th { font-size: 11px; }
.risks th:nth-child(1) { width: 9%; } .risks th:nth-child(2) { width: 20%; } .risks th:nth-child(3) { width: 20%; } .risks th:nth-child(5) { width: 20%; }
.controls th:nth-child(1) { width: 14%; } .controls th:nth-child(3) { width: 13%; } .controls th:nth-child(4) { width: 40%; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; margin-bottom: .4rem; }
.bar { display: flex; align-items: center; gap: .6rem; margin: .15rem 0; } .bar > :first-child { flex: 0 0 11rem; }
.bar svg { flex: 1 1 auto; height: 12px; border-radius: 6px; min-width: 4rem; background: var(--sunk); } .bar > :nth-child(3) { flex: 0 0 4rem; }
.status { font-weight: 600; } code { font: 13px/1.5 var(--mono); }
${words(0)}
@media (max-width: 40rem) {
  .bar > :first-child { flex-basis: 8.5rem; font-size: .85rem; }
  .risks, .controls, .counts, :is(.risks, .controls, .counts) :is(tbody, tr, th, td) { display: block; }
  :is(.risks, .controls, .counts) thead { position: absolute; left: -100vw; }
  :is(.risks, .controls, .counts) tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .risks :is(th, td), .controls :is(th, td) { border: 0; padding: .1rem 0; }
  .risks tbody :is(th, td):nth-child(n), .controls tbody :is(th, td):nth-child(n) { width: auto; }
  .risks td:nth-child(3)::before { content: "Where: "; } .risks td:nth-child(4)::before { content: "What to do: "; }
  .risks td:nth-child(5)::before { content: "Controls: "; }
  .counts :is(th, td) { border: 0; padding: 0; } .counts tbody th:first-child { width: auto; }
  .counts td.number { display: inline-block; margin-inline-end: 1rem; } .counts td::before { content: attr(data-head) ": "; }
}
@media screen and (prefers-color-scheme: dark) {
${words(1)}
  rect.critical { fill: #f19be4; } rect.high, rect.fail { fill: #ff8a80; } rect.medium, rect.exception { fill: #f0a95b; } rect.low, rect.manual { fill: #8089cf; } rect.pass { fill: #5ccb8c; } rect.not_applicable { fill: #2a3237; }
}
@media print {
  :root { color-scheme: light; font-size: 10pt; } body { max-width: none; margin: 0; padding: 0; }
  nav, .skip { display: none; } a { color: inherit; text-decoration: none; }
  h2.chapter { break-before: page; } h2, h3, figcaption, .group { break-after: avoid; }
  tr, .bar { break-inside: avoid; } thead { display: table-header-group; } @page { margin: 16mm; }
}
`;
