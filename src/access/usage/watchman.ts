import { spanOf } from '../../lib/time/duration.ts';
import type { Logger } from '../../log.ts';
import { networkOf } from '../limits/network.ts';
import type { KeyRecord, RequestClient } from '../types.ts';
import type { Alerts } from './alerts.ts';
import type { UsageStore } from './usage-store.ts';

/** Watches how credentials are used, and raises alerts; it refuses nothing and never throws. */
export interface Watchman {
  /** An active key was used: checks its age, its network, and whether another key has replaced it. */
  noteUse(key: KeyRecord, client: RequestClient): Promise<void>;
  /** A key was used after its end. */
  noteEndedKey(key: KeyRecord, address: string): void;
  /** A valid credential was used from an address. */
  noteAddress(credential: string, user: string, address: string): Promise<void>;
}

export interface WatchmanOptions {
  readonly store: Pick<UsageStore, 'rememberNetwork'>;
  readonly alerts: Pick<Alerts, 'raiseAlert'>;
  readonly log: Logger;
  readonly now: () => number;
}

/** Milliseconds after which a key should be rotated: 90 days, by the contract. */
const OLD_KEY_MS = 90 * 86_400_000;
/** Credentials with their networks that are remembered as known. */
const MAX_KNOWN = 20_000;

export function createWatchman({ store, alerts, log, now }: WatchmanOptions): Watchman {
  const known = new Set<string>();

  async function noteAddress(credential: string, user: string, address: string): Promise<void> {
    const network = networkOf(address, 'site');
    const name = `${network} ${credential}`;
    if (known.has(name)) return;
    if (known.size >= MAX_KNOWN) known.clear();
    // Before the wait: requests that come meanwhile need not ask too.
    known.add(name);
    let fresh: boolean;
    try {
      fresh = await store.rememberNetwork(credential, network, now());
    } catch (err) {
      log.warn({ err }, 'the networks of keys cannot be recorded');
      return;
    }
    if (!fresh) return;
    const message = `${credential} is used from a network that it was not used from before, ${network}`;
    alerts.raiseAlert({ kind: 'new-network', message, credential, user, address });
  }

  function noteReplaced({ id, user, replacedBy }: KeyRecord, address: string, leftMs: number): void {
    if (replacedBy === undefined) return;
    const when = leftMs > 0 ? `after its rotation, and expires in ${spanOf(leftMs)}` : 'after it expired';
    const message = `the key ${id} is still used ${when}: its holder has to change to ${replacedBy}`;
    alerts.raiseAlert({ kind: 'rotated-key', message, credential: id, user, address });
  }

  function noteAge({ id, user, createdAt }: KeyRecord, { address, setHeader }: RequestClient): void {
    const age = now() - createdAt;
    if (age <= OLD_KEY_MS) return;
    const message = `the key ${id} is ${spanOf(age)} old: rotate it with magpie key rotate ${id}`;
    // RFC 9111 no longer lists warnings, and no other header says this: 299 is the free one of RFC 7234.
    setHeader('Warning', `299 - "${message}"`);
    alerts.raiseAlert({ kind: 'old-key', message, credential: id, user, address });
  }

  return {
    noteAddress,
    async noteUse(key, client) {
      const { id, user, expiresAt } = key;
      const at = now();
      noteReplaced(key, client.address, (expiresAt ?? at) - at);
      noteAge(key, client);
      await noteAddress(id, user, client.address);
    },
    noteEndedKey: (key, address) => noteReplaced(key, address, 0),
  };
}
