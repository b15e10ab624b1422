/** Text has a contrast of at least 4.5:1 in both colour schemes. */
export const CSS_TOKENS = `
:root { color-scheme: light dark;
  --ink: light-dark(#14181b, #eceff1); --ink-2: light-dark(#4d565c, #a9b4bb); --ink-3: light-dark(#5c666d, #98a4ac);
  --panel: light-dark(#ffffff, #161b1e); --sunk: light-dark(#f4f6f7, #0b0e10); --line: light-dark(#dfe4e7, #2a3237);
  --accent: light-dark(#0a6a72, #57c7cf); --accent-ink: light-dark(#ffffff, #06282b); --accent-soft: light-dark(#e2f3f4, #12343a);
  --good: light-dark(#17713f, #5ccb8c); --warn: light-dark(#8f4a00, #f0a95b); --bad: light-dark(#b3261e, #ff8a80); --info: light-dark(#3646b8, #a4b0ff);
  --good-soft: light-dark(#e3f4ea, #12301f); --warn-soft: light-dark(#fdf0e0, #33240f); --bad-soft: light-dark(#fdeceb, #3a1815);
  --info-soft: light-dark(#e9ebfb, #1d2140);
  --sheen: linear-gradient(100deg, #0a6a72, #2a59b5 55%, #6a3fa0);
  --font: ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
`;

export const CSS_BASE = `
* { box-sizing: border-box; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 12px; top: 12px; z-index: 3; background: var(--panel); padding: 8px 14px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

export const CSS_STANDALONE_PAGE = `
body { font: 15px/1.55 var(--font); color: var(--ink); background: var(--sunk); max-width: 52rem; margin: 0 auto; padding: 28px 16px 48px; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
h1 { font-size: 24px; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 4px; } h2 { font-size: 16px; margin: 28px 0 10px; } h3 { font-size: 15px; margin: 0; } p { margin: 4px 0; }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 700; font-size: 18px; letter-spacing: -.01em; margin-bottom: 20px; } .brand svg { width: 30px; height: 30px; }
.quiet, small { color: var(--ink-2); font-size: 13px; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; margin: 16px 0; }
.tag { font-size: 12px; font-weight: 600; border-radius: 6px; padding: 2px 8px; background: var(--sunk); color: var(--ink-2); white-space: nowrap; }
button, .button { font: inherit; font-weight: 600; display: inline-flex; align-items: center; justify-content: center; min-height: 40px; padding: 8px 14px; color: var(--ink); background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; cursor: pointer; text-decoration: none; } button:hover, .button:hover { border-color: var(--ink-3); }
button.main, .button.main { background: var(--accent); border-color: transparent; color: var(--accent-ink); } button.bad { color: var(--bad); }
label { display: block; font-weight: 600; margin-bottom: 4px; }
input { font: inherit; color: var(--ink); background: var(--panel); width: 100%; min-height: 40px; padding: 8px 12px; border: 1px solid var(--ink-3); border-radius: 8px; }
code { font: 13px/1.5 var(--mono); background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 1px 5px; }
pre { font: 13px/1.55 var(--mono); background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; margin: 8px 0; white-space: pre-wrap; }
@media (max-width: 760px) { .panel { padding: 16px; } }
`;
