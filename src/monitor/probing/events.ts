export type AlertEvent = 'alert.raised' | 'alert.cleared';

export type Outcome = 'good' | 'findings' | 'unknown' | 'failed';

export interface MonitorEvents {
  onCheck(check: string, outcome: Outcome, seconds: number): void;
  onAlert(event: AlertEvent): void;
  /** Called when this machine loses its network connection or regains it. */
  onNetwork(isUp: boolean): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}
