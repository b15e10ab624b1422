import type { Logger } from '../log.ts';

export const ALERTS = ['refusals', 'new-network', 'rotated-key', 'old-key'] as const;
export type AlertKind = (typeof ALERTS)[number];

/** What somebody should look at. */
export interface Alert {
  readonly kind: AlertKind;
  /** In plain words, with what to do. */
  readonly message: string;
  /** Id of the key, or the user of the access token. */
  readonly credential?: string;
  readonly user?: string;
  readonly address?: string;
}

export interface Alerts {
  /** Told at most once in a while for the same kind and subject. */
  raise(alert: Alert): void;
  /** Counts a refusal; a burst of them is an alert. */
  refused(subject: { readonly credential?: string; readonly address: string }): void;
  /** Called with every alert that is told. */
  onAlert(listener: (alert: Alert) => void): void;
}

export interface AlertsOptions {
  readonly log: Logger;
  readonly now: () => number;
}

/** Milliseconds in which the same alert is told once. */
const QUIET = 24 * 3_600_000;
/** Refusals in so many milliseconds that are a burst. */
const BURST = 20;
const WINDOW = 60_000;
/** Subjects remembered at once of each sort. */
const MOST = 10_000;

export function createAlerts({ log, now }: AlertsOptions): Alerts {
  const told = new Map<string, number>();
  const refusals = new Map<string, { since: number; count: number }>();
  const listeners: ((alert: Alert) => void)[] = [];

  function raise(alert: Alert): void {
    const { kind, credential, address, message } = alert;
    const name = [kind, credential ?? address].join(' ');
    const before = told.get(name);
    if (before !== undefined && now() - before < QUIET) return;
    remember(told, name, now());
    log.warn({ alert: kind, key: credential, user: alert.user, address }, message);
    for (const listener of listeners) listener(alert);
  }

  function count(name: string): number {
    const known = refusals.get(name);
    const entry = known && now() - known.since < WINDOW ? known : { since: now(), count: 0 };
    entry.count++;
    remember(refusals, name, entry);
    return entry.count;
  }

  return {
    raise,
    refused({ credential, address }) {
      const words = `${BURST} refusals within a minute`;
      if (credential !== undefined && count(`key ${credential}`) === BURST) {
        const message = `${words} of the key ${credential}: it is used for what it may not do, or is over`;
        raise({ kind: 'refusals', credential, address, message });
      } else if (count(`address ${address}`) === BURST) {
        raise({
          kind: 'refusals',
          address,
          message: `${words} from ${address}: somebody may be trying keys`,
        });
      }
    },
    onAlert: (listener) => void listeners.push(listener),
  };
}

/** Sets a member as the newest, and drops the oldest beyond the bound. */
function remember<V>(map: Map<string, V>, name: string, value: V): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}
