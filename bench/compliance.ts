import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assessControls } from '../src/compliance/assessing/assess.ts';
import { CATALOGUES } from '../src/compliance/catalogues/list.ts';
import { REPORT_FORMATS } from '../src/lib/compliance/report-formats.ts';
import { SEVERITIES } from '../src/lib/severity.ts';
import { sourceRules } from '../src/security/scanners/source/rules/catalogue.ts';
import { openDatabase } from '../src/storage/sqlite.ts';
import { openCompliance } from '../src/wiring/open/open-compliance.ts';
import { complianceFoundation, evidence, finding } from '../test/helpers/compliance.ts';
import { measureApps } from './compliance-holes.ts';
import { median, printTable, whole } from './figures.ts';

/** Compliance: all standards held against many findings, then kept, and each form of the report of it. */

const SIZES = [100, 10_000];

/** `npm run bench -- compliance [findings | folder...]`; folders are those of applications with known holes. `--runs <n>`: 5 without. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals: given } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { runs: { type: 'string', default: '5' } },
  });
  if (given.some((one) => !/^\d+$/.test(one))) return measureApps(given);
  const rows: string[][] = [];
  for (const size of given.length > 0 ? given.map(Number) : SIZES)
    rows.push(await measure(size, Number(values.runs)));
  process.stdout.write(`\n## compliance: ${CATALOGUES.length} standards, milliseconds\n\n`);
  printTable(['findings', 'assess', 'assess and keep', ...REPORT_FORMATS], rows);
}

async function measure(size: number, runs: number): Promise<string[]> {
  const timed = (work: () => Promise<unknown>) => medianOf(runs, work);
  const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const db = await openDatabase({ folder });
  try {
    const room = await openCompliance(complianceFoundation(db, folder));
    const seen = evidence(manyFindings(size));
    const assessed = await timed(() => assessControls(CATALOGUES, seen));
    const kept = await timed(() => room.assessEvidence('ann', ['all'], seen));
    const { id } = await room.assessEvidence('ann', ['all'], seen);
    const forms: string[] = [];
    for (const format of REPORT_FORMATS)
      forms.push(whole(await timed(() => room.writeReport('ann', id, format))));
    return [whole(size), whole(assessed), whole(kept), ...forms];
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of all rules in turn, in a thousand files. */
function manyFindings(size: number) {
  return Array.from({ length: size }, (_, at) => {
    const rule = sourceRules[at % sourceRules.length];
    const location = `src/file-${at % 1000}.js:${at}`;
    return finding(rule?.id ?? '', {
      cwe: rule?.cwe ?? [],
      severity: SEVERITIES[at % SEVERITIES.length] ?? 'low',
      location,
      fingerprint: at.toString(16).padStart(32, '0'),
    });
  });
}

/** The median of a few runs, after one that warms up. */
async function medianOf(runs: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
