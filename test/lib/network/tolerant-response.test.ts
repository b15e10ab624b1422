import { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDamagedBody } from '../../../src/lib/network/body.ts';
import { exchangeTolerantly } from '../../../src/lib/network/tolerant/tolerant-exchange.ts';
import { readTolerantResponse } from '../../../src/lib/network/tolerant/tolerant-response.ts';

const MAX_BYTES = 100_000;
const signal = new AbortController().signal;

async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const read = async (answer: string | Buffer, sizes: readonly number[] = [MAX_BYTES]) => {
  const bytes = typeof answer === 'string' ? Buffer.from(answer, 'latin1') : answer;
  const { status, headers, body, isCut } = await readTolerantResponse(pieces(bytes, sizes), MAX_BYTES);
  return { status, headers: Object.fromEntries(headers), body: body.toString('latin1'), isCut };
};
const unpack = async (encoding: string, body: Buffer) => {
  const headers = new Headers({ 'content-encoding': encoding });
  const unpacked = await readDamagedBody({ headers, body, isCut: false }, MAX_BYTES, signal);
  return { text: Buffer.from(unpacked.body).toString(), isCut: unpacked.isCut };
};

const OK = 'HTTP/1.1 200 OK\r\n';
const WHOLE = { body: 'hello', isCut: false };
const PART = { body: 'hello', isCut: true };

const ANSWERS: readonly (readonly [string, string, { body: string; isCut: boolean }])[] = [
  ['bare LF', 'HTTP/1.1 200 OK\nContent-Type: text/html\n\nhello', WHOLE],
  ['LF and CRLF mixed', 'HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\nhello', WHOLE],
  ['a name with blanks', `${OK}X Powered By: yard\r\n\r\nhello`, WHOLE],
  ['a blank before the colon', `${OK}Content-Length : 5\r\n\r\nhello, and more`, WHOLE],
  ['a line without a colon', `${OK}nonsense\r\nContent-Length: 5\r\n\r\nhello`, WHOLE],
  ['a folded line', `${OK}X: a\r\n  b\r\nContent-Length: 5\r\n\r\nhello`, WHOLE],
  ['a null in a value', `${OK}X: a\0b\r\n\r\nhello`, WHOLE],
  ['no reason', 'HTTP/1.1 200\r\n\r\nhello', WHOLE],
  ['a version of HTTP/2', 'HTTP/2 200 OK\r\n\r\nhello', WHOLE],
  ['an empty line first', `\r\n${OK}\r\nhello`, WHOLE],
  [
    'chunks and a length',
    `${OK}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    WHOLE,
  ],
  [
    'a length and chunks',
    `${OK}Content-Length: 99\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    WHOLE,
  ],
  ['chunks ended by LF', `${OK}Transfer-Encoding: chunked\n\n2\nhe\n3\nllo\n0\n\n`, WHOLE],
  ['blanks after a chunk size', `${OK}Transfer-Encoding: chunked\r\n\r\n5  \r\nhello\r\n0\r\n\r\n`, WHOLE],
  ['a chunk extension', `${OK}Transfer-Encoding: chunked\r\n\r\n5;a="b"\r\nhello\r\n0\r\n\r\n`, WHOLE],
  ['no last chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, PART],
  ['a cut chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nff\r\nhello`, PART],
  ['a chunk longer than said', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello!!\r\n0\r\n\r\n`, PART],
  ['a size that is none', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nx`, PART],
  ['a body shorter than said', `${OK}Content-Length: 50\r\n\r\nhello`, PART],
  ['the same length twice', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello, and more`, WHOLE],
  ['a length that is none', `${OK}Content-Length: five\r\n\r\nhello`, WHOLE],
  ['a hint before', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}\r\nhello`, WHOLE],
];

test.each(ANSWERS)(
  '%s is read as browsers read it, in pieces of any size',
  async (_name, answer, expected) => {
    expect(await read(answer)).toMatchObject({ status: 200, ...expected });
    expect(await read(answer, [1])).toMatchObject({ status: 200, ...expected });
    expect(await read(answer, [3, 1, 7])).toMatchObject({ status: 200, ...expected });
  },
);

test('headers keep their names and values, and of several locations the first', async () => {
  const { headers } = await read(
    'HTTP/1.1 302 Found\nLocation: /a\nLocation: /b\nA: 1\nA: 2\nBad Name: x\nB: a\n\tb\n\n',
  );
  expect(headers).toEqual({ location: '/a', a: '1, 2', b: 'a b' });
});

test.each([301, 302, 303, 307, 308])('a redirect by %i does not wait for its body', async (status) => {
  async function* keptOpen() {
    yield Buffer.from(`HTTP/1.1 ${status} Moved\r\nLocation: /a\r\nContent-Length: 50\r\n\r\n`);
    await new Promise(() => {});
  }
  const { headers, body, isCut } = await readTolerantResponse(keptOpen(), MAX_BYTES);
  expect([headers.get('location'), body.length, isCut]).toEqual(['/a', 0, false]);
});

test('a request that was given up before its connection opens is refused at once', async () => {
  const request = { url: new URL('http://x.example/'), headers: {}, maxBytes: MAX_BYTES };
  const given = AbortSignal.abort(new Error('given up'));
  await expect(exchangeTolerantly({ ...request, signal: given }, () => {})).rejects.toThrow('given up');
  // The connection opens while the signal tells its listeners, before the request hears of it.
  const stop = new AbortController();
  let open = () => {};
  stop.signal.addEventListener('abort', () => open());
  const asked = exchangeTolerantly({ ...request, signal: stop.signal }, (_options, answer) => {
    open = () => answer(null, new Socket());
  });
  stop.abort(new Error('given up'));
  await expect(asked).rejects.toThrow('given up');
});

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['HTTP/0.9', '<html>no headers</html>'],
  ['nothing', ''],
  ['headers that break off', `${OK}A: b`],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['hints without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
  ['headers over 64 KB', `${OK}${`a: ${'x'.repeat(1000)}\r\n`.repeat(100)}\r\n`],
  ['a header without end', `${OK}a: ${'x'.repeat(100_000)}`],
])('%s is refused', async (_name, answer) => {
  await expect(read(answer)).rejects.toMatchObject({ code: 'upstream' });
});

test.each([
  ['by its length', `${OK}Content-Length: 100001\r\n\r\nx`],
  ['by its body', `${OK}\r\n${'x'.repeat(100_001)}`],
  ['by its chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n${`3e8\r\n${'x'.repeat(1000)}\r\n`.repeat(101)}`],
])('a body over the limit is refused %s', async (_name, answer) => {
  await expect(read(answer)).rejects.toMatchObject({ code: 'too_large' });
});

test('any bytes end in an answer or a refusal', async () => {
  const parts = fc.constantFrom(
    'HTTP/1.1 200 OK',
    '\r\n',
    '\n',
    '\r',
    'a: b',
    'transfer-encoding: chunked',
    'content-length: 3',
    '5',
    'fff',
    '\0',
    'xyz',
    ' ',
    ':',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      async (texts, sizes) => {
        const answer = texts.join('');
        const [whole, cut] = await Promise.all(
          [read(answer), read(answer, sizes)].map((one) =>
            one.catch((error: { code: string }) => error.code),
          ),
        );
        expect(cut).toEqual(whole);
      },
    ),
    { seed: 38, numRuns: 1000 },
  );
});

describe('a packed body', () => {
  const text = Array.from({ length: 2000 }, (_, index) => `line ${index * 7919} of the page\n`).join('');
  // Zstandard is left out: it packs a text of this length in one block, of which nothing can be read without its end.
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

  test.each(Object.entries(packers))('that is cut is read as far as it goes: %s', async (encoding, pack) => {
    const packed = pack(text);
    expect(await unpack(encoding, packed)).toEqual({ text, isCut: false });
    const part = await unpack(encoding, packed.subarray(0, packed.length - 2000));
    expect(part.isCut).toBe(true);
    expect(part.text.length).toBeGreaterThan(1000);
    expect(text.startsWith(part.text)).toBe(true);
  });

  test.each([
    'utf-8',
    'none',
    'identity',
    'UTF8',
    'text/html',
    '8bit',
    'iso-8859-1, none',
    '__proto__',
    'gzip',
  ])('under %j that is not packed is read as it is', async (encoding) => {
    expect(await unpack(encoding, Buffer.from('<p>plain</p>'))).toEqual({
      text: '<p>plain</p>',
      isCut: false,
    });
  });

  test('with other bytes after it, or a wrong checksum, is read and called damaged', async () => {
    expect(await unpack('gzip', Buffer.concat([gzipSync('text'), Buffer.from('rubbish')]))).toEqual({
      text: 'text',
      isCut: true,
    });
    const wrong = gzipSync('a text');
    wrong.writeUInt32LE(1, wrong.length - 8);
    expect(await unpack('gzip', wrong)).toEqual({ text: 'a text', isCut: true });
  });

  test('that is a bomb, unknown, or no text, is refused', async () => {
    await expect(unpack('gzip', gzipSync(Buffer.alloc(1_000_000)))).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(
      unpack('br, br', brotliCompressSync(brotliCompressSync(Buffer.alloc(1_000_000)))),
    ).rejects.toMatchObject({ code: 'too_large' });
    await expect(unpack('compress', Buffer.from('1f9d90', 'hex'))).rejects.toMatchObject({
      code: 'unsupported',
    });
    await expect(unpack('br', Buffer.from('fffefdfcfb00', 'hex'))).rejects.toMatchObject({
      code: 'upstream',
    });
    await expect(unpack('gzip, gzip, gzip', gzipSync('x'))).rejects.toMatchObject({ code: 'upstream' });
  });
});
