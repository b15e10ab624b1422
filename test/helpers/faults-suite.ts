import { expect, vi } from 'vitest';
import type { Fleet } from './fleet.ts';
import { entriesAt, entriesInDatabase, NO_WRONG_WRITES, wrongWrites } from './kept-writes.ts';
import type { CallRecord, Load } from './load-clients.ts';

/** What each test of nodes under load does around its failure. */

/** A machine that does much else takes long for a round. */
export const PATIENCE = { timeout: 180_000, interval: 200 };

/** Until each client has done all that it does without a failure, from now on. */
export async function haveRounds(load: Load): Promise<void> {
  const now = performance.now();
  await vi.waitFor(() => {
    const behind = load.lagging(now);
    if (behind.length === 0) return;
    const failed = load.calls.filter(({ outcome, at }) => outcome !== 'ok' && at > now).slice(-3);
    throw new Error(`${behind} do not go on without failures: ${JSON.stringify(failed)}`);
  }, PATIENCE);
}

/** What the clients met from the beginning of a failure until all go on without one; no hand is needed in between. */
export async function callsDuring(load: Load, failing: () => Promise<void>): Promise<CallRecord[]> {
  const from = load.calls.length;
  await failing();
  await haveRounds(load);
  return load.calls.slice(from);
}

/** What ended neither well nor as it may. */
export function others(
  calls: readonly CallRecord[],
  may: (call: CallRecord) => boolean = () => false,
): CallRecord[] {
  return calls.filter((call) => call.outcome !== 'ok' && !may(call));
}

export const isUnavailable = ({ outcome }: CallRecord): boolean => outcome === 'unavailable';

/** What was answered is in the database and shown by every node, once. */
export async function expectNothingLost({ nodes, users }: Fleet, load: Load, database: string) {
  const reads = [
    () => entriesInDatabase(database),
    ...nodes.map(
      ({ url }) =>
        () =>
          entriesAt(url, users),
    ),
  ];
  for (const read of reads) expect(await wrongWrites(load, read)).toEqual(NO_WRONG_WRITES);
}

/** Each notification once, or again under the same name; and of one problem one alert at a time. */
export function expectAlertsOnce({ receiver }: Fleet): void {
  const names = new Map<string, unknown>();
  const open = new Map<string, number>();
  for (const { headers, notification } of receiver.got) {
    const { event, infrastructure_id: watched, alert } = notification;
    const sent = `${event} ${alert.id}`;
    const name = headers['webhook-id'];
    expect(name).toBeTypeOf('string');
    const isRepeated = names.has(sent);
    if (isRepeated) expect([sent, name]).toEqual([sent, names.get(sent)]);
    names.set(sent, name);
    if (isRepeated) continue;
    const problem = `${watched} ${alert.finding.fingerprint}`;
    const before = open.get(problem);
    expect([sent, problem, before]).toEqual([sent, problem, event === 'alert.raised' ? undefined : alert.id]);
    if (event === 'alert.raised') open.set(problem, alert.id);
    else open.delete(problem);
  }
}

/** Until each site that is watched has had so many of these alerts. The clients rest meanwhile. */
export async function haveAlerts(
  { receiver, watched }: Fleet,
  load: Load,
  event: string,
  count: number,
): Promise<void> {
  const countOf = (id: string) =>
    new Set(
      receiver.got
        .filter(({ notification: one }) => one.event === event && one.infrastructure_id === id)
        .map(({ notification }) => notification.alert.id),
    ).size;
  const expectAll = () =>
    expect(watched.map((id) => [id, countOf(id)])).toEqual(watched.map((id) => [id, count]));
  await load.duringRest(() => vi.waitFor(expectAll, PATIENCE));
}
