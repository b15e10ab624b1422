import { CSS_BASE, CSS_TOKENS } from '../../lib/page-styles.ts';

export const VIEW_STYLE = `${CSS_TOKENS}${CSS_BASE}
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
body { margin: 0; font: 14px/1.5 var(--font); color: var(--ink); background: var(--panel); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
main { display: grid; gap: 12px; padding: 14px 16px; grid-template-columns: minmax(0, 1fr); }
h1 { font-size: 17px; margin: 0; } h2 { font-size: 14px; margin: 0; } p { margin: 0; white-space: pre-line; }
ul { list-style: none; margin: 0; padding: 0; } section, .list, .cards, .panel { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }
.panel { border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; }
.row { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; } .row > button { margin-left: auto; }
.quiet { color: var(--ink-2); font-size: 13px; } .plain li { padding: 4px 0; } .place { display: block; color: var(--ink-2); font-size: 13px; }
.tag { font-size: 12px; font-weight: 600; border-radius: 6px; padding: 2px 8px; background: var(--sunk); color: var(--ink-2); }
.good.tag { background: var(--good-soft); color: var(--good); } .warn.tag, .medium.tag { background: var(--warn-soft); color: var(--warn); }
.bad.tag, .critical.tag, .high.tag, .alert { background: var(--bad-soft); color: var(--bad); } .low.tag { background: var(--info-soft); color: var(--info); }
.alert, .said { border-radius: 8px; padding: 8px 12px; } .said { background: var(--sunk); }
button { font: inherit; font-weight: 600; min-height: 32px; padding: 4px 12px; border-radius: 8px; border: 1px solid var(--ink-3); background: var(--panel); color: var(--ink); cursor: pointer; }
.list > button, main > button { justify-self: start; } .chips { display: flex; gap: 8px; flex-wrap: wrap; } .chip { border-radius: 999px; }
.chip[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent); } .chip[aria-pressed=false] { text-decoration: line-through; }
details { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; } details > :not(summary) { margin-top: 8px; } summary { cursor: pointer; min-height: 24px; }
pre { margin: 0; font: 13px/1.5 var(--mono); background: var(--sunk); border-radius: 6px; padding: 8px 10px; overflow-x: auto; white-space: pre; overflow-wrap: normal; }
.facts { display: grid; gap: 8px; grid-template-columns: repeat(auto-fit, minmax(110px, 1fr)); } .fact { display: grid; background: var(--sunk); border-radius: 8px; padding: 8px 10px; }
.bars { display: block; width: 100%; height: 28px; } .stack { display: block; width: 100%; height: 12px; border-radius: 6px; }
.ends { display: flex; justify-content: space-between; color: var(--ink-2); font-size: 12px; } rect.none { fill: var(--line); }
.legend { display: flex; gap: 4px 14px; flex-wrap: wrap; font-size: 13px; color: var(--ink-2); margin-top: 6px; } .legend li { display: flex; gap: 6px; align-items: center; }
.mark { width: 10px; height: 10px; border-radius: 3px; flex: none; } rect.good, rect.pass, rect.attested { fill: var(--good); } rect.warn, rect.exception { fill: var(--warn); } rect.bad, rect.fail { fill: var(--bad); }
rect.no_findings { fill: var(--accent); } rect.manual { fill: var(--info); } rect.not_assessed { fill: var(--ink-3); } rect.not_applicable { fill: var(--line); }
.mark.pass, .mark.attested { background: var(--good); } .mark.exception { background: var(--warn); } .mark.fail { background: var(--bad); } .mark.no_findings { background: var(--accent); }
.mark.manual { background: var(--info); } .mark.not_assessed { background: var(--ink-3); } .mark.not_applicable { background: var(--line); }
[role=status]:empty { display: none; } [role=status] { padding: 10px 16px; color: var(--ink-2); font-size: 13px; } [hidden] { display: none !important; }
`;
