import type { AlertEvent, AlertNotification, ClearReason } from '../service-types.ts';
import { OWN_WEBHOOK_CHANNEL, type StoredMonitor } from '../store.ts';
import type { MonitorTransaction } from '../transactions.ts';

export type Notifier = ReturnType<typeof createNotifier>;

export function createNotifier(channels: readonly string[]) {
  async function notify(
    tx: MonitorTransaction,
    event: AlertEvent,
    monitor: StoredMonitor,
    id: number,
    to: readonly string[],
    at: number,
  ): Promise<void> {
    const alert = await tx.alerts.findAlert(id);
    if (!alert) return;
    const { finding, flapping, raisedAt, clearedAt, reason } = alert;
    const notification: AlertNotification = {
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
    for (const channel of to) await tx.messages.insertMessage(monitor.key, channel, notification, at);
    tx.events.push(event);
  }

  return {
    async notifyRaised(tx: MonitorTransaction, monitor: StoredMonitor, id: number, at: number) {
      const own = monitor.webhook === undefined ? [] : [OWN_WEBHOOK_CHANNEL];
      await notify(tx, 'alert.raised', monitor, id, [...channels, ...own], at);
    },
    async clearAlert(
      tx: MonitorTransaction,
      monitor: StoredMonitor,
      id: number,
      at: number,
      reason: ClearReason,
    ): Promise<void> {
      await tx.alerts.clearAlert(id, at, reason);
      // Reads the notified channels from the store, because a command-line process may lack their settings.
      const notified = await tx.messages.listNotifiedChannels(monitor.key, id);
      const to = notified.filter(
        (channel) => channel !== OWN_WEBHOOK_CHANNEL || monitor.webhook !== undefined,
      );
      await notify(tx, 'alert.cleared', monitor, id, to, at);
    },
  };
}
