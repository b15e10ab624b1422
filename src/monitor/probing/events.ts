export type AlertEvent = 'alert.raised' | 'alert.cleared';

export type Outcome = 'good' | 'findings' | 'unknown' | 'failed';

export interface MonitorEvents {
  onCheck(check: string, outcome: Outcome, seconds: number): void;
  onAlert(event: AlertEvent): void;
  onNetwork(isUp: boolean): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}
