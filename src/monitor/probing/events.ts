export type AlertEvent = 'alert.raised' | 'alert.cleared';
export type CheckOutcome = 'good' | 'findings' | 'unknown' | 'failed';

export interface MonitorEvents {
  onCheck(check: string, outcome: CheckOutcome, seconds: number): void;
  onAlert(event: AlertEvent): void;
  onNetwork(isUp: boolean): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}
