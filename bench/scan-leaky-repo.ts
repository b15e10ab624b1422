import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretsScanner } from '../src/security/scanners/secrets.ts';

/** Lines with secrets in a labelled corpus, and how many of them were found. */
export interface LeakyFigures {
  /** Lines that are labelled as a risk. */
  readonly risky: number;
  readonly found: number;
  /** Reported beyond the risky lines, though labelled as informational. */
  readonly informative: number;
  /** Reported beyond all labelled lines. */
  readonly wrong: number;
}

/**
 * Scores the secrets scanner on Plazmaz/leaky-repo by `.leaky-meta/secrets.csv`, which counts risky and informative
 * lines by file without naming them: findings of a file count as right up to its risky lines.
 */
export async function scoreLeakyRepo(folder: string): Promise<LeakyFigures> {
  const scanner = createSecretsScanner();
  const labels = riskyLines(folder);
  let [found, informative, wrong] = [0, 0, 0];
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/^\.(?:git|leaky-meta)(?:\/|$)/.test(path) || !statSync(join(folder, path)).isFile()) continue;
    if (!scanner.wants(path)) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    const count = (await scanner.scan({ path, text }, { deep: false })).length;
    const { risk = 0, tells = 0 } = labels.get(path) ?? {};
    found += Math.min(count, risk);
    informative += Math.min(Math.max(0, count - risk), tells);
    wrong += Math.max(0, count - risk - tells);
  }
  const risky = [...labels.values()].reduce((sum, { risk }) => sum + risk, 0);
  return { risky, found, informative, wrong };
}

/** Risky and informative lines by file. */
export function riskyLines(
  folder: string,
): ReadonlyMap<string, { readonly risk: number; readonly tells: number }> {
  return new Map(labelled(readFileSync(join(folder, '.leaky-meta/secrets.csv'), 'utf8')));
}

function* labelled(csv: string): Generator<[string, { risk: number; tells: number }]> {
  for (const line of csv.split('\n')) {
    const [, path, risk, tells] = /^([^#,][^,]*),(\d+),(\d+)\s*$/.exec(line) ?? [];
    if (path !== undefined) yield [path, { risk: Number(risk), tells: Number(tells) }];
  }
}
