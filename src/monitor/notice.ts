import type { ClearReason } from './alerts.ts';
import type { MonitorFinding } from './finding.ts';

/** What others are told when an alert is raised or cleared; kept as JSON until it has arrived. */
export interface Notice {
  readonly event: 'alert.raised' | 'alert.cleared';
  readonly infrastructure_id: string;
  readonly alert: {
    /** The same when it is raised and when it is cleared: a receiver's key of the incident. */
    readonly id: number;
    readonly finding: MonitorFinding;
    /** It comes and goes: the next notice comes once it has stayed away for a while. */
    readonly flapping: boolean;
    /** ISO 8601. */
    readonly raised_at: string;
    readonly cleared_at?: string;
    readonly cleared_reason?: ClearReason;
  };
}

/** Brings notices to one place. Throws when it did not arrive; it is then tried again. */
export interface Sender {
  /** `name` is the same each time a notice is sent. */
  send(name: string, notice: Notice, signal: AbortSignal): Promise<void>;
}

/** Why an alert ended, where its fault need not be gone. */
const ENDED: Readonly<Record<ClearReason, string | undefined>> = {
  recovered: undefined,
  below_threshold: 'it scores less than the threshold',
  target_removed: 'it is looked for no more',
  monitor_stopped: 'watching was stopped',
  monitor_removed: 'the monitor was removed',
};

/** The notice in one line. */
export function headlineOf({ event, infrastructure_id, alert }: Notice): string {
  const { finding, flapping, cleared_reason: reason = 'recovered' } = alert;
  const raised = event === 'alert.raised';
  const remark = raised ? flapping && 'it comes and goes' : ENDED[reason];
  const state = raised ? finding.severity.toUpperCase() : 'CLEARED';
  return `[${state}] ${infrastructure_id}: ${finding.title}${remark ? ` (${remark})` : ''}`;
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
