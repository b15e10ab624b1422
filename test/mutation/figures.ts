import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Percent of the mutants of each part that its tests must notice. */
export const LEAST_SCORE = 90;

/** What Stryker counted in one file, or in some of its lines. */
export interface MutantCount {
  readonly part: string;
  readonly file: string;
  /** `100-150`; left out for the whole file. */
  readonly lines?: string | undefined;
  readonly mutants: number;
  readonly noticed: number;
}

const FOLDER = 'reports';
const FIGURES = `${FOLDER}/mutation.json`;

export function readFigures(): MutantCount[] {
  try {
    return JSON.parse(readFileSync(FIGURES, 'utf8')) as MutantCount[];
  } catch {
    return [];
  }
}

/** Keeps counts beside those of other files, so that a part can be measured file by file. */
export function saveFigures(counts: readonly MutantCount[]): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(FIGURES, JSON.stringify(joinFigures(readFigures(), counts), null, 1));
}

/** A newer count takes the place of the same lines' older one, and that of a whole file of all that its lines had. */
export function joinFigures(before: readonly MutantCount[], counts: readonly MutantCount[]): MutantCount[] {
  const replaces = (old: MutantCount) =>
    counts.some(
      (now) =>
        now.part === old.part &&
        now.file === old.file &&
        (now.lines === undefined || old.lines === undefined || now.lines === old.lines),
    );
  return [...before.filter((old) => !replaces(old)), ...counts];
}

/** A line a file, and one of all its files for each part. */
export function tableOf(counts: readonly MutantCount[]): string {
  const lines: string[] = [];
  for (const part of [...new Set(counts.map((count) => count.part))].sort()) {
    const own = counts.filter((count) => count.part === part);
    for (const count of own.sort((a, b) => nameOf(a).localeCompare(nameOf(b)))) {
      lines.push(row(`  ${nameOf(count)}`, [count]));
    }
    lines.push(row(part, own));
  }
  return `${lines.join('\n')}\n`;
}

/** The parts of which too few mutants were noticed. */
export function partsBelow(counts: readonly MutantCount[]): string[] {
  const parts = [...new Set(counts.map((count) => count.part))];
  return parts.filter((part) => scoreOf(counts.filter((count) => count.part === part)) < LEAST_SCORE);
}

function nameOf({ file, lines }: MutantCount): string {
  return lines === undefined ? file : `${file}:${lines}`;
}

function row(name: string, counts: readonly MutantCount[]): string {
  const mutants = sum(counts.map((count) => count.mutants));
  return `${name.padEnd(60)} ${String(mutants).padStart(5)} ${scoreOf(counts).toFixed(1).padStart(6)}%`;
}

function scoreOf(counts: readonly MutantCount[]): number {
  const mutants = sum(counts.map((count) => count.mutants));
  return mutants === 0 ? 100 : (100 * sum(counts.map((count) => count.noticed))) / mutants;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
