import { LOOK_TOKENS } from '../../lib/look.ts';

/** Style sheet of the upload page: one column that fits a phone, in the reader's colour scheme. */
export const APP_STYLE = `
${LOOK_TOKENS}
:root { --paper: var(--panel); --soft: var(--sunk); --line: var(--ink-3); }
* { box-sizing: border-box; }
body { font: 1rem/1.55 var(--font); color: var(--ink); background: var(--paper); max-width: 46rem;
  margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
a { color: var(--accent); }
p { margin: .25rem 0; }
.quiet { opacity: .8; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header form { float: right; }
footer { margin-top: 2rem; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input[type=search], input[type=text], input[type=password], input[type=file] { font: inherit; color: inherit; background: var(--paper); width: 100%;
  padding: .6rem; border: 1px solid var(--line); border-radius: .4rem; }
button, .button, summary { font: inherit; display: inline-block; min-height: 2.75rem; padding: .55rem 1rem; color: var(--ink);
  background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; text-decoration: none; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
button.bad { color: var(--bad); border-color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.drop { border: 2px dashed var(--line); border-radius: .6rem; padding: 1rem; }
.drop.over { border-color: var(--accent); background: var(--soft); }
.drop button { margin-top: .75rem; }
.search { display: flex; gap: .5rem; align-items: end; }
.search div { flex: 1; min-width: 0; }
ul.files, ul.progress { list-style: none; padding: 0; margin: 1rem 0; }
ul.files > li, ul.progress > li { border-top: 1px solid var(--line); padding: .75rem 0; }
.acts { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; margin-top: .5rem; }
details[open] { flex-basis: 100%; }
details form { margin: .5rem 0; }
.drop details { margin-top: .75rem; }
form.key { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .5rem; }
progress { width: 100%; height: .75rem; accent-color: var(--accent); }
.error { color: var(--bad); border-left: .3rem solid var(--bad); padding: .25rem .75rem; margin: 1rem 0; }
.done { color: var(--good); }
.excerpt { border-left: .2rem solid var(--line); padding-left: .75rem; }
figure { margin: 1rem 0; }
figure img { display: block; width: 100%; height: auto; min-height: 3rem; border: 1px solid var(--line); background: #fff;
  color: #1b1f24; }
mark { background: #ffe55c; color: #1b1f24; }
.text { white-space: pre-wrap; background: var(--soft); border-radius: .4rem; padding: 1rem; }
`;
