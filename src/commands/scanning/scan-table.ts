import type { CommandContext, TerminalTone } from '../../command.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { Scan, Vulnerability } from '../../security/types.ts';

const TONES: Readonly<Record<Vulnerability['severity'], TerminalTone | undefined>> = {
  critical: 'alarm',
  high: 'alarm',
  medium: 'warning',
  low: 'hint',
  info: undefined,
};
const LABEL_WIDTH = 9;

export type Print = CommandContext['print'];

export async function printScanTable(scan: Scan, found: readonly Vulnerability[], print: Print) {
  for (const one of found) if (!one.suppressed) await printFinding(one, print);
  await printSummary(scan, print);
}

export async function printFinding(one: Vulnerability, print: Print, margin = '') {
  const { severity, title, id, cwe = [], location, description, excerpt, fix, scanner, commit, trace } = one;
  const indent = margin + ' '.repeat(LABEL_WIDTH + 1);
  const where = `${escapeInvisible(location)}${commit === undefined ? '' : ` (commit ${commit.slice(0, 12)})`}`;
  await print(`${margin}${severity.toUpperCase().padEnd(LABEL_WIDTH)} ${where}`, TONES[severity]);
  await print(
    `${indent}${escapeInvisibleLine(title)} [${escapeInvisibleLine([id, ...cwe].join(', '))}; ${scanner}]`,
  );
  await print(`${indent}${escapeInvisibleLine(description)}`);
  if (excerpt) await print(`${indent}  ${escapeInvisibleLine(excerpt)}`, 'quiet');
  for (const { path, line, note } of trace ?? []) {
    const place = location.startsWith(`${path}:`) ? `line ${line}` : `${escapeInvisible(path)}:${line}`;
    await print(`${indent}  ${place}: ${escapeInvisibleLine(note)}`, 'quiet');
  }
  await print(`${indent}Fix: ${escapeInvisibleLine(fix)}`);
  if (one.patch) await print(`${indent}  becomes: ${escapeInvisibleLine(one.patch.after)}`, 'quiet');
  await print('');
}

export async function printSummary({ id, counts, report }: Scan, print: Print) {
  if (!counts || !report) return;
  const { suppressed, ...severities } = counts;
  const named = Object.entries(severities)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  const hidden = suppressed > 0 ? `, ${suppressed} suppressed` : '';
  const { files, kept } = report;
  const whole = report.scanners.every(({ ok }) => ok) && (report.gaps ?? []).length === 0;
  const nothing = whole ? 'Nothing was found' : 'Nothing was found, but not everything was scanned';
  await print(`${named.join(', ') || nothing}${hidden}.`);
  const read =
    files > 0 ? `${formatCount(files, 'file')}, ${kept} of them unchanged since an earlier scan. ` : '';
  await print(`${read}Kept as ${id}.`, 'quiet');
  if (!report.scanners.some(({ name }) => name === 'dependencies') && !report.assistants)
    await print('Packages were not compared with known advisories: --dependencies does that.', 'quiet');
  for (const { name, ok, reason } of report.scanners) {
    if (!ok) await print(`The scanner ${name} failed: ${escapeInvisibleLine(reason ?? '')}`, 'warning');
  }
  const gaps = report.gaps ?? [];
  // Leaves out skipped MCP servers, because the list of an assistant's servers already shows them.
  for (const { what, fix } of gaps.filter(({ kind }) => kind !== 'servers'))
    await print(`Not scanned: ${escapeInvisibleLine(what)}. ${escapeInvisibleLine(upper(fix))}.`, 'warning');
  const known = new Set(gaps.map((gap) => gap.what));
  for (const what of report.left)
    if (!known.has(what)) await print(`Left out: ${escapeInvisibleLine(what)}`, 'quiet');
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
