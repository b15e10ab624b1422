import type { FieldRun } from './pdf-fields.ts';
import { sameLine } from './pdf-segments.ts';
import type { PdfRun } from './runs/pdf-run.ts';

const BOX_GAP_SIZES = 3;
const MAX_COMPARED = 4_000_000;

export function mergeFieldRuns(runs: readonly PdfRun[], fields: readonly FieldRun[]): PdfRun[] {
  if (fields.length === 0) return [...runs];
  if (runs.length * fields.length > MAX_COMPARED) return [...runs, ...fields];
  const [before, after] = [new Map<PdfRun, PdfRun[]>(), new Map<PdfRun, PdfRun[]>()];
  runs = runs.map((run) => withoutLine(run, fields));
  const joining = new Set<PdfRun>();
  const loose: PdfRun[] = [];
  for (const { label, ...field } of fields) {
    const line = runs.filter((run) => sameLine(field, run) && run.text.trim());
    const values = fields.filter((other) => other.label === 'before' && sameLine(field, other));
    const next = label === 'after' ? nearest(line, (run) => run.x - (field.x + field.width)) : undefined;
    const last = label === 'before' ? nearest(line, (run) => field.x - (run.x + run.width)) : undefined;
    if (next && next.x - (field.x + field.width) < BOX_GAP_SIZES * next.size) {
      before.set(next, [...(before.get(next) ?? []), field]);
      joining.add(next);
    } else if (last && !isTableRow(values, line)) {
      after.set(last, [...(after.get(last) ?? []), { ...field, joins: true }]);
    } else loose.push(field);
  }
  const all = runs.flatMap((run) => [
    ...(before.get(run) ?? []),
    joining.has(run) ? { ...run, joins: true } : run,
    ...(after.get(run) ?? []),
  ]);
  return [...all, ...loose];
}

function withoutLine(run: PdfRun, fields: readonly FieldRun[]): PdfRun {
  const label = run.text.trimEnd().replace(/(?<![_.…])[_.…]{3,}$/, '');
  const isOver = (field: FieldRun) => sameLine(field, run) && field.x < run.x + run.width && field.x >= run.x;
  if (label.length >= run.text.trimEnd().length || !fields.some(isOver)) return run;
  const width = (run.width * label.length) / run.text.length;
  return { ...run, text: label, width };
}

function isTableRow(values: readonly PdfRun[], line: readonly PdfRun[]): boolean {
  const sorted = [...values].sort((one, other) => one.x - other.x);
  return sorted.slice(1).some((value, at) => {
    const before = sorted[at]?.x ?? 0;
    return !line.some(({ x }) => x > before && x < value.x);
  });
}

function nearest(runs: readonly PdfRun[], distance: (run: PdfRun) => number): PdfRun | undefined {
  return runs.filter((run) => distance(run) > -1).sort((one, other) => distance(one) - distance(other))[0];
}
