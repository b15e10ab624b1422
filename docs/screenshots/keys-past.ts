import { randomBytes } from 'node:crypto';
import { createKeyStore } from '../../src/access/stores/keys.ts';
import { createUsageStore } from '../../src/access/stores/usage.ts';
import { ACCESS_SCOPES, type AccessScope } from '../../src/caller.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { runMagpie } from '../../test/helpers/magpie.ts';

/** Keys of the pictures: two that work, and some that have a past. */

const DAY_MS = 86_400_000;

/** The key of the owner, and of a user who keeps nothing yet. */
export async function makeKeys(
  env: Record<string, string>,
  owner: string,
): Promise<Readonly<Record<'ada' | 'newcomer', string>>> {
  const make = async (user: string, name: string) => {
    const words = ['key', 'create', '--scope', ACCESS_SCOPES.join(','), '--user', user, '--name', name];
    const { code, stdout, stderr } = await runMagpie([...words, '--expires', '90d'], env);
    const [key] = /magpie_[0-9A-Za-z]{38}/.exec(stdout) ?? [];
    if (code !== 0 || key === undefined) throw new Error(`no key is made: ${stderr}`);
    return key;
  };
  return { newcomer: await make('ben', 'First key'), ada: await make(owner, 'This browser') };
}

interface PastKey {
  readonly name: string;
  readonly scopes: readonly AccessScope[];
  /** Days ago. */
  readonly made: number;
  readonly revoked?: number;
  /** Calls on a busy day. */
  readonly busy: number;
  readonly operations: readonly string[];
}

const PAST: readonly PastKey[] = [
  {
    ...{ name: 'Old telephone', scopes: ['read'], made: 140, revoked: 12, busy: 4 },
    operations: ['query'],
  },
  {
    ...{ name: 'Nightly import', scopes: ['write'], made: 104, busy: 3 },
    operations: ['upsertjson'],
  },
  {
    ...{ name: 'Claude on the laptop', scopes: ['read', 'write'], made: 41, busy: 46 },
    operations: ['search', 'browse', 'query', 'search', 'upsert'],
  },
  {
    ...{ name: 'Cursor on the desk', scopes: ['read', 'write', 'scan'], made: 33, busy: 31 },
    operations: ['search', 'browse', 'scan', 'search', 'query'],
  },
];

/** Keys that were made and used before `now`. */
export async function writeUse(data: string, user: string, now: number): Promise<void> {
  const db = await openDatabase({ folder: data });
  const [keys, usage] = [createKeyStore(db), createUsageStore(db)];
  for (const [at, { name, scopes, made, revoked, busy, operations }] of PAST.entries()) {
    const id = `k${'bdfhkmpqr'.slice(at)}${'2345'.slice(0, at)}`;
    const record = {
      id,
      user,
      name,
      scopes,
      createdAt: now - made * DAY_MS,
      prefix: `magpie_${id.slice(1, 5)}`,
    };
    const none = { expiresAt: undefined, revokedAt: undefined, replacedBy: undefined, usedAt: undefined };
    await keys.insertKey({ ...record, ...none }, randomBytes(32));
    for (let day = Math.min(29, made); day >= (revoked ?? 0); day--) {
      const noon = now - day * DAY_MS - 1_800_000;
      // Weekends are quiet, and no day is like another.
      const isQuiet = [0, 6].includes(new Date(noon).getUTCDay());
      const calls = Math.round(busy * (isQuiet ? 0.25 : 0.6 + 0.4 * Math.sin(day * 1.7 + at)));
      const entries = Array.from({ length: calls }, (_, call) => ({
        ...{ at: noon + call * 1000, credential: id, user, ms: 240, address: '127.0.0.1' },
        operation: operations[call % operations.length] ?? '',
        outcome: call % 37 === 36 ? 'timeout' : 'ok',
      }));
      if (entries.length > 0) await usage.recordCalls(entries, Math.floor(noon / DAY_MS), []);
    }
    if (revoked !== undefined) await keys.revokeKey(id, now - revoked * DAY_MS);
  }
  db.close();
}
