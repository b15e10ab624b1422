import { afterEach, describe, expect, test, vi } from 'vitest';
import { createUrlGuard } from '../../../src/lib/network/url-guard.ts';
import { createLog, type Logger } from '../../../src/log.ts';
import { toConnectionFailure } from '../../../src/monitor/probing/connection-failure.ts';
import { createResolver } from '../../../src/monitor/probing/resolver.ts';
import { measureTcpConnect } from '../../../src/monitor/probing/tcp-probe.ts';
import { createOwnNetworkTracker } from '../../../src/monitor/targets/own-network.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { startMovingClock } from '../../helpers/moving-clock.ts';
import { lookupBy, type Manner, startNameServer, type Zone } from '../../helpers/name-server.ts';

/** This machine's own outage is not the site's: with a real name server that answers, denies, fails or is silent. */

const OWNER = 'ada';
const signal = new AbortController().signal;
const PATIENT = { timeout: 60_000, interval: 20 };
/** Seconds after which the name service is asked again. */
const HEARD_FOR_S = 4;
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function nameServer(zone: Zone, manner: Manner) {
  const server = await startNameServer(zone, false);
  endings.push(server.close);
  server.behave(manner);
  return server;
}

/** A log that keeps its warnings. */
function keptLog(): { readonly log: Logger; readonly warnings: string[] } {
  const log = createLog('silent');
  const warnings: string[] = [];
  vi.spyOn(log, 'warn').mockImplementation((...words: unknown[]) => void warnings.push(String(words.at(-1))));
  return { log, warnings };
}

describe('the cause of a failure', () => {
  const ROOT = { 'SOA ': [''] };
  const OURS = expect.stringMatching(/this machine seems to have no network/);

  async function network(zone: Zone, manner: Manner) {
    const server = await nameServer(zone, manner);
    const { log, warnings } = keptLog();
    const states: boolean[] = [];
    const clock = { now: 1_000_000 };
    const made = createOwnNetworkTracker({
      // A silence is waited for in vain: not for long.
      resolver: createResolver([server.address], manner === 'silence' ? 50 : undefined),
      log,
      onNetwork: (isUp) => states.push(isUp),
      now: () => clock.now,
    });
    const excuse = (host: string, code: string, isListed = false) =>
      made.explainFailure(host, { reason: 'does not answer', code }, isListed, signal);
    return { ...made, excuse, server, states, warnings, clock };
  }

  test.each([
    // A name service that works knows the root; then a name that it does not have is the site's.
    ['ENOTFOUND', 'zone', ROOT, false, undefined],
    ['EAI_AGAIN', 'zone', ROOT, false, undefined],
    ['ENOTFOUND', 'NXDOMAIN', {}, false, OURS],
    ['ENOTFOUND', 'REFUSED', {}, true, OURS],
    ['EAI_AGAIN', 'SERVFAIL', {}, false, OURS],
    ['EAI_AGAIN', 'silence', {}, true, OURS],
    ['ETIMEDOUT', 'zone', ROOT, false, undefined],
    ['EHOSTUNREACH', 'SERVFAIL', {}, false, OURS],
    ['ENETUNREACH', 'silence', {}, false, OURS],
    // A network of private addresses need not have a name service: its silence shows nothing.
    ['ETIMEDOUT', 'silence', {}, true, undefined],
    ['ECONNREFUSED', 'silence', {}, false, undefined],
    ['CERT_HAS_EXPIRED', 'silence', {}, false, undefined],
    ['LATE', 'SERVFAIL', {}, false, undefined],
  ] as const)('%s, where the name service answers by %s', async (code, manner, zone, isListed, expected) => {
    const { excuse, states } = await network(zone, manner);
    expect(await excuse('shop.example', code, isListed)).toEqual(expected);
    expect(states).toEqual(expected === undefined ? [] : [false]);
  });

  test('missing handles or permissions are a problem of this machine, and not a network outage', async () => {
    const { excuse, states } = await network(ROOT, 'zone');
    expect(await excuse('shop.example', 'EMFILE')).toBe('this machine could not open a connection (EMFILE)');
    expect(states).toEqual([]);
  });

  test('targets on this machine need no network', async () => {
    const { excuse, states } = await network({}, 'SERVFAIL');
    for (const host of ['localhost', '127.0.0.1', '::1']) {
      expect(await excuse(host, 'ETIMEDOUT')).toBeUndefined();
    }
    expect(states).toEqual([]);
  });

  test('a denied root name is an outage until another name is reached', async () => {
    const { excuse, noteReached, states } = await network({ 'A wiki.example': ['10.0.0.9'] }, 'zone');
    expect(await excuse('shop.example', 'ENOTFOUND')).toEqual(OURS);
    noteReached('wiki.example');
    expect(await excuse('shop.example', 'ENOTFOUND')).toBeUndefined();
    expect(states).toEqual([false, true]);
  });

  test('a name service that denies the root but knows the zone of the monitored name is trusted about that name', async () => {
    const { excuse, states, server } = await network({ 'SOA corp.intern': ['ns'] }, 'zone');
    expect(await excuse('shop.corp.intern', 'ENOTFOUND')).toBeUndefined();
    expect(await excuse('shop.example', 'ENOTFOUND')).toEqual(OURS);
    // Without a way out it denies the zone too.
    server.behave('NXDOMAIN');
    expect(await excuse('shop.corp.intern', 'ENOTFOUND')).toEqual(OURS);
    expect(states).toEqual([false]);
  });

  test('a recent success for another name shows that a denial is meant, and the same name or an address does not', async () => {
    const { excuse, noteReached, states, clock } = await network({}, 'SERVFAIL');
    noteReached('10.0.0.9');
    noteReached('shop.example');
    expect(await excuse('shop.example', 'ENOTFOUND')).toEqual(OURS);
    noteReached('wiki.example');
    expect(await excuse('shop.example', 'ENOTFOUND')).toBeUndefined();
    expect(states).toEqual([false, true]);
    expect(await excuse('shop.example', 'EAI_AGAIN')).toEqual(OURS);
    clock.now += 31_000;
    expect(await excuse('shop.example', 'ENOTFOUND')).toEqual(OURS);
  });

  test('a recent answer of another host shows that the network works, and an old answer does not', async () => {
    const { excuse, noteReached, clock } = await network({}, 'SERVFAIL');
    noteReached('10.0.0.9');
    clock.now += 29_000;
    expect(await excuse('93.184.215.14', 'EHOSTUNREACH')).toBeUndefined();
    clock.now += 2000;
    expect(await excuse('93.184.215.14', 'EHOSTUNREACH')).toEqual(OURS);
  });

  test('an answer of the host itself, or of this machine, shows nothing', async () => {
    const { excuse, noteReached } = await network({}, 'SERVFAIL');
    noteReached('93.184.215.14');
    noteReached('127.0.0.1');
    expect(await excuse('93.184.215.14', 'ETIMEDOUT')).toEqual(OURS);
  });

  test('a name service that answered before and is silent now shows an outage, also for listed machines', async () => {
    const { excuse, server, clock } = await network(ROOT, 'zone');
    expect(await excuse('10.0.0.5', 'ETIMEDOUT', true)).toBeUndefined();
    server.behave('SERVFAIL');
    clock.now += 3001;
    expect(await excuse('10.0.0.5', 'ETIMEDOUT', true)).toEqual(OURS);
  });

  test('a hundred simultaneous failures cause one check and one warning, and the end of the outage is reported', async () => {
    const { excuse, noteReached, missingSince, server, states, warnings, clock } = await network(
      {},
      'SERVFAIL',
    );
    const hosts = Array.from({ length: 100 }, (_, at) => `shop-${at}.example`);
    const excuses = await Promise.all(hosts.map((host) => excuse(host, 'EAI_AGAIN')));
    expect(new Set(excuses).size).toBe(1);
    // Each server is asked once and once more.
    expect(server.asked.length).toBeLessThanOrEqual(2);
    expect(missingSince()).toBe(clock.now);
    expect(warnings).toEqual([
      expect.stringMatching(/^Magpie cannot reach the network since 1970-01-01T00:16:40/),
    ]);
    noteReached('shop-1.example');
    expect([missingSince(), states]).toEqual([undefined, [false, true]]);
  });
});

test('a name lookup without an end is a failure of the name, not of the host', async () => {
  const server = await nameServer({}, 'silence');
  const lookup = lookupBy(server.address);
  const connecting = measureTcpConnect(
    { host: 'shop.example', port: 443 },
    { lookup, signal, timeoutMs: 200 },
  );
  await expect(connecting).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

test('of several connection attempts, the one that got beyond this machine counts', () => {
  const failed = (code: string) => Object.assign(new Error(code), { code, address: '2001:db8::1' });
  const both = new AggregateError([failed('ENETUNREACH'), failed('ECONNREFUSED')]);
  const judged = toConnectionFailure(both, 'https://shop.example/', 1000);
  expect(judged).toMatchObject({ code: 'ECONNREFUSED', reason: 'refuses the connection' });
  const none = new AggregateError([failed('ENETUNREACH'), failed('ENETUNREACH')]);
  expect(toConnectionFailure(none, 'https://shop.example/', 1000)).toMatchObject({
    code: 'ENETUNREACH',
    address: '2001:db8::1',
  });
});

test('during a network outage of this machine a monitor raises and clears no alert', async () => {
  const clock = startMovingClock();
  endings.push(clock.stop);
  const server = await nameServer({ 'SOA ': [''] }, 'SERVFAIL');
  const { path, remove } = temporaryFolder();
  endings.push(remove);
  const states: boolean[] = [];
  const probed: string[] = [];
  const { log, warnings } = keptLog();
  const room = await monitorRoom({
    folder: path,
    guard: createUrlGuard({ allowHosts: [], lookup: lookupBy(server.address) }),
    resolver: createResolver([server.address]),
    surveyMs: 86_400_000,
    log,
  });
  endings.push(() => room.end());
  const status = (id = 'https://shop.example/') => room.getMonitor(OWNER, id);
  const reached = (outcome: string, times = 1) => {
    const before = probed.length;
    const since = () => probed.slice(before).filter((one) => one === `reachability ${outcome}`).length;
    return vi.waitUntil(() => since() >= times, PATIENT);
  };
  await room.startWorking({
    onCheck: (check, outcome) => probed.push(`${check} ${outcome}`),
    onAlert() {},
    onNetwork: (isUp) => states.push(isUp),
    onSent() {},
  });

  for (const id of ['https://shop.example/', 'https://wiki.example/']) {
    await room.startMonitor(OWNER, id, { threshold: 5, intervalMs: 100 }, signal);
  }
  await reached('unknown', 4);
  expect(await status()).toMatchObject({
    status: 'degraded',
    trouble: expect.stringMatching(
      /^Magpie cannot reach the network since 20.* UTC: how its targets stand is unknown$/,
    ),
    findings: [],
    openAlerts: 0,
    alerts: [],
    targets: [{ trouble: { reachability: expect.stringMatching(/this machine seems to have no network/) } }],
  });
  expect((await status()).targets[0]?.up).toBeUndefined();
  const { coverage } = await status();
  expect(coverage.find(({ check }) => check === 'reachability')).toMatchObject({
    at: undefined,
    reason: expect.stringMatching(/no network/),
  });

  // The name service works again, and knows no such name: that is the site's own.
  server.behave('zone');
  clock.pass(HEARD_FOR_S);
  await vi.waitUntil(async () => (await status()).openAlerts === 1, PATIENT);
  expect((await status()).targets[0]).toMatchObject({ up: false, trouble: {} });

  // Gone again, with an alert open: it stays, and the target is unknown.
  server.behave('SERVFAIL');
  clock.pass(HEARD_FOR_S);
  await reached('unknown', 8);
  expect(await status()).toMatchObject({ openAlerts: 1, alerts: [{ clearedAt: undefined }] });
  expect((await status()).targets[0]?.up).toBeUndefined();
  expect(states).toEqual([false, true, false]);
  expect(warnings.filter((one) => one.startsWith('Magpie cannot reach'))).toHaveLength(2);
});
