import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { reachability } from '../../src/monitor/checks/reachability.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import type { ProbeContextOptions } from '../../src/monitor/probing/probe-context.ts';
import { createResolver } from '../../src/monitor/probing/resolver.ts';
import { parseInventory } from '../../src/monitor/targets/inventory.ts';
import { parseServiceAddress } from '../../src/monitor/targets/target.ts';
import type { Expectations, Target } from '../../src/monitor/types.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { lookupBy, startNameServer, type Zone } from '../helpers/name-server.ts';
import { probeContext, QUICK_TIMEOUTS_MS } from '../helpers/probe-context.ts';

/** TCP ports, records of names, and pings: real servers and programs on this machine. */

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function look(address: string, more: Partial<ProbeContextOptions> = {}) {
  const result = await reachability.run(parseServiceAddress(address) as Target, probeContext(more));
  if (isInconclusiveResult(result)) return { unseen: result.unseen };
  return {
    found: result.problems.map(({ rule, description }) => `${rule.id.slice(13)}: ${description}`),
    up: result.measures?.up,
    measures: result.measures,
  };
}

async function listening() {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => server.close());
  return { port: (server.address() as { port: number }).port, server };
}

describe('a TCP port', () => {
  test('that accepts connections is up, and one that does not is down', async () => {
    const { port, server } = await listening();
    const own = { infrastructure: { allow: [`127.0.0.1:${port}`] } };
    expect(await look(`tcp://127.0.0.1:${port}`, own)).toMatchObject({
      found: [],
      up: 1,
      measures: { connect_ms: expect.any(Number) },
    });
    await new Promise((done) => server.close(done));
    expect(await look(`tcp://127.0.0.1:${port}`, own)).toMatchObject({
      found: ['down: it refuses the connection'],
      up: 0,
    });
  });

  test('at a private address is not connected to unless the inventory names it', async () => {
    const { port, server } = await listening();
    let connections = 0;
    server.on('connection', () => connections++);
    expect(await look(`tcp://127.0.0.1:${port}`)).toMatchObject({
      found: ['down: it has no public address: private ones are watched only from the inventory'],
    });
    expect(connections).toBe(0);
  });
});

describe('records of a name', () => {
  async function names(zone: Zone, given: Expectations = {}) {
    const server = await startNameServer(zone, false);
    endings.push(() => server.close());
    const guard = createUrlGuard({ allowHosts: [], lookup: lookupBy(server.address) });
    const more = { resolver: createResolver([server.address]), guard, probing: { expect: given } };
    return {
      server,
      ask: (address: string, allow: string[] = []) => look(address, { ...more, infrastructure: { allow } }),
    };
  }

  const ZONE = { 'A shop.example': ['93.184.215.14', '93.184.215.15'], 'TXT shop.example': ['v=spf1 -all'] };

  test('match the expected records', async () => {
    const { ask } = await names(ZONE, { contains: ['93.184.215.15'] });
    expect(await ask('dns:shop.example')).toMatchObject({
      found: [],
      up: 1,
      measures: { records: '93.184.215.14, 93.184.215.15', dns_ms: expect.any(Number) },
    });
  });

  test('that are unexpected are named with the existing ones', async () => {
    const { ask } = await names(ZONE, { contains: ['93.184.215.1'], lacks: ['93.184.215.14'] });
    expect(await ask('dns:shop.example?type=A')).toMatchObject({
      found: [
        'unexpected: it has no A record 93.184.215.1: there is 93.184.215.14, 93.184.215.15',
        'unexpected: it has the A record 93.184.215.14',
      ],
      up: 0,
    });
  });

  test('of type TXT match a part of the text, and a missing type is down', async () => {
    const { ask } = await names(ZONE, { contains: ['-all'] });
    expect(await ask('dns:shop.example?type=txt')).toMatchObject({ found: [], up: 1 });
    expect(await ask('dns:shop.example?type=CAA')).toMatchObject({
      found: ['unexpected: it has no CAA record', 'unexpected: it has no CAA record -all: there is none'],
    });
  });

  test('with private addresses are not shown unless the inventory names the host', async () => {
    const { ask } = await names({ 'A db.shop.example': ['10.0.0.5'] });
    expect(await ask('dns:db.shop.example')).toMatchObject({
      found: ['down: it has no public address: private ones are watched only from the inventory'],
    });
    expect(await ask('dns:db.shop.example', ['db.shop.example'])).toMatchObject({ found: [], up: 1 });
  });

  test('are unknown when the name service is silent', async () => {
    const { ask, server } = await names(ZONE);
    server.behave('SERVFAIL');
    expect(await ask('dns:shop.example')).toEqual({ unseen: expect.stringContaining('no network') });
  });
});

describe('a ping', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  mkdirSync(folder.path, { recursive: true });
  const timeouts = { ...QUICK_TIMEOUTS_MS, connect: 20_000 };
  const own = { infrastructure: { allow: ['127.0.0.1'] }, timeouts };

  /** A program in place of the system's, which notes what it is called with. */
  function program(name: string, script: string): string[] {
    const path = join(folder.path, name);
    writeFileSync(path, `#!/bin/sh\nprintf '%s ' "$@" > "$0.args"\n${script}\n`);
    chmodSync(path, 0o755);
    return ['/nothing/here/ping', path];
  }

  test('that is answered is up, with the response time', async () => {
    const pingPrograms = program('good', "echo '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=12.4 ms'");
    expect(await look('ping:127.0.0.1', { ...own, pingPrograms })).toMatchObject({
      found: [],
      up: 1,
      measures: { ping_ms: 12 },
    });
    expect(readFileSync(join(folder.path, 'good.args'), 'utf8')).toBe('-n -c 1 127.0.0.1 ');
  });

  test('that is not answered is down', async () => {
    const pingPrograms = program('silent', 'exit 1');
    const { found, up } = await look('ping:127.0.0.1', { ...own, pingPrograms });
    expect([found, up]).toEqual([['down: it does not answer a ping within 20 s'], 0]);
  });

  test('that never ends is stopped', async () => {
    const pingPrograms = program('slow', 'sleep 600');
    expect(
      (await look('ping:127.0.0.1', { ...own, pingPrograms, timeouts: { ...timeouts, connect: 100 } })).up,
    ).toBe(0);
  });

  test('that this machine cannot send is reported as such, and the target is not down', async () => {
    const refused = program('refused', "echo 'ping: socktype: Operation not permitted' >&2; exit 2");
    expect(await look('ping:127.0.0.1', { ...own, pingPrograms: refused })).toEqual({
      unseen: expect.stringContaining('this machine may not send pings'),
    });
    expect(await look('ping:127.0.0.1', { ...own, pingPrograms: ['/nothing/here/ping'] })).toEqual({
      unseen: expect.stringContaining('this machine has no program to ping with'),
    });
  });

  test('to a private address is not sent unless the inventory names the host', async () => {
    const pingPrograms = program('never', 'exit 0');
    expect(await look('ping:10.0.0.5', { pingPrograms })).toMatchObject({
      found: ['down: it has no public address: private ones are watched only from the inventory'],
    });
  });
});

describe('addresses', () => {
  test.each([
    ['tcp://Mail.Example:25', 'tcp://mail.example:25'],
    ['tcp:[::1]:443', 'tcp://[::1]:443'],
    ['dns:Shop.Example', 'dns:shop.example?type=A'],
    ['dns://shop.example?type=mx', 'dns:shop.example?type=MX'],
    ['ping:10.0.0.5', 'ping:10.0.0.5'],
    ['ping://[2001:db8::1]', 'ping:2001:db8::1'],
  ])('%s is %s', (text, name) => {
    expect(parseServiceAddress(text)?.name).toBe(name);
  });

  test.each([
    'tcp://mail.example',
    'tcp://mail.example:0',
    'tcp://mail.example:70000',
    'tcp://a:b@mail.example:25',
    'tcp://-oops:25',
    'dns:10.0.0.5',
    'dns:shop.example?type=ANY',
    'dns:shop.example?server=10.0.0.1',
    'ping:-f',
    'ping:a b',
    'ping:0x7f000001',
    'ping:2130706433',
    'ping:shop.example/24',
  ])('%s cannot be watched', (text) => {
    expect(() => parseServiceAddress(text)).toThrow('cannot be watched');
  });

  test('that are plain hosts or URLs are not service addresses', () => {
    expect([parseServiceAddress('shop.example'), parseServiceAddress('https://shop.example/')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('in the inventory may be private, and invalid ones are named with their line', () => {
    const text =
      "infrastructure:\n  db:\n    services: ['tcp://10.0.0.5:5432', 'ping:10.0.0.5', 'dns:db.internal']\n";
    const db = parseInventory(text, 'infrastructure.yaml').get('db');
    expect(db?.allow).toEqual(['10.0.0.5:5432', '10.0.0.5', 'db.internal']);
    expect(db?.targets.map(({ kind }) => kind)).toEqual(['tcp', 'ping', 'dns']);
    const wrong = 'infrastructure:\n  db:\n    services:\n      - tcp://10.0.0.5\n';
    expect(() => parseInventory(wrong, 'infrastructure.yaml')).toThrow(
      'infrastructure.yaml:4: infrastructure.db.services[0] is not usable: services takes a list of addresses such as',
    );
  });

  test('that are private, or with ports of other protocols, are refused at the start', async () => {
    const folder = temporaryFolder();
    const room = await monitorRoom({ folder: folder.path });
    endings.push(async () => {
      await room.end();
      folder.remove();
    });
    for (const id of [
      'tcp://10.0.0.5:8080',
      'ping:192.168.1.1',
      'tcp://93.184.215.14:25',
      'ping:localhost',
    ]) {
      await expect(room.startMonitor('ada', id, {}, AbortSignal.timeout(60_000))).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('are watched only from the inventory'),
      });
    }
  });
});
