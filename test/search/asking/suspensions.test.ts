import { expect, test } from 'vitest';
import { createLog } from '../../../src/log.ts';
import {
  createMemorySuspensionStore,
  type SuspensionStore,
} from '../../../src/search/asking/suspension-store.ts';
import { createSuspensions } from '../../../src/search/asking/suspensions.ts';
import { createSuspensionStore } from '../../../src/search/stores/suspensions.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

const log = createLog('silent');

/** Suspensions at a clock that the test sets. */
function at(start = 1_000_000, store: SuspensionStore = createMemorySuspensionStore()) {
  const clock = { now: start };
  return { clock, store, suspensions: createSuspensions({ store, log, now: () => clock.now }) };
}

test('pauses grow with each consecutive refusal, up to an hour, and end with an answer', async () => {
  const { clock, suspensions } = at();
  const pauses: number[] = [];
  for (let i = 0; i < 10; i++) {
    const { until = 0 } = suspensions.suspend('a', 'refused', 'too often') ?? {};
    pauses.push((until - clock.now) / 1000);
    clock.now = until - 1;
    expect((await suspensions.listCurrent()).get('a')).toMatchObject({ reason: 'too often', until });
    clock.now = until;
    expect(await suspensions.listCurrent()).toEqual(new Map());
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  suspensions.recordAnswer('a');
  expect(suspensions.suspend('a', 'refused', 'too often')?.until).toBe(clock.now + 30_000);
  expect((await suspensions.listCurrent()).has('b')).toBe(false);
});

test('the next pause a day after a pause has the length of a first one', () => {
  const { clock, suspensions } = at();
  clock.now = suspensions.suspend('a', 'refused', 'x')?.until ?? 0;
  clock.now += 24 * 3_600_000;
  expect(suspensions.suspend('a', 'refused', 'x')?.until).toBe(clock.now + 30_000);
});

test('refusals of concurrent calls count once, and their late answers do not undo a pause', async () => {
  const { clock, suspensions } = at();
  for (let i = 0; i < 20; i++) suspensions.suspend('a', 'refused', 'captcha');
  suspensions.recordAnswer('a');
  expect((await suspensions.listCurrent()).get('a')?.until).toBe(clock.now + 30_000);
});

test('the wait that an engine asks for is kept, up to an hour', () => {
  const { clock, suspensions } = at();
  const wait = (engine: string, ms: number) =>
    (suspensions.suspend(engine, 'refused', 'x', ms)?.until ?? 0) - clock.now;
  expect(wait('a', 90_000)).toBe(90_000);
  expect(wait('a', 10_000)).toBe(90_000);
  expect(wait('b', 1e12)).toBe(3_600_000);
  expect(wait('c', Number.NaN)).toBe(30_000);
});

test('the third consecutive unreadable answer suspends an engine, for a shorter time', () => {
  const { clock, suspensions } = at();
  const fault = () => suspensions.suspend('a', 'changed', 'markup');
  expect([fault(), fault()]).toEqual([undefined, undefined]);
  suspensions.recordAnswer('a');
  expect([fault(), fault()]).toEqual([undefined, undefined]);
  const pauses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const until = fault()?.until ?? 0;
    pauses.push((until - clock.now) / 1000);
    clock.now = until;
  }
  expect(pauses).toEqual([15, 30, 60, 120, 240, 300, 300]);
});

test('suspensions and the growth of their pauses survive the process and are visible to other processes', async () => {
  const folder = temporaryFolder();
  const first = await openTestDatabase({ folder: folder.path });
  const { clock, suspensions } = at(1_800_000_000_000, createSuspensionStore(first));
  suspensions.suspend('a', 'refused', 'captcha');
  const other = await openTestDatabase({ folder: folder.path });
  await suspensions.settled();
  const beside = at(clock.now, createSuspensionStore(other)).suspensions;
  expect((await beside.listCurrent()).get('a')).toMatchObject({
    reason: 'captcha',
    until: clock.now + 30_000,
  });
  other.close();
  first.close();

  const again = await openTestDatabase({ folder: folder.path });
  const later = at(clock.now + 1000, createSuspensionStore(again));
  expect((await later.suspensions.listCurrent()).get('a')?.until).toBe(clock.now + 30_000);
  later.clock.now = clock.now + 30_000;
  expect((await later.suspensions.listCurrent()).size).toBe(0);
  expect(later.suspensions.suspend('a', 'refused', 'captcha')?.until).toBe(later.clock.now + 60_000);
  later.clock.now += 60_000;
  later.suspensions.recordAnswer('a');
  await later.suspensions.settled();
  expect(await createSuspensionStore(again).listSuspensions()).toEqual([]);
  again.close();
  folder.remove();
});

test('a failing store does not stop a search, and the suspensions known to this process apply', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const { suspensions } = at(1_000_000, createSuspensionStore(db));
  db.close();
  expect((await suspensions.listCurrent()).size).toBe(0);
  suspensions.suspend('a', 'refused', 'captcha');
  await suspensions.settled();
  expect((await suspensions.listCurrent()).get('a')).toMatchObject({ reason: 'captcha' });
  folder.remove();
});

test('a slow read of the store does not undo a suspension added meanwhile', async () => {
  const kept = createMemorySuspensionStore();
  const reading = Promise.withResolvers<void>();
  const store: SuspensionStore = {
    ...kept,
    async listSuspensions() {
      const rows = await kept.listSuspensions();
      await reading.promise;
      return rows;
    },
  };
  const { suspensions } = at(1_000_000, store);
  const before = suspensions.listCurrent();
  suspensions.suspend('a', 'refused', 'captcha');
  reading.resolve();
  expect((await before).has('a')).toBe(true);
  await suspensions.settled();
  expect((await suspensions.listCurrent()).has('a')).toBe(true);
});
