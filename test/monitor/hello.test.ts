import { lookup } from 'node:dns';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { encodeClientHello, type TlsOffer } from '../../src/monitor/probing/client-hello.ts';
import { offerTls } from '../../src/monitor/probing/probe-context.ts';
import { createServerAnswerParser } from '../../src/monitor/probing/server-hello.ts';

/** The first message of a handshake and its answer, from servers that speak as RFC 5246 has it, and from those that do not. */

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const RC4: TlsOffer = { version: 0x0303, suites: 'rc4' };
const DHE: TlsOffer = { version: 0x0303, suites: 'dhe' };

function record(type: number, content: Buffer, version = 0x0303): Buffer {
  return Buffer.concat([
    Buffer.from([type, version >> 8, version & 255, content.length >> 8, content.length & 255]),
    content,
  ]);
}

function message(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, 0, body.length >> 8, body.length & 255]), body]);
}

function serverHello(version: number, suite: number): Buffer {
  const id = Buffer.from([4, 1, 2, 3, 4]);
  const body = [
    Buffer.from([version >> 8, version & 255]),
    Buffer.alloc(32, 7),
    id,
    Buffer.from([suite >> 8, suite & 255, 0]),
  ];
  return message(2, Buffer.concat(body));
}

const DONE = message(14, Buffer.alloc(0));
const alert = (level: number, description: number) => record(21, Buffer.from([level, description]));

/** What is read of an answer that comes in pieces of so many bytes. */
function read(offer: TlsOffer, answer: Buffer, piece = answer.length) {
  const reader = createServerAnswerParser(offer);
  for (let at = 0; at < answer.length; at += piece) reader.push(answer.subarray(at, at + piece));
  return reader.chosen();
}

test('an answer is read in pieces of any length, and from records that split its messages', () => {
  const prime = Buffer.concat([Buffer.from([0, 128, 0x7f]), Buffer.alloc(127, 0xff), Buffer.from([0, 1, 2])]);
  const whole = Buffer.concat([
    serverHello(0x0303, 0x009e),
    message(11, Buffer.alloc(3000, 1)),
    message(12, prime),
    message(13, Buffer.alloc(8)),
    DONE,
  ]);
  const answer = Buffer.concat([record(22, whole.subarray(0, 50)), record(22, whole.subarray(50))]);
  const chosen = {
    protocol: 'TLSv1.2',
    cipher: 'DHE-RSA-AES128-GCM-SHA256',
    dhBits: 1023,
    asksForCertificate: true,
  };
  for (const piece of [1, 7, 1000, answer.length]) expect(read(DHE, answer, piece)).toEqual(chosen);
});

test.each([
  ['an alert that refuses', alert(2, 40), 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'],
  ['an alert that may mean anything', alert(2, 80), 'ERR_SSL_ALERT_80'],
  ['a suite that was not offered', record(22, serverHello(0x0303, 0x009c)), 'ERR_SSL_WRONG_SSL_VERSION'],
  ['a version that was not offered', record(22, serverHello(0x0304, 0x0005)), 'ERR_SSL_WRONG_SSL_VERSION'],
  [
    'an alert after the choice',
    Buffer.concat([record(22, serverHello(0x0303, 5)), alert(2, 40)]),
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  ],
  ['plain HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'EPROTO'],
  ['a record that is too long', Buffer.from([22, 3, 3, 0xff, 0xff, 0]), 'EPROTO'],
  ['a hello that ends too early', record(22, message(2, Buffer.alloc(20))), 'EPROTO'],
])('%s is not a choice of the server', (_name, answer, code) => {
  expect(() => read(RC4, answer)).toThrow(expect.objectContaining({ code }));
});

test('a warning, and an older version, are not a refusal; an exact offer accepts only its version', () => {
  const answer = Buffer.concat([alert(1, 112), record(22, serverHello(0x0301, 5)), record(22, DONE)]);
  expect(read(RC4, answer)).toMatchObject({ protocol: 'TLSv1', cipher: 'RC4-SHA' });
  expect(() => read({ ...RC4, exactly: true }, answer)).toThrow(/ERR_SSL_WRONG_SSL_VERSION/);
});

test('an endless answer is cut at its limit', () => {
  const reader = createServerAnswerParser(RC4);
  const piece = record(22, message(11, Buffer.alloc(16_000)));
  const pushAll = () => {
    for (let at = 0; at < 100; at++) reader.push(piece);
  };
  expect(pushAll).toThrow(/EPROTO/);
});

test('SSL 3 is offered without extensions, and later versions with the host name', () => {
  const bare = encodeClientHello({ version: 0x0300, exactly: true, suites: 'any' }, 'shop.example');
  expect(bare.readUInt16BE(1)).toBe(0x0300);
  expect(bare.includes('shop.example')).toBe(false);
  expect(encodeClientHello(RC4, 'shop.example').includes('shop.example')).toBe(true);
});

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

const HOW = { lookup, timeoutMs: 30_000, connectMs: 30_000 };

test('a server that chooses and disconnects has answered; a server that only disconnects has not', async () => {
  const chooses = await listen((socket) =>
    socket.once('data', () => socket.end(record(22, serverHello(0x0303, 5)))),
  );
  const goes = await listen((socket) => socket.once('data', () => socket.end()));
  const signal = new AbortController().signal;
  const offer = (port: number) => offerTls({ host: '127.0.0.1', port }, { ...HOW, signal }, RC4);
  expect(await offer(chooses)).toMatchObject({ cipher: 'RC4-SHA' });
  await expect(offer(goes)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('an offer ends with its signal, also when the server is silent', async () => {
  const stop = new AbortController();
  const port = await listen((socket) => socket.once('data', () => stop.abort(new Error('enough'))));
  await expect(offerTls({ host: '127.0.0.1', port }, { ...HOW, signal: stop.signal }, RC4)).rejects.toThrow(
    'enough',
  );
});
