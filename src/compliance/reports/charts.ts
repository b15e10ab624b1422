import type { Severity } from '../../lib/severity.ts';
import { CONTROL_STATUSES, type ControlStatus, type StandardResult } from '../assessing/assessment.ts';
import colours from './colours.json' with { type: 'json' };
import { formatStatusCounts } from './outline.ts';

/** Colours that most colour-blind readers can distinguish. Charts also name each status. */
export const STATUS_COLOURS: Readonly<Record<ControlStatus, string>> = colours.status;
export const SEVERITY_COLOURS: Readonly<Record<Severity, string>> = colours.severity;

export function drawStatusChart(standards: readonly StandardResult[]): string {
  const rows = standards.map((result) => {
    const { standard, counts, total } = result;
    let x = 0;
    const parts = CONTROL_STATUSES.map((status) => {
      const width = (100 * counts[status]) / Math.max(1, total);
      const part = rectangle(x, width, status, STATUS_COLOURS[status]);
      x += width;
      return part;
    });
    return row(
      `<a href="#${standard.id}">${standard.id}</a>`,
      `${standard.id}: ${formatStatusCounts(result)}`,
      parts.join(''),
      '',
    );
  });
  return figure('Controls of each standard by status', rows);
}

export function drawSeverityChart(severities: readonly (readonly [Severity, number])[]): string {
  const most = Math.max(1, ...severities.map(([, count]) => count));
  const rows = severities.map(([severity, count]) =>
    row(
      severity,
      `${severity}: ${count}`,
      rectangle(0, (100 * count) / most, severity, SEVERITY_COLOURS[severity]),
      `<span>${count}</span>`,
    ),
  );
  return figure('Findings that count, by severity', rows);
}

const figure = (title: string, rows: readonly string[]): string =>
  `<figure><figcaption>${title}</figcaption>\n${rows.join('\n')}\n</figure>`;

const row = (name: string, words: string, parts: string, after: string): string =>
  `<div class="bar"><span>${name}</span><svg viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="${words}">${parts}</svg>${after}</div>`;

const rectangle = (x: number, width: number, name: string, colour: string): string =>
  width === 0
    ? ''
    : `<rect x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="1" class="${name}" fill="${colour}"/>`;
