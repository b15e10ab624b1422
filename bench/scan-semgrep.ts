import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { fileScanners } from '../src/security/scanners/list.ts';
import { printTable } from './figures.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  py: 'Python',
  java: 'Java',
  go: 'Go',
  php: 'PHP',
  rb: 'Ruby',
  cs: 'C#',
};
const MARKER = /(?:^|[^\w])(ruleid|ok)\s{0,3}:\s{0,3}([-\w.,\s]{1,400})/;
const MAX_STATEMENT_LINES = 15;

interface Tally {
  marked: number;
  found: number;
  harmless: number;
  flagged: number;
  /** Harmless lines with a finding of the weakness (CWE) that the line is free of. */
  same: number;
}

/**
 * Scores our scanners of files on the test files of semgrep's security rules (https://github.com/semgrep/semgrep-rules), each
 * file by itself: `npm run bench -- scan semgrep <folder> --half odd`. A half is by the last hex digit of the SHA-256 of a
 * file's path in the repository; without one, all are read. A marked statement counts as found if a
 * finding or a step of its data flow stands on it, and a harmless one as flagged if a finding does. `--by rule` prints each rule, and `--by line` what of these is missed and flagged.
 */
export async function scoreSemgrepRules(folder: string, half?: string, by?: string): Promise<void> {
  const tallies = new Map<string, Tally>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const [, stem, ending = ''] = /^(.*?)(?:\.test)?\.(\w+)$/.exec(path) ?? [];
    const language = LANGUAGES[ending];
    if (!language || (half !== undefined && half !== halfOf(path))) continue;
    const rules = securityRulesOf(join(folder, stem ?? ''));
    if (rules.size === 0) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    const file = { path: basename(path).replace(/\.test\./, '.'), text };
    const wanted = fileScanners.filter((scanner) => scanner.wants(file.path));
    const findings = (await Promise.all(wanted.map((one) => one.scan(file, { deep: true })))).flat();
    const lines = new Map(findings.map((one) => [one.line ?? 0, one]));
    const steps = new Map(findings.flatMap((one) => (one.trace ?? []).map(({ line }) => [line, one])));
    for (const { line, end, ids, vulnerable } of statementsOf(text, rules)) {
      const hit = [...lines, ...(vulnerable ? steps : [])].find(([at]) => at >= line && at <= end);
      const isAudit = ids.every((id) => rules.get(id)?.isAudit);
      const isSame = hit?.[1].cwe?.some((cwe) => ids.some((id) => rules.get(id)?.cwe.includes(cwe)));
      const keys =
        by === 'rule' ? ids.map((id) => `${language} ${id}${isAudit ? ' (audit)' : ''}`) : [language, 'all'];
      if (!isAudit && by !== 'rule') keys.push('all but audits');
      for (const key of keys) count(tallies, key, vulnerable, hit !== undefined, isSame === true);
      if (by === 'line' && vulnerable === !hit && !isAudit)
        process.stdout.write(
          `${vulnerable ? 'missed' : `flagged (${hit?.[1].id})`} ${path}:${line} ${ids.join(' ')}\n`,
        );
    }
  }
  process.stdout.write(`\nlines that semgrep's security rules mark, ${half ?? 'both'} half\n`);
  const rows = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => rowOf(name, one));
  printTable(['', 'vulnerable', 'found', 'share', 'harmless', 'flagged', 'share', 'of the same kind'], rows);
}

function rowOf(name: string, { marked, found, harmless, flagged, same }: Tally): string[] {
  const share = (a: number, b: number) => (b === 0 ? '-' : (a / b).toFixed(3));
  return [
    name,
    marked,
    found,
    share(found, marked),
    harmless,
    flagged,
    share(flagged, harmless),
    share(same, harmless),
  ].map(String);
}

function count(
  tallies: Map<string, Tally>,
  key: string,
  vulnerable: boolean,
  hit: boolean,
  isSame: boolean,
): void {
  const tally = tallies.get(key) ?? { marked: 0, found: 0, harmless: 0, flagged: 0, same: 0 };
  tallies.set(key, tally);
  tally[vulnerable ? 'marked' : 'harmless']++;
  if (hit) tally[vulnerable ? 'found' : 'flagged']++;
  if (isSame && !vulnerable) tally.same++;
}

function halfOf(path: string): string {
  const digest = createHash('sha256').update(path).digest('hex');
  return Number.parseInt(digest.slice(-1), 16) % 2 === 1 ? 'odd' : 'even';
}

interface Metadata {
  readonly category?: string;
  readonly subcategory?: string | string[];
  readonly cwe?: string | string[];
}

interface SecurityRule {
  readonly isAudit: boolean;
  readonly cwe: readonly string[];
}

/** The security rules of the file beside a test, by their ids. */
function securityRulesOf(stem: string): Map<string, SecurityRule> {
  const rules = new Map<string, SecurityRule>();
  const file = [`${stem}.yaml`, `${stem}.yml`].find((name) => existsSync(name));
  if (file === undefined) return rules;
  const read = parse(readFileSync(file, 'utf8')) as {
    rules?: { id: string; metadata?: Metadata }[];
  };
  for (const { id, metadata } of read.rules ?? [])
    if (metadata?.category === 'security')
      rules.set(id, {
        isAudit: [metadata.subcategory ?? []].flat().includes('audit'),
        cwe: [metadata.cwe ?? []].flat().map((text) => /^CWE-\d+/.exec(text)?.[0] ?? ''),
      });
  return rules;
}

interface Statement {
  readonly line: number;
  readonly end: number;
  readonly ids: readonly string[];
  readonly vulnerable: boolean;
}

/** The statements below the marks of security rules. One that is marked for one rule is not harmless for another. */
function statementsOf(text: string, rules: ReadonlyMap<string, SecurityRule>): Statement[] {
  const lines = text.split('\n');
  const marks = lines.map((line) => MARKER.exec(line));
  const all = new Map<number, { ids: string[]; vulnerable: boolean }>();
  marks.forEach((mark, at) => {
    const ids = (mark?.[2] ?? '').split(/[,\s]+/).filter((id) => rules.has(id));
    if (!mark || ids.length === 0) return;
    let next = at + 1;
    while (marks[next]) next++;
    const vulnerable = mark[1] === 'ruleid';
    const known = all.get(next);
    if (known?.vulnerable === vulnerable) known.ids.push(...ids);
    else if (!known || vulnerable) all.set(next, { ids, vulnerable });
  });
  return [...all].map(([at, one]) => ({ ...one, line: at + 1, end: endOf(lines, marks, at) + 1 }));
}

/** The last line of a statement: brackets that it opens are closed there. */
function endOf(lines: readonly string[], marks: readonly unknown[], from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(lines.length, from + MAX_STATEMENT_LINES); at++) {
    if (marks[at]) return at - 1;
    const line = lines[at] ?? '';
    depth += (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
    if (depth <= 0) return at;
  }
  return from + MAX_STATEMENT_LINES - 1;
}
