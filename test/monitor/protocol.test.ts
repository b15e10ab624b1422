import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { protocol } from '../../src/monitor/checks/protocol.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import { probeContext, QUICK_TIMEOUTS_MS } from '../helpers/probe-context.ts';
import { numbersOf } from '../helpers/tls-servers.ts';
import { certificateOf } from '../helpers/tls-site.ts';

/** The floor of TLS at servers that refuse, accept, break off and stay silent. */

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const pem = certificateOf('good');
const WHOLE = { key: pem, cert: pem, ciphers: 'DEFAULT:@SECLEVEL=0' };
const OLD = { ...WHOLE, minVersion: 'TLSv1', maxVersion: 'TLSv1.2' } as const;

/** What is told by offers, each of which may be turned down. */
const OFFERED = [
  ...['tls-1-0', 'tls-1-1', 'ssl-3', 'no-encryption', 'short-keys', 'rc4', 'short-blocks'],
  ...['weak-key-exchange', 'rsa-key-exchange'],
];

async function tlsServer(options: TlsOptions): Promise<number> {
  const server = createTlsServer(options, (socket) => socket.on('error', () => {}).end());
  server.on('tlsClientError', () => {});
  return listen(server);
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

/** What becomes of a connection whose client offers no more than this version; `pass` brings it to a server. */
type Act = 'pass' | 'break' | 'silence';
const HELLO = { 769: 'TLSv1', 770: 'TLSv1.1', 771: 'TLSv1.2' } as Record<number, string>;

/** A box before a server that reads the version which the client's first message offers (RFC 5246, 7.4.1.2). */
function boxBefore(port: number, act: (version: string, seen: number) => Act): Promise<number> {
  const seen = new Map<string, number>();
  return listen(
    createServer((socket) => {
      socket.once('data', (hello) => {
        const version = HELLO[hello.readUInt16BE(9)] ?? '';
        seen.set(version, (seen.get(version) ?? 0) + 1);
        const does = act(version, seen.get(version) ?? 0);
        if (does === 'break') socket.resetAndDestroy();
        if (does !== 'pass') return;
        const onward = connect(port, '127.0.0.1');
        onward.on('error', () => socket.destroy());
        onward.write(hello);
        socket.pipe(onward).pipe(socket);
      });
    }),
  );
}

async function look(...ports: number[]) {
  const target = { kind: 'host' as const, name: '127.0.0.1', ports, tls: ports, closed: [] };
  const probe = probeContext({
    infrastructure: { allow: ['127.0.0.1'] },
    signal: AbortSignal.timeout(60_000),
    timeouts: { ...QUICK_TIMEOUTS_MS, handshake: 2000, connect: 4000 },
  });
  return protocol.run(target, probe);
}

/** Rules that were broken, and those that could not be told. */
async function verdict(...ports: number[]) {
  const result = await look(...ports);
  if (isInconclusiveResult(result)) return result;
  const unknown = (result.gaps ?? []).flatMap(({ rules = protocol.rules }) =>
    rules.map(({ id }) => id.split('/')[1]),
  );
  return { found: result.problems.map(({ rule }) => rule.id.split('/')[1]), unknown, gaps: result.gaps };
}

test.each([
  ['anonymous', { ciphers: 'aNULL:@SECLEVEL=0', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }, []],
  ['NULL', { ...WHOLE, ciphers: 'eNULL:@SECLEVEL=0', maxVersion: 'TLSv1.2' }, []],
  [
    'anonymous, of TLS 1.0',
    { ciphers: 'aNULL:@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1' },
    ['tls-1-0'],
  ],
] as const)('a server that has nothing but %s ciphers is reported', async (_name, options, old) => {
  expect(await verdict(await tlsServer(options))).toMatchObject({
    found: [...old, 'no-encryption'],
    unknown: ['no-tls-1-3', 'no-forward-secrecy', 'cbc-chosen'],
  });
});

test('short Diffie-Hellman numbers are reported, long ones are not', async () => {
  const rsa = certificateOf('weak');
  const how = { key: rsa, cert: rsa, maxVersion: 'TLSv1.2' as const, ciphers: 'DHE:@SECLEVEL=0' };
  const short = await tlsServer({ ...how, dhparam: numbersOf('modp2') });
  expect(await verdict(short)).toMatchObject({ found: ['weak-key-exchange', 'no-tls-1-3'], unknown: [] });
  const long = await tlsServer({ ...how, dhparam: numbersOf('modp14') });
  expect(await verdict(long)).toMatchObject({ found: ['no-tls-1-3'], unknown: [] });
});

test('a server that refuses old versions with an alert has no findings', async () => {
  expect(await verdict(await tlsServer(WHOLE))).toMatchObject({ found: [], unknown: [] });
  expect(await verdict(await tlsServer(OLD))).toMatchObject({
    found: ['tls-1-0', 'tls-1-1', 'no-tls-1-3'],
    unknown: [],
  });
});

test('silence at an old version leaves the version unknown', async () => {
  const port = await boxBefore(await tlsServer(OLD), (version) => (version === 'TLSv1' ? 'silence' : 'pass'));
  expect(await verdict(port)).toMatchObject({
    found: ['tls-1-1', 'no-tls-1-3'],
    unknown: ['tls-1-0'],
    gaps: [{ subject: String(port), why: `port ${port} did not answer within 2 s` }],
  });
});

test('a broken connection is a refusal only when it is repeated, and other connections succeed', async () => {
  const old = await tlsServer(OLD);
  const always = await boxBefore(old, (version) => (version === 'TLSv1' ? 'break' : 'pass'));
  expect(await verdict(always)).toMatchObject({ found: ['tls-1-1', 'no-tls-1-3'], unknown: [] });
  const once = await boxBefore(old, (version, seen) =>
    version === 'TLSv1' && seen === 1 ? 'break' : 'pass',
  );
  expect(await verdict(once)).toMatchObject({ found: ['tls-1-0', 'tls-1-1', 'no-tls-1-3'], unknown: [] });
  // The first usual handshake and then nothing more.
  const failing = await boxBefore(old, (version, seen) =>
    version === 'TLSv1.2' && seen === 1 ? 'pass' : 'break',
  );
  expect(await verdict(failing)).toMatchObject({
    unknown: OFFERED,
  });
});

test('a port without an answer has no findings, and the findings of the other ports are kept', async () => {
  const [old, silent] = [await tlsServer(OLD), await boxBefore(0, () => 'silence')];
  const [alone, both] = await Promise.all([verdict(silent), look(silent, old)]);
  expect(alone).toEqual({ unseen: `port ${silent} did not answer within 2 s` });
  expect(both).toMatchObject({
    problems: [{ subject: String(old) }, { subject: String(old) }, { subject: String(old) }],
    gaps: [{ subject: String(silent) }],
  });
});

test('a server that refuses every handshake has no result', async () => {
  const port = await tlsServer({ ...WHOLE, maxVersion: 'TLSv1.2', ciphers: 'PSK' });
  expect(await verdict(port)).toEqual({
    unseen: `port ${port} takes no version and cipher of TLS that is in use`,
  });
});
