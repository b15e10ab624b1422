import { readFileSync } from 'node:fs';
import type { ComplianceControl, ControlCatalogue, ControlCoverage } from '../assessing/catalogue.ts';

export const COVERAGE_EXTENTS = ['whole', 'part', 'none'] as const;
export type CoverageExtent = (typeof COVERAGE_EXTENTS)[number];

export interface ControlMapping {
  readonly control: string;
  readonly reading: CoverageExtent;
  /** Names of groups, ids of checks, or CWE numbers (for example `cwe:79`). */
  readonly checks: readonly string[];
  readonly why: string;
  readonly first: string;
  /** Second reviewer, day and verdict, for example `B 2026-11-24 agrees`. It is empty before the review. */
  readonly second: string;
  /** Decision after reviewers disagreed, for example `C 2026-11-23: it asks ...`. Otherwise it is empty. */
  readonly settled: string;
}

export const MAPPING_COLUMNS = ['control', 'reading', 'checks', 'why', 'first', 'second', 'settled'] as const;

export function parseMappings(table: string): readonly ControlMapping[] {
  const [head, ...lines] = table.split('\n').filter((line) => line !== '');
  if (head !== MAPPING_COLUMNS.join('\t'))
    throw new Error(`a table of mappings begins with ${MAPPING_COLUMNS.join(', ')}`);
  return lines.map((line) => {
    const [control = '', reading = '', checks = '', why = '', first = '', second, settled, more] =
      line.split('\t');
    if (
      !isReading(reading) ||
      second === undefined ||
      settled === undefined ||
      more !== undefined ||
      [checks, why, first].includes('')
    )
      throw new Error(`a line of mappings lacks a value, or has an unknown one: ${JSON.stringify(line)}`);
    return { control, reading, checks: checks.split(' '), why, first, second, settled };
  });
}

export const readMappings = (standard: string): readonly ControlMapping[] =>
  parseMappings(readFileSync(new URL(`./${standard}.tsv`, import.meta.url), 'utf8'));

export function addMappings(catalogue: ControlCatalogue): ControlCatalogue {
  let mapped: Promise<readonly ComplianceControl[]> | undefined;
  const read = async () => addCoverage(await catalogue.controls(), readMappings(catalogue.id));
  return {
    ...catalogue,
    controls: () => {
      mapped ??= read();
      return mapped;
    },
  };
}

/** Adds checks to controls. Throws Error for an unknown control, or one mapped as both `whole` and `part`. */
export function addCoverage(
  controls: readonly ComplianceControl[],
  mappings: readonly ControlMapping[],
): readonly ComplianceControl[] {
  const rows = Map.groupBy(mappings, ({ control }) => control);
  for (const { id } of controls) if (!rows.has(id)) rows.set(id, []);
  if (rows.size > controls.length) {
    const ids = new Set(controls.map(({ id }) => id));
    throw new Error(`the mappings name an unknown control: ${[...rows.keys()].find((id) => !ids.has(id))}`);
  }
  return controls.map((control) => {
    const coverage = coverageOf(rows.get(control.id) ?? []);
    return coverage ? { ...control, coverage } : control;
  });
}

function coverageOf(rows: readonly ControlMapping[]): ControlCoverage | undefined {
  const counting = rows.filter(({ reading }) => reading !== 'none');
  const reaches = new Set(counting.map(({ reading }) => reading));
  if (reaches.size > 1) throw new Error(`rows of ${rows[0]?.control} are whole and part`);
  const [reach] = reaches;
  if (reach === undefined || reach === 'none') return undefined;
  return { reach, by: counting.flatMap(({ checks }) => checks) };
}

const isReading = (text: string): text is CoverageExtent => COVERAGE_EXTENTS.some((one) => one === text);
