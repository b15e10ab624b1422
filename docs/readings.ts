import {
  COVERAGE_EXTENTS,
  type ControlMapping,
  type CoverageExtent,
} from '../src/compliance/mappings/mappings.ts';

/** A line that a second reader has filled in. */
export interface SecondReading {
  readonly control: string;
  readonly checks: string;
  readonly reading: string;
  readonly note: string;
}

/** The lines of a printed table that have a reading. Lines whose form was lost are not among them. */
export function readingsFrom(page: string): readonly SecondReading[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((one) => one.trim());
    if (!line.startsWith('|') || cells.length !== 7) return [];
    const [, control = '', , check = '', reading = '', note = ''] = cells;
    const checks = check.replaceAll('`', '');
    return reading === '' || reading === 'reading' || reading.startsWith('-')
      ? []
      : [{ control, checks, reading: reading.toLowerCase(), note }];
  });
}

/**
 * The table with what a second reader said in `second`. A pair that the table does not have is a row of its own, `none` until
 * someone has settled it. What cannot be taken in is in `unknown`. `controls` are the ids of the standard in its order.
 */
export function merged(
  before: readonly ControlMapping[],
  readings: readonly SecondReading[],
  by: string,
  controls: readonly string[],
): { readonly rows: readonly ControlMapping[]; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const rows = [...before];
  for (const { control, checks, reading, note } of readings) {
    const at = rows.findIndex((row) => row.control === control && row.checks.join(' ') === checks);
    const second = isReading(reading) ? secondOf(by, reading, note) : undefined;
    const known = rows[at];
    if (second === undefined || checks === '' || !controls.includes(control))
      unknown.push(`${control} ${checks}: ${reading}`);
    else if (known) rows[at] = { ...known, second };
    else rows.push(proposed(control, checks, second));
  }
  return { rows: rows.sort((a, b) => controls.indexOf(a.control) - controls.indexOf(b.control)), unknown };
}

/** Whether two readers differ, and nothing has settled it. */
export function isOpen(row: ControlMapping): boolean {
  return row.settled === '' && differs(row);
}

/** Whether the second reader said something else than the row. */
export function differs({ reading, second }: ControlMapping): boolean {
  const [, , said] = second.split(/[ :]+/);
  return said !== undefined && said !== reading;
}

function proposed(control: string, checks: string, second: string): ControlMapping {
  const why = 'Proposed by the second reader, and not settled yet.';
  return { control, reading: 'none', checks: checks.split(' '), why, first: '-', second, settled: '' };
}

function secondOf(by: string, reading: CoverageExtent, note: string): string {
  const words = note.replace(/\s+/g, ' ').slice(0, 300);
  return `${by} ${reading}${words.length >= 5 ? `: ${words}` : ''}`;
}

function isReading(text: string): text is CoverageExtent {
  return COVERAGE_EXTENTS.some((one) => one === text);
}
