import type { Severity } from '../../lib/severity.ts';
import { STATUSES, type StandardResult, type Status } from '../assessment.ts';
import { STATUS_WORDS } from './outline.ts';

/** Colours that hold on paper and for most colour-blind readers; words stand beside each. */
export const STATUS_COLOURS: Readonly<Record<Status, string>> = {
  pass: '#1b7f5c',
  fail: '#b3261e',
  manual: '#b58900',
  not_assessed: '#8a8f98',
};
export const SEVERITY_COLOURS: Readonly<Record<Severity, string>> = {
  critical: '#7a0019',
  high: '#b3261e',
  medium: '#c46a00',
  low: '#8c8400',
  info: '#5b6470',
};

const [WIDTH, ROW, NAMES] = [720, 26, 210];

/** A bar for each standard, cut by status: SVG without scripts. */
export function statusChart(standards: readonly StandardResult[]): string {
  const rows = standards.map(({ standard, counts, total }, at) => {
    let x = NAMES;
    const bars = STATUSES.filter((status) => counts[status] > 0).map((status) => {
      const width = ((WIDTH - NAMES) * counts[status]) / Math.max(1, total);
      const bar = `<rect x="${fixed(x)}" y="${at * ROW + 4}" width="${fixed(width)}" height="18" fill="${STATUS_COLOURS[status]}"><title>${counts[status]} ${STATUS_WORDS[status]}</title></rect>`;
      x += width;
      return bar;
    });
    return `<text x="0" y="${at * ROW + 18}">${standard.id}</text>${bars.join('')}`;
  });
  return svg(standards.length * ROW, 'Controls of each standard by status', rows);
}

/** A bar for each severity. */
export function severityChart(severities: readonly (readonly [Severity, number])[]): string {
  const most = Math.max(1, ...severities.map(([, count]) => count));
  const rows = severities.map(([severity, count], at) => {
    const width = ((WIDTH - NAMES - 60) * count) / most;
    return `<text x="0" y="${at * ROW + 18}">${severity}</text><rect x="${NAMES}" y="${at * ROW + 4}" width="${fixed(width)}" height="18" fill="${SEVERITY_COLOURS[severity]}"/><text x="${fixed(NAMES + width + 8)}" y="${at * ROW + 18}">${count}</text>`;
  });
  return svg(severities.length * ROW, 'Findings that count by severity', rows);
}

function svg(height: number, title: string, rows: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}" font-size="14">${rows.join('')}</svg>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
