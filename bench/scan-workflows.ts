import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInfrastructureScanner } from '../src/security/scanners/infrastructure.ts';
import { printTable } from './figures.ts';

const TESTS = 'crates/zizmor/tests/integration';
const DATA = `${TESTS}/test-data`;

/** A place that zizmor's snapshot shows for a finding: the lines of each stretch of code. */
type Place = readonly (readonly [first: number, last: number])[];
interface Fixture {
  /** Places by audit, and those that only zizmor's stricter personas report. */
  readonly expected: Map<string, Place[]>;
  readonly strict: Map<string, Place[]>;
  /** Audits whose tests read this fixture. */
  readonly tests: Set<string>;
  /** True if every snapshot of the fixture is without findings. */
  isClean: boolean;
}

/**
 * Compares the rules for workflows with the snapshots of zizmor's own tests, for the fixtures of one half by SHA-256 of their
 * path in its repository. Snapshots that need a configuration of zizmor are left out.
 */
export async function compareWorkflows(folder: string, half: string): Promise<void> {
  const fixtures = readFixtures(folder, half);
  const scanner = createInfrastructureScanner();
  const rows = new Map<
    string,
    { fixtures: number; right: number; places: number; found: number; wrong: string[] }
  >();
  const rowOf = (audit: string) => {
    const row = rows.get(audit) ?? { fixtures: 0, right: 0, places: 0, found: 0, wrong: [] };
    rows.set(audit, row);
    return row;
  };
  const missed: string[] = [];
  const onClean: string[] = [];
  const ordinary = new Set([...fixtures.values()].flatMap(({ expected }) => [...expected.keys()]));
  for (const [path, { expected, strict, tests, isClean }] of fixtures) {
    const text = readFileSync(join(folder, DATA, path), 'utf8');
    const as = pathOf(path);
    const findings = scanner.wants(as) ? await scanner.scan({ path: as, text }, { deep: false }) : [];
    const lines = text.split('\n');
    const isIgnored = (line: number, audit: string) =>
      [lines[line - 1], lines[line - 2]].some((one) => one?.includes(`zizmor: ignore[${audit}]`));
    for (const audit of tests) {
      const own = findings.filter(
        ({ aliases, line }) => aliases?.includes(`zizmor/${audit}`) && !isIgnored(line ?? 0, audit),
      );
      // What only a stricter persona reports counts for audits that the ordinary one does not have.
      const places = expected.get(audit) ?? (ordinary.has(audit) ? [] : (strict.get(audit) ?? []));
      const allowed = [...places, ...(strict.get(audit) ?? [])];
      const row = rowOf(audit);
      const found = places.filter((place) =>
        own.some(({ line = 0, description }) => isWithin(line, place) || names(description, lines, place)),
      );
      if (places.length > 0) row.fixtures++;
      else row.right++;
      row.places += places.length;
      row.found += found.length;
      for (const place of places)
        if (!found.includes(place)) missed.push(`${audit} ${path}:${place[0]?.[0]}`);
      for (const { line = 0 } of own)
        if (!allowed.some((place) => isWithin(line, place))) row.wrong.push(`${path}:${line}`);
    }
    const grave = findings.filter(
      ({ severity, line = 0, aliases = [] }) =>
        isClean && severity !== 'info' && !aliases.some((one) => isIgnored(line, one.replace('zizmor/', ''))),
    );
    onClean.push(...grave.map(({ id, line, severity }) => `${path}:${line} ${severity} ${id}`));
  }
  printTable(
    ['audit', 'faulty fixtures', 'right ones', 'places', 'found', 'wrong'],
    [...rows].map(([audit, { fixtures: faulty, right, places, found, wrong }]) =>
      [audit, faulty, right, places, found, wrong.length].map(String),
    ),
  );
  const judged = [...rows.values()].filter(({ places }) => places > 0);
  const covered = judged.filter(({ places, found }) => found * 2 >= places);
  const clean = [...fixtures.values()].filter((one) => one.isClean).length;
  const sum = (pick: (row: (typeof judged)[number]) => number) =>
    judged.reduce((all, row) => all + pick(row), 0);
  process.stdout.write(
    `\n${covered.length} of ${judged.length} audits found at half of their places or more; ` +
      `${sum(({ found }) => found)} of ${sum(({ places }) => places)} places; ` +
      `${[...rows.values()].reduce((all, { wrong }) => all + wrong.length, 0)} findings of the tested audit elsewhere; ` +
      `${onClean.length} findings of low or above on ${clean} fixtures where zizmor has none\n`,
  );
  for (const [title, list] of [
    ['missed', missed],
    ['elsewhere', [...rows].flatMap(([audit, { wrong }]) => wrong.map((one) => `${audit} ${one}`))],
    ['on fixtures without findings', onClean],
  ] as const)
    process.stdout.write(`\n${title}\n${list.map((one) => `  ${one}\n`).join('')}`);
}

/** True if the words of a finding name the action of this place, as one does that stands for several actions. */
function names(description: string, lines: readonly string[], place: Place): boolean {
  const shown = place.flatMap(([first, last]) => lines.slice(first - 1, last));
  return shown.some((line) => description.includes(/\buses: ([^\s#]{3,})/.exec(line)?.[1] ?? '\0'));
}

function isWithin(line: number, place: Place): boolean {
  return place.some(([first, last]) => line >= first && line <= last);
}

/** zizmor reads any file as a workflow that looks like one; Magpie goes by the path. */
function pathOf(path: string): string {
  const name = path.split('/').at(-1) ?? '';
  if (/^action\.ya?ml$/.test(name)) return path;
  if (/^dependabot\.ya?ml$/.test(name) && !path.includes('workflows/')) return `.github/${name}`;
  if (name.startsWith('.pre-commit')) return name.replace('.yml', '.yaml');
  return `.github/workflows/${name}`;
}

function readFixtures(folder: string, half: string): Map<string, Fixture> {
  const all = readdirSync(join(folder, DATA), { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, DATA, path)).isFile(),
  );
  const isOfHalf = (path: string) => {
    const digit = createHash('sha256').update(`${DATA}/${path}`).digest('hex').at(-1) ?? '';
    return half === 'all' || (Number.parseInt(digit, 16) % 2 === 1) === (half === 'odd');
  };
  const fixtures = new Map<string, Fixture>();
  for (const file of readdirSync(join(folder, TESTS, 'audit'))) {
    const source = readFileSync(join(folder, TESTS, 'audit', file), 'utf8');
    for (const snapshot of source.split('assert_snapshot!(').slice(1)) {
      if (/\.config\(|expects_failure/.test(snapshot)) continue;
      const inputs = [...snapshot.matchAll(/input_under_test\(\s*"([^"]+)"/g)].map(([, name = '']) => name);
      const audit = file.replace('.rs', '').replaceAll('_', '-');
      for (const [at, input] of inputs.entries()) {
        const paths = all.filter((path) => path === input || path.startsWith(`${input.replace(/\/$/, '')}/`));
        for (const path of paths.filter(
          (one) => /\.ya?ml$/.test(one) && isOfHalf(one) && existsSync(join(folder, DATA, one)),
        )) {
          const fixture = fixtures.get(path) ?? {
            expected: new Map(),
            strict: new Map(),
            tests: new Set(),
            isClean: true,
          };
          fixtures.set(path, fixture);
          fixture.tests.add(audit);
          if (at > 0) continue;
          const findings = findingsIn(snapshot, path.slice(input.length));
          if (findings.length > 0) fixture.isClean = false;
          const isStrict = /--pedantic|--persona/.test(snapshot);
          for (const [name, place] of findings)
            addPlace(isStrict ? fixture.strict : fixture.expected, name, place);
        }
      }
    }
  }
  return fixtures;
}

function addPlace(to: Map<string, Place[]>, audit: string, place: Place): void {
  const places = to.get(audit) ?? [];
  to.set(audit, places);
  if (!places.some((one) => one.join() === place.join())) places.push(place);
}

function findingsIn(snapshot: string, rest: string): (readonly [audit: string, place: Place])[] {
  const found: (readonly [string, Place])[] = [];
  for (const block of snapshot.split(/\n\s*(?=(?:error|warning|help|info)\[)/).slice(1)) {
    const audit = /^\w+\[([\w-]+)\]/.exec(block)?.[1] ?? '';
    const where = /--> @@INPUT@@([^\s:]*)/.exec(block)?.[1] ?? '';
    if (where.replace(/^\//, '') !== rest.replace(/^\//, '')) continue;
    const stretches = block.split(/\n\s*\.\.\.\n/).map((part) => {
      const lines = [...part.matchAll(/^\s*(\d+) \|/gm)].map(([, line]) => Number(line));
      return [Math.min(...lines), Math.max(...lines)] as const;
    });
    found.push([audit, stretches]);
  }
  return found;
}
