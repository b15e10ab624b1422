import { STATUSES, type Status } from '../assessment.ts';

/** Colours of words, dark enough on white and light enough on black to be read (4.5 to 1). */
export const STATUS_INKS: Readonly<Record<Status, readonly [onWhite: string, onBlack: string]>> = {
  pass: ['#146246', '#5fd0a4'],
  fail: ['#a3211a', '#ff9a90'],
  attested: ['#2f5d1e', '#9fd07a'],
  exception: ['#8a4200', '#f0ab6b'],
  manual: ['#775a00', '#e5bd4a'],
  no_findings: ['#1f5f8f', '#8cc4ee'],
  not_applicable: ['#5b6470', '#b1b8c2'],
  not_assessed: ['#535b66', '#b1b8c2'],
};

const words = (at: 0 | 1) =>
  STATUSES.map((status) => `.${status} { color: ${STATUS_INKS[status][at]}; }`).join('\n');

/** The look of the HTML form: a desk, a phone (tables become cards), the dark, and paper. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2127; --soft: #535b66; --line: #d5d9df; --paper: #fff; --link: #0b57a4;
  font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.2rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2rem; } a { color: var(--link); } .soft, footer { color: var(--soft); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; background: var(--paper); padding: .3rem; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: .8rem 0; font-size: .88rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid var(--line); }
thead th { overflow-wrap: normal; } tbody th { font-weight: 600; } .group { padding-top: .9rem; color: var(--soft); }
td.number, th.number { text-align: end; }
.counts th:first-child { width: 40%; }
.risks th:nth-child(1) { width: 9%; } .risks th:nth-child(3) { width: 25%; } .risks th:nth-child(5) { width: 24%; }
.controls th:nth-child(1) { width: 14%; } .controls th:nth-child(3) { width: 13%; } .controls th:nth-child(4) { width: 40%; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; margin-bottom: .4rem; }
.bar { display: flex; align-items: center; gap: .6rem; margin: .15rem 0; } .bar > :first-child { flex: 0 0 11rem; }
.bar svg { flex: 1 1 auto; height: 1.1rem; min-width: 4rem; } .bar > :nth-child(3) { flex: 0 0 4rem; }
.status { font-weight: 600; } code { font-size: .8rem; }
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
  :root { --ink: #e6e8eb; --soft: #b1b8c2; --line: #3a414b; --paper: #14171b; --link: #8fc1ff; }
${words(1)}
  rect.critical { fill: #d9476a; } rect.high { fill: #e0584e; }
}
@media print {
  :root { color-scheme: light; font-size: 10pt; } body { max-width: none; margin: 0; padding: 0; }
  nav, .skip { display: none; } a { color: inherit; text-decoration: none; }
  h2.chapter { break-before: page; } h2, h3, figcaption, .group { break-after: avoid; }
  tr, .bar { break-inside: avoid; } thead { display: table-header-group; } @page { margin: 16mm; }
}
`;
