import { AppError, type ErrorDetails } from '../../errors.ts';
import type { AlertNotification, ClearReason } from '../service-types.ts';

export interface NotificationSender {
  send(name: string, notification: AlertNotification, signal: AbortSignal): Promise<void>;
}

/** Error if the receiver refuses messages for a lasting reason, for example a wrong password. */
export class NotificationRefusedError extends AppError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('upstream', message, details);
    this.name = 'RefusedError';
  }
}

const ENDED: Readonly<Record<ClearReason, string | undefined>> = {
  recovered: undefined,
  below_threshold: 'it scores less than the threshold',
  target_removed: 'it is no longer checked',
  monitor_stopped: 'watching was stopped',
  monitor_removed: 'the monitor was removed',
  noted: undefined,
};

export function formatHeadline({ event, infrastructure_id, alert }: AlertNotification): string {
  const { finding, flapping, cleared_reason: reason = 'recovered' } = alert;
  if (finding.change) return `[CHANGED] ${infrastructure_id}: ${finding.title}`;
  const raised = event === 'alert.raised';
  const remark = raised ? flapping && 'it comes and goes' : ENDED[reason];
  const state = raised ? finding.severity.toUpperCase() : 'CLEARED';
  return `[${state}] ${infrastructure_id}: ${finding.title}${remark ? ` (${remark})` : ''}`;
}

export function formatDetails({
  event,
  alert: { finding, raised_at, cleared_at },
}: AlertNotification): string {
  const { change } = finding;
  if (change) {
    return `Page: ${finding.target}\nBefore: ${change.before || '–'}\nAfter: ${change.after || '–'}\nSeen: ${raised_at}`;
  }
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
