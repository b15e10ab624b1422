import { LOOK_TOKENS } from '../../lib/look.ts';

/** Style sheet of the status page: one column, in the reader's colour scheme. */
export const STATUS_STYLE = `
${LOOK_TOKENS}
:root { --paper: var(--panel); --calm-soft: var(--accent-soft); }
* { box-sizing: border-box; }
body { font: 1rem/1.5 var(--font); color: var(--ink); background: var(--paper);
  max-width: 52rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; }
a { color: var(--accent); text-underline-offset: 3px; }
p { margin: .25rem 0; }
ul { list-style: none; padding: 0; margin: .5rem 0; }
.quiet, .ends, .facts { color: var(--ink-2); font-size: .875rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.state { font-weight: 600; border-radius: .625rem; padding: .75rem 1rem; background: var(--sunk); border-left: .3rem solid var(--line); }
.state.up { background: var(--good-soft); color: var(--good); border-color: var(--good); }
.state.partly { background: var(--warn-soft); color: var(--warn); border-color: var(--warn); }
.state.maintenance { background: var(--calm-soft); color: var(--accent); border-color: var(--accent); }
.state.down { background: var(--bad-soft); color: var(--bad); border-color: var(--bad); }
.tag { font-size: .8rem; font-weight: 600; border-radius: .4rem; padding: .1rem .5rem; background: var(--sunk); color: var(--ink-2); }
.tag.up { background: var(--good-soft); color: var(--good); }
.tag.partly { background: var(--warn-soft); color: var(--warn); }
.tag.maintenance { background: var(--calm-soft); color: var(--accent); }
.tag.down { background: var(--bad-soft); color: var(--bad); }
.services > li { border: 1px solid var(--line); border-radius: .625rem; padding: 1rem; margin: .75rem 0; }
.bars { display: block; width: 100%; height: 28px; margin-top: .5rem; }
.bars .good { fill: var(--good); }
.bars .fair { fill: var(--warn); }
.bars .bad { fill: var(--bad); }
.bars .none { fill: var(--line); }
.ends { display: flex; justify-content: space-between; margin: 0; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.incidents li { border-top: 1px solid var(--line); padding: .75rem 0; }
summary { cursor: pointer; min-height: 2.5rem; padding: .5rem 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .4rem; }
@media print { .skip { display: none; } }
`;
