export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Minimum CVSS base score of each severity (CVSS 3.1, section 5, and 4.0, section 6). */
const FLOORS: readonly (readonly [floor: number, severity: Severity])[] = [
  [9, 'critical'],
  [7, 'high'],
  [4, 'medium'],
  [0.1, 'low'],
];

export function severityOf(score: number): Severity {
  return FLOORS.find(([floor]) => score >= floor)?.[1] ?? 'info';
}

/** Scores for findings with a severity but without a score: the middle of each severity's range. */
export const TYPICAL_SCORES: Readonly<Record<Severity, number>> = {
  critical: 9.5,
  high: 8,
  medium: 5.5,
  low: 2,
  info: 0,
};
