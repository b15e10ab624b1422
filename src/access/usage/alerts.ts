import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { Logger } from '../../log.ts';
import type { AccessAlert } from '../types.ts';

export type AccessAlerts = ReturnType<typeof createAccessAlerts>;

export interface AlertsOptions {
  readonly log: Logger;
  readonly now: () => number;
}

const REPEAT_AFTER_MS = 24 * 3_600_000;
const BURST_REFUSALS = 20;
const BURST_MS = 60_000;
const MAX_SUBJECTS = 10_000;
const MAX_RECENT = 100;

export function createAccessAlerts({ log, now }: AlertsOptions) {
  const reportedAt = new BoundedMap<number>(MAX_SUBJECTS);
  const refusals = new BoundedMap<{ since: number; count: number }>(MAX_SUBJECTS);
  const listeners: ((alert: AccessAlert) => void)[] = [];
  const recent: (AccessAlert & { readonly at: number })[] = [];

  function raiseAlert(alert: AccessAlert): void {
    const { kind, credential, address, message } = alert;
    const name = [kind, credential ?? address].join(' ');
    const before = reportedAt.get(name);
    if (before !== undefined && now() - before < REPEAT_AFTER_MS) return;
    reportedAt.set(name, now());
    log.warn({ alert: kind, key: credential, user: alert.user, address }, message);
    recent.unshift({ ...alert, at: now() });
    if (recent.length > MAX_RECENT) recent.pop();
    for (const listener of listeners) listener(alert);
  }

  function count(name: string): number {
    const known = refusals.get(name);
    const entry = known && now() - known.since < BURST_MS ? known : { since: now(), count: 0 };
    entry.count++;
    refusals.set(name, entry);
    return entry.count;
  }

  return {
    /** Sends an alert, but only one a day for the same kind and subject. */
    raiseAlert,
    countRefusal({ credential, address }: { readonly credential?: string; readonly address: string }) {
      const words = `${BURST_REFUSALS} refusals within a minute`;
      if (credential !== undefined && count(`key ${credential}`) === BURST_REFUSALS) {
        const message = `${words} of the key ${credential}: it is expired, revoked, or used for what it may not do`;
        raiseAlert({ kind: 'refusals', credential, address, message });
      } else if (count(`address ${address}`) === BURST_REFUSALS) {
        raiseAlert({
          kind: 'refusals',
          address,
          message: `${words} from ${address}: someone may be trying keys`,
        });
      }
    },
    onAlert: (listener: (alert: AccessAlert) => void) => void listeners.push(listener),
    listAlerts: (user: string) => recent.filter((alert) => alert.user === user),
  };
}
