import type { CommandContext } from '../../command.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { Scan, Vulnerability } from '../../security/types.ts';

/** In both themes, text has a contrast of at least 4.5 to 1. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1d2127; --soft: #535b66; --line: #d5d9df; --paper: #fff; --code: #f3f4f6;
  --critical: #8c0f3c; --high: #a3211a; --medium: #775a00; --low: #0b57a4; --info: #535b66;
  font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.4rem; border-bottom: 1px solid var(--line); }
.soft { color: var(--soft); } article { margin: 1.6rem 0; break-inside: avoid; } h3 { margin: 0 0 .3rem; font-size: 1rem; }
p, ol { margin: .3rem 0; } code { background: var(--code); padding: .1rem .25rem; font-size: .87rem; }
pre { background: var(--code); padding: .5rem .7rem; white-space: pre-wrap; margin: .4rem 0; } pre code { padding: 0; }
.counts { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; padding: 0; font-weight: 600; }
${SEVERITIES.map((one) => `.${one} { color: var(--${one}); }`).join(' ')}
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #b1b8c2; --line: #3a414b; --paper: #14171b; --code: #22272e;
  --critical: #ff9ab8; --high: #ff9a90; --medium: #e5bd4a; --low: #8fc1ff; --info: #b1b8c2; } }
@media print { body { max-width: none; margin: 0; } @page { margin: 16mm; } }
`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export async function printScanPage(
  { id, request, counts, report, endedAt }: Scan,
  found: readonly Vulnerability[],
  print: CommandContext['print'],
): Promise<void> {
  const what = [request.repository, request.branch, report?.commit?.slice(0, 12)].filter(Boolean).join(' ');
  const when =
    endedAt === undefined ? '' : `${new Date(endedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC, `;
  await print('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">');
  await print(`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
  await print('<meta name="viewport" content="width=device-width, initial-scale=1">');
  await print(`<title>Scan of ${line(what)}</title><style>${STYLE}</style></head><body><main>`);
  await print(`<h1>Scan of ${line(what)}</h1>`);
  await print(`<p class="soft">${when}${formatCount(report?.files ?? 0, 'file')}, kept as ${line(id)}</p>`);
  const { suppressed = 0, ...severities } = counts ?? {};
  const rows = Object.entries(severities).map(([name, count]) => `<li class="${name}">${count} ${name}</li>`);
  await print(`<ul class="counts">${rows.join('')}<li class="soft">${suppressed} suppressed</li></ul>`);
  await print(missed(report));
  for (const severity of SEVERITIES) {
    const own = found.filter((one) => !one.suppressed && one.severity === severity);
    if (own.length === 0) continue;
    await print(
      `<h2 class="${severity}">${severity[0]?.toUpperCase()}${severity.slice(1)} (${own.length})</h2>`,
    );
    for (const one of own) await print(article(one));
  }
  const hidden = found.filter((one) => one.suppressed);
  if (hidden.length > 0) await print(`<h2>Suppressed (${hidden.length})</h2><ul>`);
  for (const { title, location, suppressed: why } of hidden) {
    await print(`<li>${line(title)} at <code>${line(location)}</code>: ${line(why?.reason ?? '')}</li>`);
  }
  await print(`${hidden.length > 0 ? '</ul>' : ''}</main></body></html>`);
}

/** Lists content that was not scanned, because readers would otherwise think that the scan was complete. */
function missed(report: Scan['report']): string {
  const failed = report?.scanners.filter(({ ok }) => !ok) ?? [];
  const gaps = report?.gaps ?? [];
  if (failed.length + gaps.length === 0) return '';
  const rows = [
    ...failed.map(({ name, reason }) => `The scanner ${line(name)} failed: ${line(reason ?? '')}`),
    ...gaps.map(({ what, fix }) => `${line(what)}: ${line(fix)}`),
  ];
  return `<h2>Not scanned</h2><ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`;
}

function article(one: Vulnerability): string {
  const {
    id,
    cwe = [],
    aliases = [],
    title,
    location,
    description,
    excerpt,
    fix,
    scanner,
    commit,
    trace = [],
    patch,
  } = one;
  const names = [id, ...aliases, ...cwe].join(', ');
  const where = `${line(location)}${commit === undefined ? '' : ` (commit ${line(commit.slice(0, 12))})`}`;
  const steps = trace.map(
    (step) => `<li><code>${line(step.path)}:${step.line}</code> ${line(step.note)}</li>`,
  );
  const change = patch
    ? `<pre><code><del>${escaped(escapeInvisible(patch.before.trimEnd()))}</del>\n<ins>${escaped(escapeInvisible(patch.after.trimEnd()))}</ins></code></pre>`
    : '';
  return [
    `<article><h3>${line(title)}</h3><p><code>${where}</code> <span class="soft">${line(names)}; ${line(scanner)}</span></p>`,
    `<p>${line(description)}</p>`,
    excerpt ? `<pre><code>${escaped(escapeInvisible(excerpt))}</code></pre>` : '',
    steps.length > 0 ? `<ol>${steps.join('')}</ol>` : '',
    `<p><strong>Fix:</strong> ${line(fix)}</p>${change}</article>`,
  ].join('\n');
}

const line = (text: string): string => escaped(escapeInvisibleLine(text));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
