import { LOOK_TOKENS } from '../../lib/look.ts';

/** Style sheet of the pages that the server draws itself; follows the reader's colour scheme and width. */
export const DOCS_STYLE = `
${LOOK_TOKENS}
:root { --soft: var(--sunk); }
* { box-sizing: border-box; }
body { font: 1rem/1.55 var(--font); color: var(--ink); background: var(--panel); max-width: 52rem; margin: 0 auto; padding: 1rem; }
a { color: var(--accent); }
h1 small { font-weight: normal; opacity: .7; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
nav ul { list-style: none; padding: 0; columns: 18rem; }
code, pre { background: var(--soft); border-radius: .25rem; padding: .1rem .3rem; overflow-wrap: anywhere; }
pre { padding: .75rem; white-space: pre-wrap; }
label { display: block; font-weight: 600; }
input { font: inherit; width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; }
button { font: inherit; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .25rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
`;
