import type { MonitorFinding } from './finding.ts';

/** What others are told when an alert is raised or cleared; kept as JSON until it has arrived. */
export interface Notice {
  readonly event: 'alert.raised' | 'alert.cleared';
  readonly infrastructure_id: string;
  readonly alert: {
    readonly id: number;
    readonly finding: MonitorFinding;
    /** It comes and goes: the next notice comes once it has stayed away for a while. */
    readonly flapping: boolean;
    /** ISO 8601. */
    readonly raised_at: string;
    readonly cleared_at?: string;
  };
}

/** Brings notices to one place. Throws when it did not arrive; it is then tried again. */
export interface Sender {
  /** `name` is the same each time a notice is sent. */
  send(name: string, notice: Notice, signal: AbortSignal): Promise<void>;
}

/** The notice in one line. */
export function headlineOf({ event, infrastructure_id, alert: { finding, flapping } }: Notice): string {
  const state = event === 'alert.raised' ? finding.severity.toUpperCase() : 'CLEARED';
  const often = flapping && event === 'alert.raised' ? ' (it comes and goes)' : '';
  return `[${state}] ${infrastructure_id}: ${finding.title}${often}`;
}

/** The notice in a few lines. */
export function detailsOf({ event, alert: { finding, raised_at, cleared_at } }: Notice): string {
  const lines = [
    `Target: ${finding.target}`,
    `Rule: ${finding.id}, score ${finding.score} of 10`,
    `Seen: ${finding.description}`,
    `Raised: ${raised_at}`,
  ];
  if (cleared_at !== undefined) lines.push(`Cleared: ${cleared_at}`);
  if (event === 'alert.raised') lines.push(`To do: ${finding.fix}`);
  return lines.join('\n');
}
