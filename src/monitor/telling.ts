import type { ClearReason } from './alerts.ts';
import type { Notice } from './notice.ts';
import { type AlertStore, type MessageStore, OWN, type StoredMonitor } from './store.ts';

export interface TellingParts {
  readonly alerts: AlertStore;
  readonly messages: MessageStore;
  /** Names of the channels that the operator has set. */
  readonly channels: readonly string[];
  onAlert(event: Notice['event']): void;
}

/** Tells of alerts that begin and end, by messages in the same transaction as the change; see `Notice`. */
export interface Telling {
  raised(monitor: StoredMonitor, alert: number, at: number): void;
  /** Ends the alert. Whoever was told that it was raised is told. */
  clear(monitor: StoredMonitor, alert: number, at: number, reason: ClearReason): void;
}

export function createTelling({ alerts, messages, channels, onAlert }: TellingParts): Telling {
  function tell(
    event: Notice['event'],
    monitor: StoredMonitor,
    id: number,
    to: readonly string[],
    at: number,
  ) {
    const alert = alerts.get(id);
    if (!alert) return;
    const { finding, flapping, raisedAt, clearedAt, reason } = alert;
    const notice: Notice = {
      event,
      infrastructure_id: monitor.id,
      alert: {
        id,
        finding,
        flapping,
        raised_at: new Date(raisedAt).toISOString(),
        cleared_at: clearedAt !== undefined ? new Date(clearedAt).toISOString() : undefined,
        cleared_reason: reason,
      },
    };
    for (const channel of to) messages.post(monitor.key, channel, notice, at);
    onAlert(event);
  }

  return {
    raised: (monitor, id, at) =>
      tell('alert.raised', monitor, id, [...channels, ...(monitor.webhook === undefined ? [] : [OWN])], at),
    clear(monitor, id, at, reason) {
      alerts.clear(id, at, reason);
      // A command that ends an alert need not have the operator's settings: those who were told are known all the same.
      const told = messages.told(monitor.key, id).filter((to) => to !== OWN || monitor.webhook !== undefined);
      tell('alert.cleared', monitor, id, told, at);
    },
  };
}
