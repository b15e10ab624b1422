import type { Socket } from 'node:net';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  constants as zlib,
  zstdCompressSync,
} from 'node:zlib';

/** What a site does with the connection once the request is in. */
export type Deed = (socket: Socket, path: string) => void;

/** The outcome: an error's code and a piece of its message, or the body's beginning and the status. */
export interface Hostile {
  readonly why: string;
  readonly deed: Deed;
  readonly code?: string;
  readonly says?: string;
  readonly status?: number;
  readonly body?: string;
}

const OK = 'HTTP/1.1 200 OK\r\nconnection: close\r\n';
const MILLION = 1_000_000;
const zeros = Buffer.alloc(5 * MILLION);

const send =
  (answer: string | Buffer): Deed =>
  (socket) =>
    void socket.end(typeof answer === 'string' ? Buffer.from(answer, 'latin1') : answer);

const packed = (encoding: string, body: Buffer): Deed =>
  send(
    Buffer.concat([
      Buffer.from(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`),
      body,
    ]),
  );

/** Without end, as fast as it is taken. */
const endless =
  (head: string, more: string | Buffer, pause = 0): Deed =>
  (socket) => {
    socket.write(Buffer.from(head, 'latin1'));
    const next = () => {
      if (socket.destroyed) return;
      if (!socket.write(more)) socket.once('drain', next);
      else if (pause > 0) setTimeout(next, pause);
      else setImmediate(next);
    };
    next();
  };

const redirect = (location: string): Deed =>
  send(`HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: ${location}\r\n\r\n`);

const timeout = { code: 'timeout', says: 'did not answer within' };
const tooLarge = { code: 'too_large', says: 'ResponseTooLarge' };
const noHttp = { code: 'upstream', says: 'does not speak HTTP' };
const noPack = { code: 'upstream', says: 'does not unpack' };
const broken = { code: 'upstream', says: 'broke the connection off' };
const otherLength = { code: 'upstream', says: 'another length than it said' };
const headers = { code: 'upstream', says: 'bytes of headers' };

export const PACKED: readonly Hostile[] = [
  { why: 'a gzip bomb, 1000 to 1', deed: packed('gzip', gzipSync(zeros)), ...tooLarge },
  { why: 'a zlib bomb', deed: packed('deflate', deflateSync(zeros)), ...tooLarge },
  { why: 'a bare deflate bomb', deed: packed('deflate', deflateRawSync(zeros)), ...tooLarge },
  { why: 'a Brotli bomb, a million to 1', deed: packed('br', brotliCompressSync(zeros)), ...tooLarge },
  { why: 'a Zstandard bomb', deed: packed('zstd', zstdCompressSync(zeros)), ...tooLarge },
  { why: 'a bomb in a bomb', deed: packed('gzip, gzip', gzipSync(gzipSync(zeros))), ...tooLarge },
  {
    why: 'a bomb in another kind',
    deed: packed('zstd, br', brotliCompressSync(zstdCompressSync(zeros))),
    ...tooLarge,
  },
  {
    why: 'a bomb of many members',
    deed: packed('gzip', Buffer.concat(Array<Buffer>(200).fill(gzipSync(zeros.subarray(0, MILLION / 10))))),
    ...tooLarge,
  },
  {
    why: 'a bomb of many Zstandard frames',
    deed: packed(
      'zstd',
      Buffer.concat(Array<Buffer>(200).fill(zstdCompressSync(zeros.subarray(0, MILLION / 10)))),
    ),
    ...tooLarge,
  },
  {
    why: 'several gzip members',
    deed: packed('gzip', Buffer.concat([gzipSync('hello '), gzipSync('world')])),
    body: 'hello world',
  },
  {
    why: 'several Zstandard frames',
    deed: packed('zstd', Buffer.concat([zstdCompressSync('hello '), zstdCompressSync('world')])),
    body: 'hello world',
  },
  {
    why: 'Zstandard with rubbish after it',
    deed: packed('zstd', Buffer.concat([zstdCompressSync('text'), Buffer.from('rubbish')])),
    ...noPack,
  },
  {
    why: 'Brotli with rubbish without end after it',
    deed: endless(`${OK}content-encoding: br\r\n\r\n`, brotliCompressSync('text')),
    body: 'text',
  },
  {
    why: 'endless empty members',
    deed: endless(
      `${OK}content-encoding: gzip\r\n\r\n`,
      Buffer.concat(Array<Buffer>(2000).fill(gzipSync(''))),
    ),
    ...tooLarge,
  },
  {
    why: 'endless empty Zstandard frames',
    deed: endless(
      `${OK}content-encoding: zstd\r\n\r\n`,
      Buffer.concat(Array<Buffer>(500).fill(zstdCompressSync(''))),
    ),
    code: 'upstream|too_large',
    says: 'the page',
  },
  {
    why: 'endless frames to be skipped',
    deed: endless(
      `${OK}content-encoding: zstd\r\n\r\n`,
      Buffer.from('502a4d18080000000000000000000000'.repeat(500), 'hex'),
    ),
    code: 'upstream|too_large',
    says: 'the page',
  },
  {
    why: 'a gzip header whose file name does not end',
    deed: endless(`${OK}content-encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\x03`, 'a'.repeat(65_536)),
    ...tooLarge,
  },
  {
    why: 'endless empty deflate blocks',
    deed: endless(
      `${OK}content-encoding: deflate\r\n\r\n\x78\x9c`,
      Buffer.from('000000ffff'.repeat(5000), 'hex'),
    ),
    ...tooLarge,
  },
  {
    why: 'three layers',
    deed: packed('gzip, gzip, gzip', gzipSync('x')),
    code: 'upstream',
    says: 'compressed 3 times over',
  },
  {
    why: 'ten thousand layers',
    deed: packed(Array(10_000).fill('br').join(','), gzipSync('x')),
    code: 'upstream',
    says: 'times over',
  },
  { why: 'no gzip at all', deed: packed('gzip', Buffer.from('<html>plain</html>')), ...noPack },
  { why: 'no Brotli at all', deed: packed('br', Buffer.from('<html>plain</html>')), ...noPack },
  { why: 'no Zstandard at all', deed: packed('zstd', Buffer.from('<html>plain</html>')), ...noPack },
  { why: 'no deflate at all', deed: packed('deflate', Buffer.from('<html>plain</html>')), ...noPack },
  { why: 'gzip with a wrong checksum', deed: packed('gzip', wrongChecksum()), ...noPack },
  {
    why: 'gzip cut short',
    deed: packed('gzip', gzipSync('x'.repeat(9999)).subarray(0, 20)),
    code: 'upstream',
    says: 'ends too early',
  },
  {
    why: 'Brotli cut short',
    deed: packed('br', brotliCompressSync('a text of some length').subarray(0, 9)),
    code: 'upstream',
  },
  {
    why: 'Zstandard cut short',
    deed: packed('zstd', zstdCompressSync('a text of some length').subarray(0, 12)),
    code: 'upstream',
  },
  {
    why: 'Zstandard that wants 128 MB',
    deed: packed('zstd', Buffer.from('28b52ffd0088010000', 'hex')),
    ...noPack,
  },
  {
    why: 'Brotli with a window beyond the standard',
    deed: packed(
      'br',
      brotliCompressSync('a text', {
        params: { [zlib.BROTLI_PARAM_LARGE_WINDOW]: 1, [zlib.BROTLI_PARAM_LGWIN]: 30 },
      }),
    ),
    ...noPack,
  },
  {
    why: 'a packing nobody knows',
    deed: packed('rot13', Buffer.from('x')),
    code: 'unsupported',
    says: '"rot13"',
  },
  {
    why: 'a packing with a secret name',
    deed: packed('__proto__', Buffer.from('x')),
    code: 'unsupported',
    says: 'which is not supported',
  },
  {
    why: 'a packing named like a method',
    deed: packed('constructor', Buffer.from('x')),
    code: 'unsupported',
    says: 'which is not supported',
  },
  { why: 'a packing said to be none', deed: packed('identity', Buffer.from('plain')), body: 'plain' },
  {
    why: 'gzip with rubbish after it',
    deed: packed('gzip', Buffer.concat([gzipSync('text'), Buffer.from('rubbish')])),
    ...noPack,
  },
];

function wrongChecksum(): Buffer {
  const whole = gzipSync('a text');
  whole.writeUInt32LE(1, whole.length - 8);
  return whole;
}

export const LENGTHS: readonly Hostile[] = [
  { why: 'a body without end', deed: endless(`${OK}\r\n`, 'x'.repeat(65_536)), ...tooLarge },
  {
    why: 'chunks without end',
    deed: endless(`${OK}transfer-encoding: chunked\r\n\r\n`, `1000\r\n${'x'.repeat(4096)}\r\n`),
    ...tooLarge,
  },
  {
    why: 'tiny chunks without end',
    deed: endless(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(5000)),
    ...tooLarge,
  },
  { why: 'a length over the limit', deed: send(`${OK}content-length: 5000000\r\n\r\nx`), ...tooLarge },
  {
    why: 'a length beyond all numbers',
    deed: send(`${OK}content-length: 99999999999999999999999\r\n\r\nx`),
    code: 'upstream|too_large',
  },
  { why: 'a body shorter than said', deed: send(`${OK}content-length: 100\r\n\r\nshort`), ...otherLength },
  { why: 'a body longer than said', deed: send(`${OK}content-length: 2\r\n\r\nok, and more`), body: 'ok' },
  { why: 'a negative length', deed: send(`${OK}content-length: -5\r\n\r\nx`), ...noHttp },
  { why: 'a length with a sign', deed: send(`${OK}content-length: +5\r\n\r\nhello`), ...noHttp },
  { why: 'a length in words', deed: send(`${OK}content-length: five\r\n\r\nhello`), ...noHttp },
  { why: 'a hexadecimal length', deed: send(`${OK}content-length: 0x5\r\n\r\nhello`), ...noHttp },
  {
    why: 'two lengths',
    deed: send(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
    code: 'upstream',
  },
  { why: 'two lengths in one', deed: send(`${OK}content-length: 2, 3\r\n\r\nok!`), ...otherLength },
  {
    why: 'a length and chunks',
    deed: send(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    ...otherLength,
  },
  {
    why: 'chunks and a length',
    deed: send(`${OK}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n`),
    ...noHttp,
  },
  {
    why: 'a chunk size that is none',
    deed: send(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\nx\r\n`),
    ...noHttp,
  },
  {
    why: 'a negative chunk size',
    deed: send(`${OK}transfer-encoding: chunked\r\n\r\n-5\r\nx\r\n`),
    ...noHttp,
  },
  {
    why: 'a chunk size beyond all numbers',
    deed: send(`${OK}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx\r\n`),
    ...noHttp,
  },
  {
    why: 'a chunk longer than said',
    deed: send(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n`),
    ...noHttp,
  },
  {
    why: 'chunks that break off',
    deed: send(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    code: 'upstream',
  },
  {
    why: 'a chunk extension without end',
    deed: endless(`${OK}transfer-encoding: chunked\r\n\r\n5;`, 'x'.repeat(65_536)),
    code: 'upstream|timeout',
  },
  {
    why: 'trailers without end',
    deed: endless(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, `x: ${'x'.repeat(1000)}\r\n`),
    code: 'upstream|timeout',
  },
];

export const HEADERS: readonly Hostile[] = [
  { why: 'one huge header', deed: send(`${OK}x: ${'x'.repeat(MILLION)}\r\n\r\n`), ...headers },
  { why: 'a header name without end', deed: endless(OK, 'x'.repeat(65_536)), ...headers },
  { why: 'a header value without end', deed: endless(`${OK}x: `, 'x'.repeat(65_536)), ...headers },
  { why: 'headers without end', deed: endless(OK, `x: ${'x'.repeat(1000)}\r\n`), ...headers },
  {
    why: 'ten thousand headers',
    deed: send(`${OK}${Array.from({ length: 10_000 }, (_, i) => `x-${i}: some value\r\n`).join('')}\r\n`),
    ...headers,
  },
  {
    why: 'ten thousand cookies',
    deed: send(`${OK}${'set-cookie: a=12345\r\n'.repeat(10_000)}\r\n`),
    ...headers,
  },
  {
    why: 'a status line without end',
    deed: endless('HTTP/1.1 200 ', 'x'.repeat(65_536)),
    code: 'upstream|timeout',
  },
  { why: 'a null in a header', deed: send(`${OK}x: a\0b\r\n\r\n`), ...noHttp },
  { why: 'a control character in a header', deed: send(`${OK}x: a\x01b\r\n\r\n`), ...noHttp },
  { why: 'a space before the colon', deed: send(`${OK}x : a\r\n\r\n`), ...noHttp },
  { why: 'a header without a name', deed: send(`${OK}: a\r\n\r\n`), ...noHttp },
  { why: 'a header without a colon', deed: send(`${OK}nonsense\r\n\r\n`), ...noHttp },
  { why: 'a lone line feed', deed: send('HTTP/1.1 200 OK\nconnection: close\n\nbody'), code: 'upstream|' },
  { why: 'a lone carriage return', deed: send(`${OK}x: a\rb: c\r\n\r\n`), ...noHttp },
  {
    why: 'headers named like a prototype',
    deed: send(`${OK}__proto__: x\r\nconstructor: y\r\ncontent-length: 2\r\n\r\nok`),
    body: 'ok',
  },
  { why: 'bytes beyond ASCII', deed: send(`${OK}x: \xe9\xff\r\ncontent-length: 2\r\n\r\nok`), body: 'ok' },
  {
    why: 'a type that is none',
    deed: send(`${OK}content-type: \xff;;;=,"\r\ncontent-length: 2\r\n\r\nok`),
    body: 'ok',
  },
  {
    why: 'a wish to stay connected for ever',
    deed: send('HTTP/1.1 200 OK\r\nkeep-alive: timeout=99999999999\r\ncontent-length: 2\r\n\r\nok'),
    body: 'ok',
  },
];

export const PROTOCOL: readonly Hostile[] = [
  { why: 'HTTP/0.9', deed: send('<html>no headers at all</html>'), ...noHttp },
  { why: 'another protocol', deed: send('SSH-2.0-OpenSSH_9.9\r\n'), ...noHttp },
  { why: 'a mail server', deed: send('220 mail.example ESMTP\r\n'), ...noHttp },
  { why: 'TLS where none is spoken', deed: send(Buffer.from('15030100020228', 'hex')), ...noHttp },
  { why: 'HTTP/2 where none is spoken', deed: send(Buffer.from('000000040000000000', 'hex')), ...noHttp },
  { why: 'a status that is no number', deed: send('HTTP/1.1 abc OK\r\n\r\n'), ...noHttp },
  { why: 'a status of five digits', deed: send('HTTP/1.1 20000 OK\r\n\r\n'), ...noHttp },
  { why: 'a status of two digits', deed: send('HTTP/1.1 20 OK\r\n\r\n'), ...noHttp },
  { why: 'a version of the future', deed: send('HTTP/3.7 200 OK\r\n\r\n'), ...noHttp },
  { why: 'a request for an answer', deed: send('GET / HTTP/1.1\r\nhost: x\r\n\r\n'), ...noHttp },
  { why: 'nothing', deed: (socket) => void socket.end(), ...broken },
  { why: 'a reset', deed: (socket) => void socket.resetAndDestroy(), ...broken },
  { why: 'a reset in the headers', deed: cutAfter('HTTP/1.1 200 OK\r\nx: '), ...broken },
  { why: 'a reset in the body', deed: cutAfter(`${OK}content-length: 50\r\n\r\nhello`), ...otherLength },
  { why: 'a reset in the status line', deed: cutAfter('HTTP/1.1 2'), ...broken },
  {
    why: 'a change of protocol that nobody asked for',
    deed: send('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    code: 'upstream',
  },
  {
    why: 'leave to go on that nobody asked for',
    deed: send(`HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nok`),
    code: 'upstream',
  },
  {
    why: 'a few early hints',
    deed: send(
      `${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3)}${OK}content-length: 2\r\n\r\nok`,
    ),
    body: 'ok',
  },
  {
    why: 'early hints without end',
    deed: endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100)),
    code: 'upstream|timeout',
  },
  {
    why: 'news of the processing without end',
    deed: endless('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
    code: 'upstream|timeout',
  },
  {
    why: '204 with a body',
    deed: send('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\nHTTP/1.1 200 OK\r\n\r\nsmuggled'),
    body: '',
    status: 204,
  },
  {
    why: '304 that nobody asked for',
    deed: send('HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n'),
    body: '',
    status: 304,
  },
  {
    why: 'a part that nobody asked for',
    deed: send(
      'HTTP/1.1 206 Partial Content\r\nconnection: close\r\ncontent-range: bytes 5-6/7\r\ncontent-length: 2\r\n\r\nok',
    ),
    body: 'ok',
    status: 206,
  },
  {
    why: '999',
    deed: send('HTTP/1.1 999 No\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno'),
    body: 'no',
    status: 999,
  },
];

function cutAfter(start: string): Deed {
  return (socket) => void socket.write(start, () => setTimeout(() => socket.resetAndDestroy(), 20));
}

export const SLOW: readonly Hostile[] = [
  { why: 'silence', deed: () => {}, ...timeout },
  { why: 'silence after the status', deed: (socket) => void socket.write('HTTP/1.1 200 OK\r\n'), ...timeout },
  {
    why: 'silence after the headers',
    deed: (socket) => void socket.write(`${OK}content-length: 9\r\n\r\n`),
    ...timeout,
  },
  {
    why: 'silence in the body',
    deed: (socket) => void socket.write(`${OK}content-length: 9\r\n\r\nhello`),
    ...timeout,
  },
  {
    why: 'silence in a chunk',
    deed: (socket) => void socket.write(`${OK}transfer-encoding: chunked\r\n\r\n9\r\nhello`),
    ...timeout,
  },
  {
    why: 'silence before the last chunk',
    deed: (socket) => void socket.write(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    ...timeout,
  },
  {
    why: 'silence in a packed body',
    deed: (socket) =>
      void socket.write(
        Buffer.concat([
          Buffer.from(`${OK}content-encoding: gzip\r\n\r\n`),
          gzipSync('x'.repeat(999)).subarray(0, 15),
        ]),
      ),
    ...timeout,
  },
  { why: 'headers, byte by byte', deed: endless('HTTP/1.1 200 OK\r\nx: ', 'x', 20), ...timeout },
  { why: 'many short headers, slowly', deed: endless('HTTP/1.1 200 OK\r\n', 'x: y\r\n', 20), ...timeout },
  { why: 'a body, byte by byte', deed: endless(`${OK}content-length: 99999\r\n\r\n`, 'x', 20), ...timeout },
  {
    why: 'chunks, one by one',
    deed: endless(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 20),
    ...timeout,
  },
  {
    why: 'early hints, one by one',
    deed: endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 20),
    code: 'timeout|upstream',
  },
];

export const REDIRECTS: readonly Hostile[] = [
  {
    why: 'a thousand redirects',
    deed: (socket, path) => redirect(`/${Number(path.slice(1) || 0) + 1}`)(socket, path),
    code: 'upstream',
    says: 'more than 5 times',
  },
  { why: 'a loop of one', deed: redirect('/'), code: 'upstream', says: 'more than 5 times' },
  {
    why: 'a loop of two',
    deed: (socket, path) => redirect(path === '/a' ? '/b' : '/a')(socket, path),
    code: 'upstream',
    says: 'more than 5 times',
  },
  { why: 'a loop by the fragment', deed: redirect('#again'), code: 'upstream', says: 'more than 5 times' },
  { why: 'a location that is empty', deed: redirect(''), code: 'upstream', says: 'more than 5 times' },
  {
    why: 'no location',
    deed: send('HTTP/1.1 302 Found\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno'),
    body: 'no',
    status: 302,
  },
  { why: 'a location that is no URL', deed: redirect('http://'), code: 'bad_request', says: 'not a URL' },
  { why: 'a location with a control character', deed: redirect('/\x01'), ...noHttp },
  {
    why: 'two locations, the first to here',
    deed: send(
      'HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: /\r\nlocation: http://10.0.0.1/\r\n\r\n',
    ),
    code: 'upstream',
    says: 'more than 5 times',
  },
  {
    why: 'two locations, the first inside',
    deed: send(
      'HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: http://10.0.0.1/\r\nlocation: /\r\n\r\n',
    ),
    code: 'forbidden',
    says: '10.0.0.1',
  },
  { why: 'a location without a scheme', deed: redirect('//10.0.0.1/'), code: 'forbidden', says: '10.0.0.1' },
  { why: 'a location of backslashes', deed: redirect('\\\\10.0.0.1\\'), code: 'forbidden', says: '10.0.0.1' },
  { why: 'a slash and a backslash', deed: redirect('/\\10.0.0.1/'), code: 'forbidden', says: '10.0.0.1' },
  { why: 'a location of a megabyte', deed: redirect(`/${'x'.repeat(MILLION)}`), ...headers },
  {
    why: 'a redirect with a body without end',
    deed: endless('HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\n\r\n', 'x'.repeat(65_536)),
    code: 'forbidden',
    says: '10.0.0.1',
  },
  {
    why: 'a redirect to a file',
    deed: redirect('file:///etc/passwd'),
    code: 'bad_request',
    says: 'only http and https',
  },
  {
    why: 'a redirect to data',
    deed: redirect('data:text/html,x'),
    code: 'bad_request',
    says: 'only http and https',
  },
  {
    why: 'a redirect by a refresh header',
    deed: send(`${OK}refresh: 0;url=http://10.0.0.1/\r\ncontent-length: 2\r\n\r\nok`),
    body: 'ok',
  },
];
