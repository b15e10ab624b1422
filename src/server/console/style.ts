/** Style sheet of the console: tokens first, then the frame, then parts. No other host, no font file. */
export const CONSOLE_STYLE = `
:root { color-scheme: light dark;
  --ink: light-dark(#14181b, #eceff1); --ink-2: light-dark(#4d565c, #a9b4bb); --ink-3: light-dark(#5c666d, #98a4ac);
  --panel: light-dark(#ffffff, #161b1e); --sunk: light-dark(#f4f6f7, #0b0e10); --line: light-dark(#dfe4e7, #2a3237);
  --accent: light-dark(#0a6a72, #57c7cf); --accent-ink: light-dark(#ffffff, #06282b); --accent-soft: light-dark(#e2f3f4, #12343a);
  --good: light-dark(#17713f, #5ccb8c); --bad: light-dark(#b3261e, #ff8a80);
  --good-soft: light-dark(#e3f4ea, #12301f); --bad-soft: light-dark(#fdeceb, #3a1815);
  --sheen: linear-gradient(100deg, #0a6a72, #2a59b5 55%, #6a3fa0);
  --font: ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 var(--font); color: var(--ink); background: var(--sunk); min-height: 100vh; overflow-wrap: anywhere; }
body.framed { display: grid; grid-template-columns: 232px minmax(0, 1fr); }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
h1 { font-size: 24px; line-height: 1.25; margin: 0; letter-spacing: -.01em; } h2 { font-size: 16px; margin: 0; } p { margin: 0; }
.quiet { color: var(--ink-2); font-size: 13px; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 12px; top: 12px; z-index: 2; background: var(--panel); padding: 8px 14px; }
.side { background: var(--panel); border-right: 1px solid var(--line); padding: 20px 12px; display: flex; flex-direction: column; gap: 4px;
  position: sticky; top: 0; height: 100vh; overflow-y: auto; }
.brand { display: flex; align-items: center; gap: 10px; padding: 0 8px 12px; font-weight: 700; font-size: 18px; color: var(--ink); text-decoration: none; }
.brand svg { width: 30px; height: 30px; }
.side p { font-size: 11px; font-weight: 700; text-transform: uppercase; letter-spacing: .08em; color: var(--ink-3); padding: 14px 10px 4px; }
.side a.item { display: flex; align-items: center; gap: 10px; min-height: 40px; padding: 7px 10px; border-radius: 8px; color: var(--ink); text-decoration: none; }
.side a.item:hover { background: var(--sunk); } .side a.item svg { width: 18px; height: 18px; flex: none; }
.side a.item[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
main { padding: 28px 32px 24px; max-width: 1080px; width: 100%; display: grid; gap: 20px; align-content: start; }
main.alone { max-width: 460px; margin: 8vh auto 0; }
.head { display: flex; gap: 16px; align-items: end; justify-content: space-between; flex-wrap: wrap; } .head p { color: var(--ink-2); margin-top: 4px; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; display: grid; gap: 12px; }
.row { display: flex; gap: 12px; align-items: center; flex-wrap: wrap; }
.button, button { font: inherit; font-weight: 600; display: inline-flex; align-items: center; border: 1px solid var(--line); background: var(--panel);
  color: var(--ink); border-radius: 8px; padding: 8px 14px; min-height: 40px; cursor: pointer; text-decoration: none; }
.button:hover, button:hover { border-color: var(--ink-3); }
button.main { background: var(--accent); border-color: transparent; color: var(--accent-ink); } button.bad { color: var(--bad); }
.field { display: flex; align-items: center; gap: 10px; background: var(--panel); border: 1px solid var(--ink-3); border-radius: 12px; padding: 6px 6px 6px 16px; }
.field:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px var(--accent-soft); }
.field input { flex: 1; min-width: 0; border: 0; background: none; font: inherit; font-size: 17px; color: var(--ink); padding: 8px 0; outline: 0; }
.chips { display: flex; gap: 8px; flex-wrap: wrap; }
.chip { display: inline-flex; gap: 6px; align-items: center; min-height: 32px; border: 1px solid var(--line); border-radius: 999px; padding: 4px 12px;
  font-size: 13px; background: var(--panel); color: var(--ink-2); text-decoration: none; }
.chip:has(:checked) { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.chip input { accent-color: var(--accent); margin: 0; }
.tag { font-size: 12px; font-weight: 600; border-radius: 6px; padding: 2px 8px; background: var(--sunk); color: var(--ink-2); text-decoration: none; }
.said { background: var(--good-soft); border-radius: 10px; padding: 8px 16px; } .alert { background: var(--bad-soft); color: var(--bad); border-radius: 10px; padding: 12px 16px; }
.answer { border-left: 4px solid; border-image: var(--sheen) 1; padding-left: 16px; display: grid; gap: 8px; } .answer sup a { text-decoration: none; font-weight: 600; }
.hit { display: grid; gap: 4px; padding: 16px 0; border-top: 1px solid var(--line); } .hit:first-of-type { border: 0; padding-top: 0; }
.hit h3 { margin: 0; font-size: 16px; } .where { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; font-size: 13px; color: var(--ink-2); }
.text { white-space: pre-line; }
label { font-weight: 600; } .panel form, form.stack { display: grid; gap: 12px; } .row form, .acts form { display: inline-flex; }
.acts { display: flex; gap: 8px; flex-wrap: wrap; margin-top: 4px; }
form label > input, form label > textarea { display: block; width: 100%; margin-top: 4px; font: inherit; font-weight: 400; color: var(--ink); background: var(--panel);
  border: 1px solid var(--ink-3); border-radius: 8px; padding: 8px 12px; min-height: 40px; }
label.chip > input { display: inline; width: auto; min-height: 0; margin: 0; } textarea { min-height: 96px; resize: vertical; }
summary { cursor: pointer; font-weight: 600; min-height: 32px; } .empty { text-align: center; padding: 32px 20px; color: var(--ink-2); }
footer { display: flex; gap: 12px; align-items: center; flex-wrap: wrap; font-size: 13px; color: var(--ink-2); padding-top: 16px; }
@media (max-width: 760px) {
  body.framed { grid-template-columns: minmax(0, 1fr); } main { padding: 20px 16px 88px; }
  .side { position: fixed; inset: auto 0 0; height: auto; flex-direction: row; justify-content: space-around; border: 0; border-top: 1px solid var(--line); padding: 6px; z-index: 1; }
  .side .brand, .side p { display: none; }
  .side a.item { flex-direction: column; justify-content: center; gap: 2px; font-size: 12px; padding: 6px 8px; min-width: 60px; min-height: 52px; } }
`;
