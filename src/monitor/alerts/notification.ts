import { AppError, type ErrorDetails } from '../../errors.ts';
import type { ClearReason, Notification } from '../types.ts';

/** Sends notifications to one place. Throws when one did not arrive; a later attempt follows. */
export interface Sender {
  /** `name` is the same each time a notification is sent. */
  send(name: string, notification: Notification, signal: AbortSignal): Promise<void>;
}

/** The place answers, and refuses what it would refuse again, as a mail server does with a wrong password: it is given up sooner. */
export class RefusedError extends AppError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('upstream', message, details);
    this.name = 'RefusedError';
  }
}

/** Why an alert ended although its problem may still be there. */
const ENDED: Readonly<Record<ClearReason, string | undefined>> = {
  recovered: undefined,
  below_threshold: 'it scores less than the threshold',
  target_removed: 'it is no longer checked',
  monitor_stopped: 'watching was stopped',
  monitor_removed: 'the monitor was removed',
};

/** The notification in one line. */
export function headlineOf({ event, infrastructure_id, alert }: Notification): string {
  const { finding, flapping, cleared_reason: reason = 'recovered' } = alert;
  const raised = event === 'alert.raised';
  const remark = raised ? flapping && 'it comes and goes' : ENDED[reason];
  const state = raised ? finding.severity.toUpperCase() : 'CLEARED';
  return `[${state}] ${infrastructure_id}: ${finding.title}${remark ? ` (${remark})` : ''}`;
}

/** The notification in a few lines. */
export function detailsOf({ event, alert: { finding, raised_at, cleared_at } }: Notification): string {
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
