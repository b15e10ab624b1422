export type AlertEvent = 'alert.raised' | 'alert.cleared';

/** What a check at a target came to, in a word. */
export type Outcome = 'good' | 'findings' | 'unknown' | 'failed';

/** What happens, for metrics. */
export interface MonitorEvents {
  onCheck(check: string, outcome: Outcome, seconds: number): void;
  onAlert(event: AlertEvent): void;
  /** Magpie's own network has gone, or is back. */
  onNetwork(isUp: boolean): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}
