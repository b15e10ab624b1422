import type { AlertEvent, MonitorEvents } from './service-types.ts';
import type { MonitorLock, MonitorStores } from './store.ts';

export interface MonitorTransaction extends MonitorStores {
  readonly events: AlertEvent[];
}

export type Transact = <T>(
  held: readonly MonitorLock[],
  work: (tx: MonitorTransaction) => Promise<T>,
) => Promise<T>;

export function createTransact(stores: MonitorStores, onAlert: MonitorEvents['onAlert']): Transact {
  return async (held, work) => {
    const events: AlertEvent[] = [];
    const result = await stores.transaction(held, (bound) => work({ ...bound, events }));
    for (const event of events) onAlert(event);
    return result;
  };
}
