import { spanOf } from '../lib/duration.ts';
import type { Logger } from '../log.ts';
import type { Alerts } from './alerts.ts';
import type { KeyRecord } from './key-store.ts';
import { networkOf } from './network.ts';
import type { UsageStore } from './usage-store.ts';

/** Looks at how credentials are used, and raises alerts; never refuses anything. */
export interface Watchman {
  /** A key that is good: its age, its network, whether another has taken its place. */
  used(key: KeyRecord, address: string, tell: (name: string, value: string) => void): void;
  /** A key that was shown after its end. */
  over(key: KeyRecord, address: string): void;
  /** A credential, good, from an address. */
  seen(credential: string, user: string, address: string): void;
}

export interface WatchmanOptions {
  readonly store: Pick<UsageStore, 'newNetwork'>;
  readonly alerts: Alerts;
  readonly log: Logger;
  readonly now: () => number;
}

/** Milliseconds after which a key should be rotated: 90 days, by the contract. */
const OLD = 90 * 86_400_000;
/** Credentials with their networks that are remembered as known. */
const KNOWN = 20_000;

export function createWatchman({ store, alerts, log, now }: WatchmanOptions): Watchman {
  const known = new Set<string>();

  function seen(credential: string, user: string, address: string): void {
    const network = networkOf(address, 'site');
    const name = `${network} ${credential}`;
    if (known.has(name)) return;
    if (known.size >= KNOWN) known.clear();
    known.add(name);
    let fresh: boolean;
    try {
      fresh = store.newNetwork(credential, network, now());
    } catch (err) {
      log.warn({ err }, 'networks of keys cannot be remembered');
      return;
    }
    if (!fresh) return;
    const message = `${credential} is used from a network that it was not used from before, ${network}`;
    alerts.raise({ kind: 'new-network', message, credential, user, address });
  }

  function replaced({ id, user, replacedBy }: KeyRecord, address: string, left: number): void {
    if (replacedBy === undefined) return;
    const when = left > 0 ? `after its rotation, and ends in ${spanOf(left)}` : 'after its end';
    const message = `the key ${id} is still used ${when}: whoever holds it has to change to ${replacedBy}`;
    alerts.raise({ kind: 'rotated-key', message, credential: id, user, address });
  }

  return {
    seen,
    used(key, address, tell) {
      const { id, user, createdAt, expiresAt } = key;
      seen(id, user, address);
      const at = now();
      replaced(key, address, (expiresAt ?? at) - at);
      const age = at - createdAt;
      if (age <= OLD) return;
      const message = `the key ${id} is ${spanOf(age)} old: rotate it with magpie key rotate ${id}`;
      // RFC 9111 keeps no list of warnings any more, and nothing else says this: 299 is RFC 7234's free one.
      tell('Warning', `299 - "${message}"`);
      alerts.raise({ kind: 'old-key', message, credential: id, user, address });
    },
    over: (key, address) => replaced(key, address, 0),
  };
}
