import { CSS_BASE, CSS_STANDALONE_PAGE, CSS_TOKENS } from '../../lib/page-styles.ts';

export const UPLOAD_APP_STYLE = `${CSS_TOKENS}${CSS_BASE}${CSS_STANDALONE_PAGE}
body { max-width: 46rem; }
header form { float: right; }
footer { margin-top: 32px; }
input[type=file] { border: 0; padding: 0; background: none; color: var(--ink-2); }
input::file-selector-button { font: inherit; font-weight: 600; margin-right: 12px; min-height: 40px; padding: 6px 14px; border-radius: 8px; border: 1px solid transparent; background: var(--accent); color: var(--accent-ink); cursor: pointer; }
summary { display: inline-flex; align-items: center; min-height: 40px; padding: 8px 14px; font-weight: 600; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; cursor: pointer; } summary:hover { border-color: var(--ink-3); }
.drop { background: var(--panel); border: 1.5px dashed var(--ink-3); border-radius: 10px; padding: 18px 20px; }
.drop.over { border-color: var(--accent); background: var(--accent-soft); }
.drop button { margin-top: 12px; } .options { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; } .options summary { font-size: 13px; }
.search { display: flex; gap: 8px; align-items: end; } .search div { flex: 1; min-width: 0; }
ul.files, ul.progress { list-style: none; padding: 4px 20px; margin: 12px 0; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; } ul.progress:empty, ul.files:not(:has(li)) { display: none; }
ul.files > li, ul.progress > li { border-top: 1px solid var(--line); padding: 14px 0; } ul.files > li:first-child, ul.progress > li:first-child { border: 0; }
.acts { display: flex; flex-wrap: wrap; gap: 8px; align-items: start; margin-top: 8px; }
details[open] { flex-basis: 100%; } details form { margin: 8px 0; } details > label { margin-top: 8px; }
form.key { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; margin-top: 8px; }
form.panel p { margin: 0 0 14px; } form.panel small { display: block; margin-top: 4px; }
progress { width: 100%; height: 12px; accent-color: var(--accent); }
.error { background: var(--bad-soft); color: var(--bad); border-radius: 10px; padding: 10px 16px; margin: 16px 0; } .error code { color: var(--ink); } li .error, #progress .error { padding: 4px 12px; margin: 4px 0; }
.done { color: var(--good); }
.excerpt { border-left: 3px solid var(--accent); padding-left: 12px; }
figure { margin: 16px 0; }
figure img { display: block; width: 100%; height: auto; min-height: 3rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; color: #14181b; }
mark { background: var(--accent-soft); color: inherit; border-radius: 3px; padding: 0 2px; }
.text { white-space: pre-wrap; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px; }
`;
