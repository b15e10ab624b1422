import { ASSISTANT_SETUPS } from '../../lib/assistants.ts';
import { escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { AssistantPart, InstalledAssistant, Scan, Vulnerability } from '../../security/types.ts';
import { type Print, printFinding, printSummary } from './scan-table.ts';

const MAX_FINDINGS = 10;
const INDENT = '  ';
const LABEL_WIDTH = 10;

export async function printAssistants(scan: Scan, found: readonly Vulnerability[], print: Print) {
  const assistants = scan.report?.assistants ?? [];
  if (assistants.length === 0) {
    const titles = Object.values(ASSISTANT_SETUPS).map(({ title }) => title);
    const names = `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
    await print(`No assistants found: there are no settings of ${names} on this machine or in this folder.`);
    await print(
      'So there is nothing to mend. Once you have one, `magpie setup` connects it to Magpie.',
      'hint',
    );
    return;
  }
  const counted = found.filter(({ suppressed }) => !suppressed);
  const byOwner = Map.groupBy(counted, (one) => ownerOf(one, assistants));
  const tell = async (own: readonly Vulnerability[]) => {
    for (const one of own.slice(0, MAX_FINDINGS)) await printFinding(one, print, INDENT);
    const more = own.length - MAX_FINDINGS;
    if (more > 0) await print(`${INDENT}and ${more} more: magpie scans ${scan.id} --format html\n`, 'hint');
  };
  for (const assistant of assistants) {
    await print(`${assistant.title}: ${describeParts(assistant)}\n`);
    for (const part of assistant.parts) {
      const own = byOwner.get(part) ?? [];
      await print(`${INDENT}${part.kind} ${escapeInvisibleLine(part.name)}`);
      for (const [label, text] of describePart(part, own.length))
        await print(`${INDENT}${INDENT}${label.padEnd(LABEL_WIDTH)}${escapeInvisibleLine(text)}`);
      await print('');
      await tell(own);
    }
    const rest = byOwner.get(assistant) ?? [];
    await print(`${INDENT}settings and instructions: ${countFindings(rest.length)}\n`);
    await tell(rest);
  }
  const others = byOwner.get(undefined) ?? [];
  if (others.length > 0) await print(`Other files: ${countFindings(others.length)}\n`);
  await tell(others);
  await printSummary(scan, print);
  await print('Nothing was started and nothing was sent.', 'quiet');
}

function ownerOf({ location }: Vulnerability, assistants: readonly InstalledAssistant[]) {
  const [, path = '', line = '0'] = /^(.*?)(?::(\d{1,9}))?$/s.exec(location) ?? [];
  const holds = (place: string) => path === place || path.startsWith(`${place}/`);
  let owner: AssistantPart | InstalledAssistant | undefined;
  let longest = -1;
  for (const assistant of assistants) {
    if (!owner && assistant.paths.some(holds)) owner = assistant;
    for (const part of assistant.parts) {
      const { settings } = part;
      if (settings?.path === path && settings.from <= Number(line) && Number(line) <= settings.to)
        return part;
      const length = Math.max(-1, ...part.paths.filter(holds).map((place) => place.length));
      if (length > longest) [owner, longest] = [part, length];
    }
  }
  return owner;
}

function describeParts({ parts }: InstalledAssistant): string {
  const counts = [...Map.groupBy(parts, ({ kind }) => kind)].map(([kind, own]) =>
    formatCount(own.length, kind),
  );
  return counts.join(', ') || 'no servers, skills or plug-ins';
}

function describePart({ kind, start, version, paths, missing }: AssistantPart, findings: number) {
  const [first] = paths;
  const where = [version, first && `in ${first}`].filter(Boolean).join(', ');
  const rows: (readonly [label: string, text: string])[] = [];
  if (start) rows.push([kind === 'server' && !first && !missing ? 'is at' : 'starts', start]);
  if (where) rows.push(['code', where]);
  if (missing) rows.push([where ? '' : 'code', missing]);
  return [...rows, ['findings', countFindings(findings, missing ? 'none in its settings' : 'none')] as const];
}

function countFindings(count: number, none = 'nothing found'): string {
  return count === 0 ? none : formatCount(count, 'finding');
}
