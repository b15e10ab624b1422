/** Style of what reports: figures, findings, bars and lines; after that of the frame, whose tokens it uses. */
export const REPORT_STYLE = `
:root { --worst: light-dark(#7c1d6f, #f19be4); --worst-soft: light-dark(#f8e6f5, #3b1636); }
.grid.many { grid-template-columns: repeat(auto-fit, minmax(min(150px, 45%), 1fr)); } .grid.wide { grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); }
a.stat { color: inherit; text-decoration: none; } .worst-ink { color: var(--worst); } .bad-ink { color: var(--bad); } .warn-ink { color: var(--warn); } .info-ink { color: var(--info); } .good-ink { color: var(--good); } .none-ink { color: var(--ink-3); }
a.stat:hover { border-color: var(--ink-3); } a.stat[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); } .tag.worst { background: var(--worst-soft); color: var(--worst); }
.lines { list-style: none; margin: 0; padding: 0; } .entry { display: grid; gap: 4px 16px; align-items: center; padding: 14px 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.lines > .entry:first-child { border: 0; padding-top: 0; } .lines > .entry:last-child { padding-bottom: 0; } .entry summary { font-size: 13px; color: var(--ink-2); min-height: 24px; } .entry h2 { font-size: 15px; } .entry > .end { justify-self: end; text-align: right; }
.entry.scan { grid-template-columns: minmax(0, 1fr) auto; }
.entry.watched { grid-template-columns: minmax(150px, 1.3fr) 96px minmax(170px, 2fr) 124px 72px; }
.entry.heads { padding: 0 0 8px; border: 0; font-size: 12px; font-weight: 600; color: var(--ink-3); } .heads + .lines > .entry:first-child { border-top: 1px solid var(--line); padding-top: 14px; } .only-s { display: none; }
.entry.control { grid-template-columns: 110px minmax(0, 1fr); align-items: start; }
.finding pre { white-space: pre-wrap; } .at { color: var(--ink-3); user-select: none; margin-right: 14px; } del { display: block; text-decoration: none; color: var(--bad); } ins { display: block; text-decoration: none; color: var(--good); }
.finding { display: grid; gap: 8px; padding: 18px 0; border-top: 1px solid var(--line); scroll-margin-top: 16px; grid-template-columns: minmax(0, 1fr); } .finding:last-of-type { padding-bottom: 0; } .finding:first-child { border: 0; padding-top: 0; } .finding:target > h2 { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 5px; }
.finding h2 { display: flex; gap: 10px; align-items: center; flex-wrap: wrap; } .finding details { font-size: 14px; } .finding summary { min-height: 24px; color: var(--ink-2); font-size: 13px; }
.fix { border-left: 3px solid var(--accent); padding-left: 12px; } .steps { margin: 0; padding-left: 22px; display: grid; gap: 4px; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 20px; margin: 0; } .facts dt { color: var(--ink-2); } .facts dd { margin: 0; }
.busy { display: grid; gap: 10px; } .busy progress { width: 100%; height: 8px; accent-color: var(--accent); } .hint { font-weight: 400; font-size: 13px; color: var(--ink-2); }
.pair { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(190px, 100%), 1fr)); align-items: end; }
details.sure > summary { display: inline-flex; align-items: center; list-style: none; border: 1px solid var(--line); border-radius: 8px; padding: 8px 14px; min-height: 40px; font-weight: 600; color: var(--bad); background: var(--panel); } details.sure > summary::-webkit-details-marker { display: none; }
details.sure[open] > summary { margin-bottom: 10px; } .sure form { display: grid; gap: 10px; } .empty { justify-items: center; } .empty p { max-width: 60ch; } details.panel { display: block; } details.panel > summary { min-height: 0; } .stat { align-content: start; } details.panel > form, details.panel > div { margin-top: 12px; }
.bars { display: block; width: 100%; height: 26px; border-radius: 3px; } .good-fill { fill: var(--good); } .fair-fill { fill: var(--warn); } .bad-fill { fill: var(--bad); } .none-fill { fill: var(--line); }
.calm-fill { fill: var(--info); } .more-fill { fill: var(--accent); } .wait-fill { fill: color-mix(in srgb, var(--warn) 45%, var(--panel)); } .faint-fill { fill: color-mix(in srgb, var(--line) 50%, var(--panel)); }
.share { display: block; width: 100%; height: 10px; border-radius: 5px; } .legend { display: flex; gap: 4px 14px; flex-wrap: wrap; font-size: 13px; color: var(--ink-2); list-style: none; margin: 0; padding: 0; } .legend b { color: var(--ink); font-variant-numeric: tabular-nums; } .legend svg { width: 9px; height: 9px; margin-right: 6px; }
.entry.checked { grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 8px 24px; }
.reports { display: flex; flex-wrap: wrap; gap: 12px 20px; } .reports li { display: grid; gap: 4px; justify-items: start; } .pair input, .pair select { height: 42px; }
.spark { display: block; width: 124px; height: 30px; } .spark.large { width: 100%; height: 90px; } .spark path { fill: none; stroke: var(--accent); stroke-width: 1.7; vector-effect: non-scaling-stroke; stroke-linejoin: round; stroke-linecap: round; }
.ends { display: flex; justify-content: space-between; font-size: 12px; color: var(--ink-3); padding-top: 4px; } .sub { display: grid; gap: 12px; } tbody th { font-size: 15px; color: var(--ink); padding: 10px 12px 10px 0; border-top: 1px solid var(--line); }
@media (max-width: 760px) { .entry.watched { grid-template-columns: minmax(0, 1fr) auto; } .entry.watched > .bars-cell, .entry.watched > .end { grid-column: 1 / -1; } .only-s { display: inline; } .entry.heads { display: none; } .entry.control, .entry.scan, .entry.checked { grid-template-columns: minmax(0, 1fr); } .entry.scan > .end { justify-self: start; text-align: left; } }
`;
