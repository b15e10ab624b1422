import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brokenBy, type Hole } from '../test/fixtures/holes/app.ts';
import { printTable } from './figures.ts';

/** Compliance of public applications with known holes: how many controls pass that a hole breaks. */

const hole = (what: string, cwe: readonly number[], ...top10: string[]): Hole => ({ what, cwe, top10 });

/** What each application says of itself that is wrong with it, by what its folder is called. */
const KNOWN: Readonly<Record<string, readonly Hole[]>> = {
  NodeGoat: [
    hole('A1 code', [94, 95], 'A03:2021', 'A05:2025'),
    hole('A1 NoSQL', [943], 'A03:2021', 'A05:2025'),
    hole('A1 log', [117], 'A09:2021', 'A09:2025'),
    hole('A2 sessions and passwords', [384, 521, 256], 'A07:2021', 'A07:2025'),
    hole('A3 XSS', [79], 'A03:2021', 'A05:2025'),
    hole('A4 direct references', [639], 'A01:2021', 'A01:2025'),
    hole('A5 settings', [1004, 614], 'A05:2021', 'A02:2025'),
    hole('A6 sensitive data', [311, 312, 319], 'A02:2021', 'A04:2025'),
    hole('A7 functions', [862], 'A01:2021', 'A01:2025'),
    hole('A8 CSRF', [352], 'A01:2021', 'A01:2025'),
    hole('A9 components', [1395], 'A06:2021', 'A03:2025'),
    hole('A10 redirects', [601], 'A01:2021', 'A01:2025'),
    hole('ReDoS', [1333]),
    hole('SSRF', [918], 'A10:2021', 'A01:2025'),
  ],
  dvna: [
    hole('A1 SQL', [89], 'A03:2021', 'A05:2025'),
    hole('A1 command', [77, 78], 'A03:2021', 'A05:2025'),
    hole('A2 reset of passwords', [640, 330], 'A07:2021', 'A07:2025'),
    hole('A3 sensitive data', [200, 328], 'A02:2021', 'A04:2025'),
    hole('A4 XXE', [611], 'A05:2021', 'A02:2025'),
    hole('A5 access', [639, 862], 'A01:2021', 'A01:2025'),
    hole('A6 settings', [209], 'A05:2021', 'A02:2025'),
    hole('A7 XSS', [79], 'A03:2021', 'A05:2025'),
    hole('A8 deserialisation', [502], 'A08:2021', 'A08:2025'),
    hole('A9 components', [94, 1395], 'A06:2021', 'A03:2025'),
    hole('A10 logging', [778], 'A09:2021', 'A09:2025'),
    hole('CSRF', [352], 'A01:2021', 'A01:2025'),
    hole('redirects', [601], 'A01:2021', 'A01:2025'),
  ],
  flask: [
    hole('SQL', [89], 'A03:2021', 'A05:2025'),
    hole('templates', [1336, 94], 'A03:2021', 'A05:2025'),
    hole('XSS', [79], 'A03:2021', 'A05:2025'),
    hole('YAML', [502], 'A08:2021', 'A08:2025'),
    hole('XXE', [611], 'A05:2021', 'A02:2025'),
    hole('tokens', [347], 'A02:2021', 'A04:2025'),
    hole('keys', [798, 321], 'A07:2021', 'A07:2025'),
    hole('hashes', [328], 'A02:2021', 'A04:2025'),
    hole('access', [639], 'A01:2021', 'A01:2025'),
  ],
};

interface Control {
  readonly id: string;
  readonly status: string;
  readonly evidence: { readonly checks: readonly string[] };
}

/** `npm run bench -- compliance <folder>...`: NodeGoat, dvna and Vulnerable-Flask-App by their folders' names; others count as all of them. */
export async function measureApps(folders: readonly string[]): Promise<void> {
  const rows: string[][] = [];
  for (const folder of folders) rows.push(await measure(resolve(folder)));
  process.stdout.write('\n## compliance: controls of all standards that known holes break\n\n');
  printTable(
    ['application', 'holes', 'broken controls', 'fail', 'no findings', 'pass', 'passes of all'],
    rows,
  );
}

async function measure(folder: string): Promise<string[]> {
  const name = Object.keys(KNOWN).find((one) => basename(folder).toLowerCase().includes(one.toLowerCase()));
  const holes = name === undefined ? Object.values(KNOWN).flat() : (KNOWN[name] ?? []);
  const controls = await assessed(folder);
  const named = new Set(holes.flatMap(brokenBy));
  const cwe = new Set(holes.flatMap((one) => one.cwe).map((number) => `CWE-${number}`));
  const broken = controls.filter(
    ([id, { evidence }]) => named.has(id) || evidence.checks.some((check) => cwe.has(check)),
  );
  const having = (status: string, of: readonly (readonly [string, Control])[] = broken) =>
    of.filter(([, one]) => one.status === status);
  for (const [id] of having('pass')) process.stdout.write(`${basename(folder)}: ${id} passes\n`);
  return [
    basename(folder),
    String(holes.length),
    String(broken.length),
    String(having('fail').length),
    String(having('no_findings').length),
    String(having('pass').length),
    having('pass', controls)
      .map(([id]) => id)
      .join(', '),
  ];
}

/** By the program itself, on a data folder of its own. */
async function assessed(folder: string): Promise<readonly (readonly [string, Control])[]> {
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  try {
    const args = ['call', 'checkCompliance', '--standards', 'all', '--scope', folder, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...args], {
      env: { ...process.env, MAGPIE_DATA: data },
      maxBuffer: 100_000_000,
    });
    const { data: answer } = JSON.parse(stdout) as {
      data: { standards: { id: string; controls: Control[] }[] };
    };
    return answer.standards.flatMap(({ id, controls }) =>
      controls.map((one) => [`${id} ${one.id}`, one] as const),
    );
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
