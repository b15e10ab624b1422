import { formatDuration } from '../../lib/time/duration.ts';
import { networkOf } from '../limits/network.ts';
import type { KeyRecord, RequestClient } from '../types.ts';
import type { AccessAlerts, AlertsOptions } from './alerts.ts';
import type { UsageStore } from './usage-store.ts';

export type CredentialWatcher = ReturnType<typeof createCredentialWatcher>;

export interface CredentialWatcherOptions extends AlertsOptions {
  readonly store: Pick<UsageStore, 'rememberNetwork'>;
  readonly alerts: Pick<AccessAlerts, 'raiseAlert'>;
}

const OLD_KEY_MS = 90 * 86_400_000;
const MAX_KNOWN = 20_000;

export function createCredentialWatcher({ store, alerts, log, now }: CredentialWatcherOptions) {
  const known = new Set<string>();

  async function noteAddress(credential: string, user: string, address: string): Promise<void> {
    const network = networkOf(address, 'site');
    const name = `${network} ${credential}`;
    if (known.has(name)) return;
    if (known.size >= MAX_KNOWN) known.clear();
    // Adds `name` before the query, so that concurrent requests do not repeat the query.
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
    const when =
      leftMs > 0 ? `after its rotation, and expires in ${formatDuration(leftMs)}` : 'after it expired';
    const message = `the key ${id} is still used ${when}: its holder has to change to ${replacedBy}`;
    alerts.raiseAlert({ kind: 'rotated-key', message, credential: id, user, address });
  }

  function noteAge({ id, user, createdAt }: KeyRecord, { address, setHeader }: RequestClient): void {
    const age = now() - createdAt;
    if (age <= OLD_KEY_MS) return;
    const message = `the key ${id} is ${formatDuration(age)} old: rotate it with magpie key rotate ${id}`;
    // RFC 7234 defines `Warning` with code 299 for any text. RFC 9111 dropped the header, but no other fits.
    setHeader('Warning', `299 - "${message}"`);
    alerts.raiseAlert({ kind: 'old-key', message, credential: id, user, address });
  }

  return {
    noteAddress,
    async noteUse(key: KeyRecord, client: RequestClient): Promise<void> {
      const { id, user, expiresAt } = key;
      const at = now();
      noteReplaced(key, client.address, (expiresAt ?? at) - at);
      noteAge(key, client);
      await noteAddress(id, user, client.address);
    },
    noteEndedKey: (key: KeyRecord, address: string) => noteReplaced(key, address, 0),
  };
}
