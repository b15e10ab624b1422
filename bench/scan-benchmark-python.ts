import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSourceScanner } from '../src/security/scanners/source.ts';

/** How one category of BenchmarkPython came out; rates are 0 to 1. */
export interface Category {
  readonly name: string;
  readonly found: number;
  readonly real: number;
  readonly falsely: number;
  readonly safe: number;
  /** True-positive rate minus false-positive rate. */
  readonly score: number;
}

export interface BenchmarkScore {
  readonly categories: readonly Category[];
  /** The mean of the categories' scores. */
  readonly macro: number;
  /** Wrong answers: `00012 sqli missed`, `00013 sqli falsely`. */
  readonly wrong: readonly string[];
  readonly ms: number;
}

/**
 * Scores the deep source scan on OWASP BenchmarkPython (https://github.com/OWASP-Benchmark/BenchmarkPython), from its
 * folder. A case counts as reported when any finding, whatever its severity, has the case's CWE. `keep` chooses cases by their number.
 */
export async function scoreBenchmarkPython(
  folder: string,
  keep: (number: number) => boolean = () => true,
): Promise<BenchmarkScore> {
  const table = readdirSync(folder).find((name) => /^expectedresults-.*\.csv$/.test(name));
  if (table === undefined) throw new Error(`no expectedresults-*.csv in ${folder}`);
  const scanner = createSourceScanner();
  const tally = new Map<string, { found: number; real: number; falsely: number; safe: number }>();
  const wrong: string[] = [];
  const started = performance.now();
  for (const line of readFileSync(join(folder, table), 'utf8').split('\n')) {
    const [test = '', category = '', real = '', cwe = ''] = line.trim().split(',');
    const number = Number(test.replace(/\D+/g, ''));
    if (line.startsWith('#') || category === '' || !keep(number)) continue;
    const text = readFileSync(join(folder, 'testcode', `${test}.py`), 'utf8');
    // Neither the name nor a comment of the test reaches the rules.
    const findings = await scanner.scan(
      { path: 'case.py', text: text.replace(/^'''[\s\S]*?'''/, '') },
      { deep: true },
    );
    const said = findings.some((one) => one.cwe?.includes(`CWE-${cwe}`));
    const sum = tally.get(category) ?? { found: 0, real: 0, falsely: 0, safe: 0 };
    tally.set(category, sum);
    if (real === 'true') sum.real++;
    else sum.safe++;
    if (said && real === 'true') sum.found++;
    if (said && real !== 'true') sum.falsely++;
    if (said !== (real === 'true'))
      wrong.push(`${test.slice(-5)} ${category} ${said ? 'falsely' : 'missed'}`);
  }
  const categories = [...tally].map(([name, sum]) => ({
    name,
    ...sum,
    score: sum.found / Math.max(1, sum.real) - sum.falsely / Math.max(1, sum.safe),
  }));
  const macro = categories.reduce((sum, one) => sum + one.score, 0) / Math.max(1, categories.length);
  return { categories, macro, wrong, ms: performance.now() - started };
}

/** The score as a table in plain text. */
export function benchmarkTable(score: BenchmarkScore): string {
  const rows = score.categories.map(
    (one) =>
      `${one.name.padEnd(16)} TPR ${(one.found / Math.max(1, one.real)).toFixed(3)} (${one.found}/${one.real})  FPR ${(one.falsely / Math.max(1, one.safe)).toFixed(3)} (${one.falsely}/${one.safe})  ${one.score.toFixed(3)}`,
  );
  return [...rows.sort(), `macro TPR-FPR ${score.macro.toFixed(3)} in ${Math.round(score.ms)} ms`].join('\n');
}
