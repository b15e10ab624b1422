import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MonitorStores, OWN_WEBHOOK_CHANNEL } from '../../src/monitor/store.ts';
import type { AlertNotification, MonitorFinding } from '../../src/monitor/types.ts';
import { type MonitorStoresPlace, OPTIONS } from './monitor-store.ts';

const LEASE = 1e15;
const ALL = ['webhook', 'slack', 'mail', OWN_WEBHOOK_CHANNEL];

function notification(
  event: 'raised' | 'cleared',
  alert: number,
  fingerprint = `f${alert}`,
): AlertNotification {
  return {
    event: `alert.${event}`,
    infrastructure_id: 'shop',
    alert: {
      id: alert,
      flapping: false,
      raised_at: '2026-11-21T12:00:00.000Z',
      finding: { id: 'reachability/down', target: 't', title: 'It is down', fingerprint } as MonitorFinding,
    },
  };
}

/** When nothing waits for later. */
const LATE = 8.64e15;

const said = (taken: readonly { readonly channel: string; readonly notification: AlertNotification }[]) =>
  taken.map(({ channel, notification: { event, alert } }) => `${channel} ${event.slice(6)} ${alert.id}`);

/** What every driver of NotificationStore does: order within a problem, and no place held up by others. */
export function describeMessageStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as NotificationStore`, () => {
    let place: MonitorStoresPlace;
    let stores: MonitorStores;
    let other: MonitorStores;
    beforeEach(async () => {
      place = await makeEmpty();
      [stores, other] = [await place.open('here 1 x'), await place.open('elsewhere 2 y')];
    });
    afterEach(() => place.remove());

    const monitor = async (id = 'shop', owner = 'ada', webhook?: string) =>
      (await stores.monitors.putMonitor(owner, id, { ...OPTIONS, webhook }, 0)).key;
    const take = (now: number, channels = ALL) => stores.messages.takeMessages(99, channels, now, LEASE);

    test('after the clock was set back, a waiting message waits from then on for its original delay', async () => {
      const [now, ahead] = [1_000_000, 8_000_000];
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), ahead);
      await stores.messages.insertMessage(key, 'slack', notification('raised', 2), ahead);
      await stores.messages.insertMessage(key, 'mail', notification('raised', 3), now - 9);
      const [tried] = await take(ahead, ['webhook']);
      await stores.messages.markFailed(tried?.id ?? 0, 'no', ahead, ahead + 60_000);
      const [waiting] = await take(now, ['mail']);
      await stores.messages.markFailed(waiting?.id ?? 0, 'no', now - 5, now + 500_000);
      await stores.messages.bringForward(now);
      await stores.messages.bringForward(now + 2000);
      expect(said(await take(now + 2000))).toEqual(['slack raised 2']);
      expect(await stores.messages.nextMessageAt(ALL)).toBe(now + 60_000);
      expect(said(await take(now + 500_000)).sort()).toEqual(['mail raised 3', 'webhook raised 1']);
    });

    test('after a delivery, waiting messages for the same destination may be sent, and those for others wait', async () => {
      const [shop, bank] = [
        await monitor('shop', 'ada', 'https://a'),
        await monitor('bank', 'ada', 'https://b'),
      ];
      for (const [at, key, channel] of [
        [1, shop, 'webhook'],
        [2, bank, 'webhook'],
        [3, shop, 'mail'],
        [4, shop, OWN_WEBHOOK_CHANNEL],
        [5, bank, OWN_WEBHOOK_CHANNEL],
        [6, shop, OWN_WEBHOOK_CHANNEL],
      ] as const) {
        await stores.messages.insertMessage(key, channel, notification('raised', at), 1);
      }
      const fail = async (channel: string) => {
        for (let some = await take(1, [channel]); some.length > 0; some = await take(1, [channel])) {
          for (const { id } of some) await stores.messages.markFailed(id, 'no', 1, 1000 + id);
        }
      };
      for (const channel of ['webhook', 'mail', OWN_WEBHOOK_CHANNEL]) await fail(channel);
      const [first] = await take(1001, ['webhook']);
      await stores.messages.markSent(first?.id ?? 0, 1001);
      expect(said(await take(1001))).toEqual(['webhook raised 2']);
      const [own] = await take(1004, [OWN_WEBHOOK_CHANNEL]);
      await stores.messages.markSent(own?.id ?? 0, 1004);
      expect(said(await take(1004, [OWN_WEBHOOK_CHANNEL]))).toEqual(['own raised 6']);
    });

    test('notifications of one problem at a channel are sent in order; other problems and channels do not wait', async () => {
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), 1);
      await stores.messages.insertMessage(key, 'slack', notification('raised', 1), 1);
      await stores.messages.insertMessage(key, 'webhook', notification('cleared', 1), 2);
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 2), 3);
      const first = await take(10);
      expect(said(first).sort()).toEqual(['slack raised 1', 'webhook raised 1', 'webhook raised 2']);
      // While it is leased, and while it waits for its next attempt, nothing of that problem goes, and nothing is due.
      expect(await take(10)).toEqual([]);
      expect(await stores.messages.nextMessageAt(ALL)).toBeUndefined();
      const raised = first.find(
        ({ channel, notification: { alert } }) => channel === 'webhook' && alert.id === 1,
      );
      await stores.messages.markFailed(raised?.id ?? 0, 'no', 10, 500);
      expect(await take(499)).toEqual([]);
      expect(await stores.messages.nextMessageAt(ALL)).toBe(500);
      const [again] = await take(500);
      expect(again).toMatchObject({ id: raised?.id, attempts: 1, name: raised?.name });
      await stores.messages.markSent(again?.id ?? 0, LATE);
      expect(said(await take(501))).toEqual(['webhook cleared 1']);
    });

    test('an alert that is raised again waits for the end of the previous one, and a dead message blocks nothing', async () => {
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('cleared', 1, 'same'), 1);
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 2, 'same'), 2);
      const [first] = await take(10);
      expect(said([first].flatMap((one) => one ?? []))).toEqual(['webhook cleared 1']);
      await stores.messages.markFailed(first?.id ?? 0, 'it is gone', 10, undefined);
      expect(said(await take(10))).toEqual(['webhook raised 2']);
      expect(await stores.messages.countDeliveries(key)).toEqual({ waiting: 1, sent: 0, dead: 1 });
    });

    test('a destination that hangs has at most two messages in delivery, and blocks no other destination', async () => {
      const one = await monitor('one', 'ada', 'https://a.example/');
      const two = await monitor('two', 'ada', 'https://b.example/');
      const bob = await monitor('one', 'bob', 'https://c.example/');
      await stores.transaction([{ owner: 'ada' }], async ({ messages }) => {
        for (let alert = 1; alert <= 500; alert++) {
          await messages.insertMessage(
            alert % 2 ? one : two,
            OWN_WEBHOOK_CHANNEL,
            notification('raised', alert),
            alert,
          );
        }
      });
      await stores.messages.insertMessage(one, 'mail', notification('raised', 1), 1000);
      await stores.messages.insertMessage(bob, OWN_WEBHOOK_CHANNEL, notification('raised', 900), 1001);
      const taken = await take(2000);
      expect(taken.map(({ owner, channel }) => `${owner} ${channel}`).sort()).toEqual([
        'ada mail',
        'ada own',
        'ada own',
        'bob own',
      ]);
      // 498 are due, and none of them can go: the next time is not now.
      expect([await take(2000), await stores.messages.nextMessageAt(ALL)]).toEqual([[], undefined]);
      const own = taken.find(({ owner, channel }) => owner === 'ada' && channel === OWN_WEBHOOK_CHANNEL);
      await stores.messages.markSent(own?.id ?? 0, LATE);
      expect(await stores.messages.nextMessageAt(ALL)).toBe(3);
      expect(said(await take(2000))).toEqual(['own raised 3']);
    });

    test('undelivered messages are listed with their error, and are sent again in order unless the end of the alert was sent', async () => {
      const key = await monitor();
      const fail = async (now: number) => {
        for (const { id, notification: of } of await take(now))
          await stores.messages.markFailed(id, `no ${of.alert.id}`, now, undefined);
      };
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), 1);
      await fail(5);
      await stores.messages.insertMessage(key, 'webhook', notification('cleared', 1), 6);
      for (const { id } of await take(7)) await stores.messages.markSent(id, LATE);
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 2), 8);
      await fail(9);
      await stores.messages.insertMessage(key, 'webhook', notification('cleared', 2), 10);
      await fail(11);
      expect(await stores.messages.listDead(key, 9)).toMatchObject([
        {
          channel: 'webhook',
          notification: { event: 'alert.cleared' },
          attempts: 1,
          triedAt: 11,
          trouble: 'no 2',
        },
        {
          channel: 'webhook',
          notification: { event: 'alert.raised' },
          attempts: 1,
          triedAt: 9,
          trouble: 'no 2',
        },
        {
          channel: 'webhook',
          notification: { event: 'alert.raised' },
          attempts: 1,
          triedAt: 5,
          trouble: 'no 1',
        },
      ]);
      expect(await stores.messages.resendDead(key, 20)).toEqual({ again: 2, outdated: 1 });
      const [raised] = await take(20);
      expect(raised).toMatchObject({
        attempts: 0,
        madeAt: 20,
        notification: { event: 'alert.raised', alert: { id: 2 } },
      });
      expect(await take(20)).toEqual([]);
      await stores.messages.markSent(raised?.id ?? 0, LATE);
      expect(said(await take(20))).toEqual(['webhook cleared 2']);
      expect(await stores.messages.resendDead(key, 30)).toEqual({ again: 0, outdated: 1 });
    });

    test('a message that is sent again waits for a later message of its problem that is in delivery', async () => {
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), 1);
      await stores.messages.markFailed((await take(1))[0]?.id ?? 0, 'no', 1, undefined);
      await stores.messages.insertMessage(key, 'webhook', notification('cleared', 1), 2);
      const [cleared] = await take(2);
      expect(await stores.messages.resendDead(key, 3)).toEqual({ again: 1, outdated: 0 });
      expect(await take(3)).toEqual([]);
      await stores.messages.markFailed(cleared?.id ?? 0, 'no', 3, 9);
      expect(said(await take(9))).toEqual(['webhook raised 1']);
    });

    test('messages outlive their monitor until they are delivered or given up, with the address of its own webhook', async () => {
      const key = await monitor('shop', 'ada', 'https://hook.example/');
      await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, notification('raised', 1), 1);
      await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, notification('cleared', 1), 2);
      await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, notification('raised', 2), 3);
      await stores.messages.markFailed((await take(2))[0]?.id ?? 0, 'no', 2, undefined);
      await other.monitors.removeMonitor(key);
      const [cleared, raised] = await take(9);
      expect(said([cleared, raised].flatMap((one) => one ?? []))).toEqual(['own cleared 1', 'own raised 2']);
      expect(cleared).toMatchObject({ owner: 'ada', webhook: 'https://hook.example/' });
      expect(cleared?.monitor).toBeUndefined();
      await stores.messages.markSent(cleared?.id ?? 0, LATE);
      await stores.messages.markFailed(raised?.id ?? 0, 'no', 9, undefined);
      expect([await take(1e12), await stores.messages.nextMessageAt(ALL)]).toEqual([[], undefined]);
    });

    test('a process takes messages of the channels it has, and messages that no process takes are given up after a week', async () => {
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), 1);
      expect([
        await take(10, ['slack', OWN_WEBHOOK_CHANNEL]),
        await stores.messages.nextMessageAt(['slack', OWN_WEBHOOK_CHANNEL]),
      ]).toEqual([[], undefined]);
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 2), 7 * 86_400_000);
      expect((await stores.messages.countDeliveries(key)).waiting).toBe(2);
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 3), 7 * 86_400_000 + 2);
      expect(await stores.messages.listDead(key, 9)).toMatchObject([
        { notification: { alert: { id: 1 } }, attempts: 0, trouble: 'no running Magpie has this channel' },
      ]);
      expect(said(await take(1e12))).toEqual(['webhook raised 2', 'webhook raised 3']);
    });

    test('the channels that were notified of an open alert are remembered, however many messages follow', async () => {
      const key = await monitor();
      const { finding } = notification('raised', 1).alert;
      const insert = (fingerprint: string) =>
        stores.alerts.insertAlert(key, 'reachability', { ...finding, fingerprint }, false, 1);
      const [ended, stands] = [await insert('ended'), await insert('stands')];
      await stores.alerts.clearAlert(ended, 2, 'recovered');
      await stores.transaction([{ owner: 'ada' }], async ({ messages }) => {
        for (const id of [ended, stands])
          await messages.insertMessage(key, 'webhook', notification('raised', id), 1);
        for (let at = 0; at < 1100; at++) {
          await messages.insertMessage(key, 'webhook', notification('raised', 5000 + at), at);
        }
      });
      // In steps of their own, as they are sent.
      const taking = () => stores.messages.takeMessages(99, ALL, 1e6, LEASE);
      for (let some = await taking(); some.length > 0; some = await taking()) {
        for (const { id } of some) await stores.messages.markSent(id, LATE);
      }
      await stores.transaction([{ owner: 'ada' }], async ({ messages }) => {
        for (let at = 0; at < 100; at++) {
          await messages.insertMessage(key, 'webhook', notification('raised', 9000 + at), 2000);
        }
      });
      expect(await stores.messages.listNotifiedChannels(key, ended)).toEqual([]);
      expect(await stores.messages.listNotifiedChannels(key, stands)).toEqual(['webhook']);
    });

    test('messages for a channel of a monitor are given up, except those in delivery and those of other monitors', async () => {
      const [key, another] = [await monitor(), await monitor('shop', 'bob')];
      await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, notification('raised', 1), 1);
      const [leased] = await take(5);
      await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, notification('raised', 2), 6);
      await stores.messages.insertMessage(key, 'mail', notification('raised', 2), 6);
      await stores.messages.insertMessage(another, OWN_WEBHOOK_CHANNEL, notification('raised', 3), 6);
      await other.messages.giveUp(key, OWN_WEBHOOK_CHANNEL, `it's gone \0`);
      expect(await stores.messages.countDeliveries(key)).toEqual({ waiting: 2, sent: 0, dead: 1 });
      expect(await stores.messages.countDeliveries(another)).toEqual({ waiting: 1, sent: 0, dead: 0 });
      await stores.messages.markSent(leased?.id ?? 0, LATE);
      expect((await stores.messages.countDeliveries(key)).sent).toBe(1);
    });

    test('openers that lease at once never lease a message twice', async () => {
      const key = await monitor();
      await stores.transaction([{ owner: 'ada' }], async ({ messages }) => {
        for (let at = 0; at < 30; at++) {
          await messages.insertMessage(key, `channel${at}`, notification('raised', at + 1), 1);
        }
      });
      const channels = Array.from({ length: 30 }, (_, at) => `channel${at}`);
      const takes = Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? stores : other).messages.takeMessages(4, channels, 5, LEASE),
      );
      const taken = (await Promise.all(takes)).flat().map(({ id }) => id);
      expect(taken).toHaveLength(30);
      expect(new Set(taken).size).toBe(30);
    });

    test('an expired lease goes to the next process; late reports of the first process change nothing', async () => {
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), 1);
      const [late] = await stores.messages.takeMessages(9, ALL, 5, 100);
      expect(await other.messages.listHolders()).toEqual([{ runner: 'here 1 x', until: 100 }]);
      await other.messages.releaseExpired('here 1 x', 99);
      expect(await other.messages.takeMessages(9, ALL, 101, LEASE)).toEqual([]);
      await other.messages.releaseExpired('here 1 x', 101);
      const [again] = await other.messages.takeMessages(9, ALL, 101, LEASE);
      expect(again).toEqual(late);
      await stores.messages.markSent(late?.id ?? 0, LATE);
      await stores.messages.markFailed(late?.id ?? 0, 'no', 101, undefined);
      expect(await stores.messages.countDeliveries(key)).toEqual({ waiting: 1, sent: 0, dead: 0 });
      await other.messages.markSent(again?.id ?? 0, LATE);
      expect(await stores.messages.countDeliveries(key)).toEqual({ waiting: 0, sent: 1, dead: 0 });
    });

    test('leases of a killed process are freed by the next; a process frees its own when it ends', async () => {
      const key = await monitor();
      await stores.messages.insertMessage(key, 'webhook', notification('raised', 1), 1);
      const killed = await place.open('killed 3 z');
      const [first] = await killed.messages.takeMessages(9, ALL, 5, LEASE);
      const next = await place.open('next 4 z');
      await next.messages.releaseLeases('killed 3 z');
      const [second] = await next.messages.takeMessages(9, ALL, 5, LEASE);
      expect(second).toEqual(first);
      await next.messages.releaseLeases();
      expect(await take(5)).toEqual([first]);
    });
  });
}
