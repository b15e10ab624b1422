import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { McpSessionStore } from '../../src/access/session-store.ts';

export interface SessionStoreOpener {
  readonly open: () => Promise<McpSessionStore>;
  remove(): Promise<void>;
}

const INITIALIZE = '{"method":"initialize"}';
const session = (id: string, owner = 'ada') => ({ id, owner, initialize: INITIALIZE });

/** What every driver of McpSessionStore keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describeSessionStore(name: string, makeEmpty: () => Promise<SessionStoreOpener>): void {
  describe(`${name} as McpSessionStore`, () => {
    let empty: SessionStoreOpener;
    let first: McpSessionStore;
    let second: McpSessionStore;
    beforeEach(async () => {
      empty = await makeEmpty();
      first = await empty.open();
      second = await empty.open();
    });
    afterEach(() => empty.remove());

    test('a session is found by its owner alone, with the credential that began it', async () => {
      await first.insertSession({ ...session('a'), credential: 'key', expiresAt: 9 }, 1, 10);
      await first.insertSession(session('b'), 1, 10);
      expect(await second.useSession('a', 'ada', 2)).toEqual({
        ...session('a'),
        credential: 'key',
        expiresAt: 9,
      });
      expect(await second.useSession('b', 'ada', 2)).toMatchObject(session('b'));
      expect(await second.useSession('a', 'eve', 2)).toBeUndefined();
      await second.deleteSession('a', 'eve');
      expect(await first.listSessions(['a', 'c'])).toEqual(['a']);
      await second.deleteSession('a', 'ada');
      expect(await first.useSession('a', 'ada', 2)).toBeUndefined();
    });

    test('the longest idle session of an owner beyond the limit is removed; a cleanup removes all idle sessions', async () => {
      await first.insertSession(session('eve', 'eve'), 0, 2);
      await first.insertSession(session('a'), 1, 2);
      await first.insertSession(session('b'), 2, 2);
      expect(await first.useSession('a', 'ada', 100_000)).toBeDefined();
      await second.insertSession(session('c'), 100_001, 2);
      expect((await first.listSessions(['a', 'b', 'c', 'eve'])).sort()).toEqual(['a', 'c', 'eve']);
      expect(await second.listSessions(['eve', 'b'], 200_000)).toEqual(['eve']);
      await first.deleteIdle(100_001);
      expect((await first.listSessions(['a', 'c', 'eve'])).sort()).toEqual(['c', 'eve']);
    });

    test('subscriptions are limited, and end with their session', async () => {
      await first.insertSession(session('a'), 1, 10);
      expect(await first.subscribe('a', 'kb://1', 2)).toBe(true);
      expect(await second.subscribe('a', 'kb://1', 2)).toBe(true);
      expect(await second.subscribe('a', 'kb://2', 2)).toBe(true);
      expect(await second.subscribe('a', 'kb://3', 2)).toBe(false);
      expect(await first.listSubscriptions('a')).toEqual(['kb://1', 'kb://2']);
      await second.unsubscribe('a', 'kb://1');
      expect(await first.listSubscriptions('a')).toEqual(['kb://2']);
      await first.deleteSession('a', 'ada');
      expect(await second.listSubscriptions('a')).toEqual([]);
      expect(await second.subscribe('a', 'kb://1', 2)).toBe(false);
    });

    test('mail is taken once, in order, by the node that it is addressed to', async () => {
      await first.insertSession(session('a'), 1, 10);
      const mail = (message: string, of = 'a') => ({ session: of, message });
      expect(await second.sendMail(mail('1'), 'node1', 2)).toBe(true);
      expect(await second.sendMail(mail('2'), 'node2', 2)).toBe(true);
      expect(await second.sendMail(mail('3'), 'node1', 2)).toBe(true);
      expect(await second.sendMail(mail('4'), 'node1', 2)).toBe(false);
      expect(await second.sendMail(mail('5', 'b'), 'node1', 2)).toBe(false);
      expect(await first.takeMail('node1')).toEqual([mail('1'), mail('3')]);
      expect(await first.takeMail('node1')).toEqual([]);
      await first.deleteSession('a', 'ada');
      expect(await first.takeMail('node2')).toEqual([]);
    });

    test('mail to all other nodes reaches the live nodes, and notifies each', async () => {
      await first.insertSession(session('a'), 1, 10);
      expect(await second.isThere('node1')).toBe(false);
      for (const node of ['node1', 'node2', 'node3']) await first.checkIn(node);
      expect(await second.isThere('node1')).toBe(true);
      const heard = Promise.withResolvers<void>();
      const stop = await first.onMail('node2', heard.resolve);
      const mail = { session: 'a', message: 'all' };
      await second.sendToOthers(mail, 'node1', 2);
      await heard.promise;
      stop();
      expect(await first.takeMail('node1')).toEqual([]);
      expect(await first.takeMail('node2')).toEqual([mail]);
      expect(await second.takeMail('node3')).toEqual([mail]);
    });

    test('events of a stream are read once, in order, by their owner, and notify their session', async () => {
      await first.insertSession(session('a'), 1, 10);
      await first.insertSession(session('b', 'eve'), 1, 10);
      const place = { session: 'a', owner: 'ada', stream: 's' };
      const event = (number: number, ends = false) => ({
        number,
        message: JSON.stringify(`m${number} \u0000`),
        ends,
      });
      const heard = Promise.withResolvers<void>();
      const stop = await second.onEvents('a', heard.resolve);
      const bounds = { count: 10, bytes: 1000 };
      const [one, two] = [event(1), event(2)].map((own) => ({ ...place, ...own }));
      if (!one || !two) throw new Error('two events');
      await first.writeEvents(
        [one, { ...two, session: 'b', owner: 'eve' }, { ...two, session: 'gone' }],
        bounds,
      );
      await heard.promise;
      stop();
      await second.writeEvents([one, two, { ...place, ...event(3, true) }], bounds);
      expect(await second.listEvents(place, 0, 10)).toEqual([event(1), event(2), event(3, true)]);
      expect(await second.listEvents(place, 1, 1)).toEqual([event(2)]);
      expect(await second.listEvents({ ...place, owner: 'eve' }, 0, 10)).toEqual([]);
      // A session of another owner takes none.
      await first.writeEvents([{ ...one, owner: 'eve', stream: 't' }], bounds);
      expect(await second.listEvents({ ...place, owner: 'eve', stream: 't' }, 0, 10)).toEqual([]);
      await first.deleteSession('a', 'ada');
      expect(await second.listEvents(place, 0, 10)).toEqual([]);
      expect(await second.listEvents({ session: 'b', owner: 'eve', stream: 's' }, 0, 10)).toEqual([event(2)]);
      await first.deleteEvents(600_000);
      expect(await second.listEvents({ session: 'b', owner: 'eve', stream: 's' }, 0, 10)).toHaveLength(1);
      await first.deleteEvents(-600_000);
      expect(await second.listEvents({ session: 'b', owner: 'eve', stream: 's' }, 0, 10)).toEqual([]);
    });

    test('events of a session are limited by count and bytes: the oldest are removed, the newest stays', async () => {
      await first.insertSession(session('a'), 1, 10);
      const place = { session: 'a', owner: 'ada', stream: 's' };
      const numbers = async () => (await second.listEvents(place, 0, 100)).map(({ number }) => number);
      const write = (from: number, to: number, length: number, bounds: { count: number; bytes: number }) =>
        first.writeEvents(
          Array.from({ length: to - from + 1 }, (_, at) => ({
            ...{ ...place, number: from + at, message: 'x'.repeat(length), ends: false },
          })),
          bounds,
        );
      await write(1, 8, 10, { count: 5, bytes: 1000 });
      expect(await numbers()).toEqual([4, 5, 6, 7, 8]);
      await write(9, 9, 10, { count: 5, bytes: 35 });
      expect(await numbers()).toEqual([7, 8, 9]);
      await write(10, 10, 5000, { count: 5, bytes: 35 });
      expect(await numbers()).toEqual([10]);
    });

    test('a node that has ended is no longer listed', async () => {
      await first.checkIn('node1');
      expect(await second.isThere('node1', 5000)).toBe(true);
      expect(await second.isThere('node1', -1)).toBe(false);
      await first.checkOut('node1');
      expect(await second.isThere('node1')).toBe(false);
    });
  });
}
