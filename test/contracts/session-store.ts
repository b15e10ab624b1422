import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionStore } from '../../src/access/session-store.ts';

export interface SessionStoreOpener {
  readonly open: () => Promise<SessionStore>;
  remove(): Promise<void>;
}

const INITIALIZE = '{"method":"initialize"}';
const session = (id: string, owner = 'ada') => ({ id, owner, initialize: INITIALIZE });

/** What every driver of SessionStore keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describeSessionStore(name: string, makeEmpty: () => Promise<SessionStoreOpener>): void {
  describe(`${name} as SessionStore`, () => {
    let empty: SessionStoreOpener;
    let first: SessionStore;
    let second: SessionStore;
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

    test('of an owner with too many, the one idle longest goes; of the idle, all', async () => {
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

    test('subscriptions are bounded, and end with their session', async () => {
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

    test('mail is taken once, by the node that it is for, in its order', async () => {
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

    test('mail to all others reaches the nodes that are there, and each hears of it', async () => {
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
  });
}
