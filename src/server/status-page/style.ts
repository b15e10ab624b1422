import { CSS_BASE, CSS_STANDALONE_PAGE, CSS_TOKENS } from '../../lib/page-styles.ts';

export const STATUS_STYLE = `${CSS_TOKENS}${CSS_BASE}${CSS_STANDALONE_PAGE}
h1 { font-size: 26px; margin: 8px 0 12px; } h2 { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; }
h3 { display: flex; flex-wrap: wrap; gap: 8px; justify-content: space-between; align-items: center; }
ul { list-style: none; padding: 0; margin: 8px 0; }
.ends, .facts { color: var(--ink-2); font-size: 13px; }
.state { font-size: 17px; font-weight: 600; border-radius: 10px; padding: 14px 20px; background: var(--panel); border: 1px solid var(--line); }
.state.up { background: var(--good-soft); color: var(--good); border-color: transparent; } .state.partly { background: var(--warn-soft); color: var(--warn); border-color: transparent; }
.state.maintenance { background: var(--accent-soft); color: var(--accent); border-color: transparent; } .state.down { background: var(--bad-soft); color: var(--bad); border-color: transparent; }
.tag.up { background: var(--good-soft); color: var(--good); } .tag.partly { background: var(--warn-soft); color: var(--warn); }
.tag.maintenance { background: var(--accent-soft); color: var(--accent); } .tag.down { background: var(--bad-soft); color: var(--bad); }
.services, .incidents { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 0 20px; }
.services > li, .incidents > li { border-top: 1px solid var(--line); padding: 16px 0; } .services > li:first-child, .incidents > li:first-child { border: 0; }
.bars { display: block; width: 100%; height: 30px; margin-top: 8px; border-radius: 3px; }
.bars .good { fill: var(--good); } .bars .fair { fill: var(--warn); } .bars .bad { fill: var(--bad); } .bars .none { fill: var(--line); }
.ends { display: flex; justify-content: space-between; margin: 2px 0 0; } .facts { display: flex; flex-wrap: wrap; gap: 4px 18px; } .facts b { color: var(--ink); }
summary { cursor: pointer; min-height: 24px; color: var(--ink-2); font-size: 13px; } .days { font-size: 13px; columns: 14rem; }
footer { margin-top: 28px; }
@media (max-width: 760px) { .services, .incidents { padding: 0 16px; } }
@media print { .skip { display: none; } }
`;
