import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  isAgentText,
  isDataPath,
  isMcpServerCode,
  isSkillScript,
} from '../src/security/scanners/agents/file-kinds.ts';
import { createAgentsScanner } from '../src/security/scanners/agents.ts';
import { fileScanners } from '../src/security/scanners/list.ts';
import type { ScannedFile } from '../src/security/scans/scanner.ts';
import { printTable } from './figures.ts';

const { together } = createAgentsScanner();
const MAX_BYTES = 2_000_000;
const COUNTED: ReadonlySet<string> = new Set(['critical', 'high', 'medium']);
const SKILL = /^(.*\/)?(?:evals\/skills|test_skills|skills)\/.*$/;
const HARMLESS = /(?:^|[/_-])(?:benign|safe)(?:[/_-]|$)/;

/**
 * Malicious skills and servers found at medium or above, and harmless files flagged so: `npm run bench -- scan agents <folders>`. What stands
 * after `--harmless` is harmless whole; in the others what lies under `safe` or `benign`. `--half odd|even` takes the files whose path below
 * the folder has a SHA-256 with such a last digit, `--names` prints each file that was missed or wrongly flagged. A skill counts once.
 */
export async function scoreAgents(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      half: { type: 'string' },
      harmless: { type: 'string', multiple: true, default: [] },
      names: { type: 'boolean', default: false },
    },
  });
  const folders = [
    ...positionals.map((folder) => ({ folder, harmless: false })),
    ...values.harmless.map((folder) => ({ folder, harmless: true })),
  ];
  const rows: string[][] = [];
  for (const { folder, harmless } of folders) {
    const units = await scoreFolder(folder, harmless, values.half);
    for (const bad of harmless ? [false] : [true, false]) {
      const own = [...units].filter(([, unit]) => unit.bad === bad);
      if (own.length === 0) continue;
      const all = own.filter(([, { rules }]) => rules.size > 0);
      const alone = own.filter(([, { rules }]) => [...rules].some((rule) => rule.startsWith('agents/')));
      const share = (count: number) => `${count} (${((count / own.length) * 100).toFixed(1)}%)`;
      rows.push([
        folder,
        bad ? 'malicious' : 'harmless',
        `${own.length}`,
        share(alone.length),
        share(all.length),
      ]);
      const odd = bad ? own.filter((one) => !all.includes(one)) : alone;
      if (values.names)
        for (const [name, { rules }] of odd)
          process.stdout.write(`${bad ? 'missed' : 'flagged'} ${name} ${[...rules].join(' ')}\n`);
    }
  }
  printTable(['folder', '', 'of', 'by the scanner of agents', 'by all scanners of files'], rows);
}

interface Unit {
  readonly bad: boolean;
  readonly rules: Set<string>;
}

async function scoreFolder(
  folder: string,
  harmless: boolean,
  half: string | undefined,
): Promise<Map<string, Unit>> {
  const units = new Map<string, Unit>();
  const groups = new Map<string, ScannedFile[]>();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/(?:^|\/)\.git\//.test(path) && (half === undefined || halfOf(path) === half))
    .sort();
  const known = new Set(paths);
  for (const path of paths) {
    const file = join(folder, path);
    if (!statSync(file).isFile() || statSync(file).size > MAX_BYTES) continue;
    const text = readFileSync(file, 'utf8');
    const judged =
      isAgentText(path) ||
      isSkillScript(path) ||
      isMcpServerCode(text) ||
      (isDataPath(path) && !path.endsWith('_expected.json') && /mcp|"tools"/i.test(text));
    if (!judged || text.includes('\0')) continue;
    const bad = !harmless && !HARMLESS.test(path);
    const name = !harmless && SKILL.test(path) ? skillOf(path) : path;
    for (const group of together?.groupsOf(path, known) ?? [])
      groups.set(group, [...(groups.get(group) ?? []), { path, text }]);
    const unit = units.get(name) ?? { bad, rules: new Set() };
    units.set(name, unit);
    for (const scanner of fileScanners) {
      if (!scanner.wants(path)) continue;
      const found = await scanner.scan({ path, text }, { deep: true });
      for (const { id, severity } of found) if (COUNTED.has(severity)) unit.rules.add(id);
    }
  }
  for (const files of groups.values())
    for (const { id, severity, path } of (await together?.scan(files, { deep: true }, () => {}))?.findings ??
      [])
      if (COUNTED.has(severity))
        units.get(!harmless && SKILL.test(path) ? skillOf(path) : path)?.rules.add(id);
  return units;
}

/** Scripts count with the skill whose folder they lie in. */
const skillOf = (path: string): string =>
  path.slice(0, path.lastIndexOf('/')).replace(/\/(?:scripts|references|bin|lib|src|tools|assets)$/, '');

function halfOf(path: string): 'odd' | 'even' {
  const digest = createHash('sha256').update(path).digest('hex');
  return Number.parseInt(digest.slice(-1), 16) % 2 === 1 ? 'odd' : 'even';
}
