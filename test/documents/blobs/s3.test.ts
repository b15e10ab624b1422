import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { resolveS3Bucket } from '../../../src/documents/blobs/s3/bucket.ts';
import { splitIntoParts } from '../../../src/documents/blobs/s3/upload.ts';
import { createS3Blobs, type S3Blobs } from '../../../src/documents/blobs/s3.ts';

/** What the driver does where the service fails: a server of HTTP that does as each test says. */

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;
const servers: Server[] = [];
const stores: S3Blobs[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function storeAt(answer: Answer): Promise<{ readonly store: S3Blobs; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    asked.push(`${request.method} ${request.url?.replace(/[0-9a-f]{40}/, 'owner')}`);
    answer(request, response, Buffer.concat(pieces));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store = createS3Blobs(
    resolveS3Bucket('s3://bucket/files', {
      blobsEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      blobsKeyId: 'id',
      blobsKey: 'the-secret',
      blobsSession: 'the-token',
    }),
    10,
  );
  stores.push(store);
  return { store, asked };
}

async function* bytes(...pieces: (string | Uint8Array)[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}
const refusal = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
const text = async (stream: ReadableStream<Uint8Array> | undefined) => new Response(stream).text();

test('a request is repeated after a busy service or a lost connection', async () => {
  let asked = 0;
  const { store } = await storeAt((request, response) => {
    asked += 1;
    if (asked === 1) return void response.writeHead(503).end(refusal('SlowDown'));
    if (asked === 2) return void request.socket.destroy();
    if (asked === 3) return void response.writeHead(500).end('<p>not XML of the protocol');
    response.end();
  });
  expect(await store.put('ada', 'key', bytes('whole'))).toBe(5);
  expect(asked).toBe(4);
});

test('a service that stays busy is a temporary error, and retries end', async () => {
  const { store, asked } = await storeAt(
    (_, response) => void response.writeHead(503).end(refusal('SlowDown')),
  );
  await expect(store.get('ada', 'key')).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 5,
    message: expect.stringContaining('answers 503 SlowDown; try again shortly'),
  });
  expect(asked).toHaveLength(5);
});

test.each([
  ['NoSuchBucket', 404, 'has no bucket bucket: make it, or name another in MAGPIE_BLOBS'],
  ['AccessDenied', 403, 'does not let the user of AWS_ACCESS_KEY_ID do that'],
  ['InvalidAccessKeyId', 403, 'does not know AWS_ACCESS_KEY_ID'],
  ['ExpiredToken', 400, 'AWS_SESSION_TOKEN has expired'],
  ['RequestTimeTooSkewed', 403, 'the clock of this machine is wrong'],
  ['SomethingNew', 400, 'answers 400 SomethingNew'],
])('%s is refused at once, with the remedy', async (code, status, words) => {
  const { store, asked } = await storeAt((_, response) => void response.writeHead(status).end(refusal(code)));
  const error = await store.put('ada', 'key', bytes('x')).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(words) });
  expect(error).toMatchObject({
    message: expect.stringContaining('s3://bucket/files'),
    retryAfter: undefined,
  });
  expect(JSON.stringify(error)).not.toMatch(/the-secret|the-token/);
  expect(asked).toHaveLength(1);
});

test('a bucket of another region is named with its region', async () => {
  const { store } = await storeAt(
    (_, response) => void response.writeHead(301, { 'x-amz-bucket-region': 'eu-north-1' }).end(),
  );
  await expect(store.get('ada', 'key')).rejects.toThrow('set AWS_REGION to eu-north-1');
});

test('requests are signed with the token, and with the digest of their bytes', async () => {
  const headers: IncomingMessage['headers'][] = [];
  const { store } = await storeAt((request, response) => {
    headers.push(request.headers);
    response.end();
  });
  await store.put('ada', 'key', bytes('whole'));
  expect(headers[0]).toMatchObject({
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=[\w;-]*x-amz-content-sha256[\w;-]*, Signature=[0-9a-f]{64}$/,
    ),
    'x-amz-security-token': 'the-token',
    // Of the bytes `whole`.
    'x-amz-content-sha256': '5d5766cf2d78701614200418ee1450690d9af12c84d52545e4802f001ad53099',
    'content-length': '5',
  });
});

test('an interrupted download is resumed at its position', async () => {
  const ranges: (string | undefined)[] = [];
  const { store } = await storeAt((request, response) => {
    const { range, 'if-match': etag } = request.headers;
    ranges.push(range && `${range} ${etag}`);
    const at = Number(/\d+/.exec(range ?? '0')?.[0]);
    const rest = 'abcdefghij'.slice(at);
    response.writeHead(range ? 206 : 200, {
      etag: '"one"',
      'content-length': rest.length,
      ...(range && { 'content-range': `bytes ${at}-9/10` }),
    });
    if (at >= 6) return void response.end(rest);
    response.write(rest.slice(0, 3), () => request.socket.destroy());
  });
  expect(await text(await store.get('ada', 'key'))).toBe('abcdefghij');
  expect(ranges).toEqual([undefined, 'bytes=3- "one"', 'bytes=6- "one"']);
});

test('an object that was replaced during a download does not complete the first', async () => {
  const { store } = await storeAt((request, response) => {
    if (request.headers.range) return void response.writeHead(412).end(refusal('PreconditionFailed'));
    response.writeHead(200, { etag: '"one"', 'content-length': 10 });
    response.write('abc', () => request.socket.destroy());
  });
  await expect(text(await store.get('ada', 'key'))).rejects.toThrow();
});

/** A service that takes uploads in parts; `complete` is how it answers their end. */
function inParts(complete: Answer, sizes: number[] = []): Answer {
  return (request, response, body) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'POST' && url.searchParams.has('uploads'))
      return void response.end(
        '<InitiateMultipartUploadResult><UploadId>u&amp;1</UploadId></InitiateMultipartUploadResult>',
      );
    if (request.method === 'POST') return complete(request, response, body);
    if (request.method === 'PUT') sizes.push(body.length);
    response.setHeader('etag', `"part-${url.searchParams.get('partNumber')}"`);
    response.end();
  };
}
const LARGE = () =>
  bytes(Buffer.alloc(5_000_000, 'a'), Buffer.alloc(5_000_000, 'b'), Buffer.alloc(10_000_000, 'c'));

test('a large file is sent in parts of one size, whose tags complete the upload', async () => {
  const sizes: number[] = [];
  let ended = '';
  const { store, asked } = await storeAt(
    inParts((_, response, body) => {
      ended = body.toString();
      response.end('<CompleteMultipartUploadResult/>');
    }, sizes),
  );
  expect(await store.put('ada', 'key', LARGE())).toBe(20_000_000);
  expect(sizes).toEqual([8_388_608, 8_388_608, 3_222_784]);
  expect(ended).toContain('<PartNumber>2</PartNumber><ETag>&quot;part-2&quot;</ETag>');
  expect(asked[1]).toBe('PUT /bucket/files/owner/key?partNumber=1&uploadId=u%261');
});

test('an upload that fails to complete behind the status 200 is a failure, and its parts are discarded', async () => {
  const { store, asked } = await storeAt(
    inParts((_, response) => void response.end(refusal('InternalError'))),
  );
  await expect(store.put('ada', 'key', LARGE())).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 5,
  });
  expect(asked.at(-1)).toBe('DELETE /bucket/files/owner/key?uploadId=u%261');
});

test('an upload whose final answer was lost counts if the object is complete', async () => {
  let ends = 0;
  const { store } = await storeAt((request, response, body) => {
    if (request.method === 'HEAD')
      return void response.writeHead(200, { 'content-length': 20_000_000 }).end();
    inParts((_, answer) => {
      ends += 1;
      if (ends === 1) return void request.socket.destroy();
      answer.writeHead(404).end(refusal('NoSuchUpload'));
    })(request, response, body);
  });
  expect(await store.put('ada', 'key', LARGE())).toBe(20_000_000);
});

test('a caller who aborts waits for no pause and no answer', async () => {
  const leaving = new AbortController();
  const { store, asked } = await storeAt((_, response) => {
    if (asked.length === 1) return void response.writeHead(503).end();
    setImmediate(() => leaving.abort(new Error('left')));
  });
  await expect(store.put('ada', 'key', bytes('x'), leaving.signal)).rejects.toThrow('left');
  expect(asked).toHaveLength(2);
});

test('close aborts running requests', async () => {
  const { store, asked } = await storeAt(() => {});
  const put = store.put('ada', 'key', bytes('x')).catch((error: Error) => error);
  await expect.poll(() => asked.length).toBe(1);
  await store.close();
  expect(await put).toMatchObject({ message: expect.stringContaining('Magpie is shutting down') });
});

test('parts are cut at their full size, for any chunks of input', async () => {
  const sizes = async (...pieces: number[]) => {
    const found: number[] = [];
    for await (const part of splitIntoParts(bytes(...pieces.map((size) => Buffer.alloc(size)))))
      found.push(part.length);
    return found;
  };
  const part = 8_388_608;
  expect(await sizes()).toEqual([0]);
  expect(await sizes(0, 1)).toEqual([1]);
  expect(await sizes(part)).toEqual([part]);
  expect(await sizes(part - 1, 2)).toEqual([part, 1]);
  expect(await sizes(2 * part + 5)).toEqual([part, part, 5]);
});

test('the address of a bucket is built from its settings', () => {
  const keys = { blobsKeyId: 'id', blobsKey: 'key' };
  const url = (name: string, more = {}) => resolveS3Bucket(name, { ...keys, ...more }).url.href;
  expect(url('s3://files')).toBe('https://files.s3.us-east-1.amazonaws.com/');
  expect(url('s3://files/a/b/', { blobsRegion: 'eu-north-1' })).toBe(
    'https://files.s3.eu-north-1.amazonaws.com/',
  );
  expect(resolveS3Bucket('s3://files/a/b/', keys).prefix).toBe('a/b/');
  expect(url('s3://my.files')).toBe('https://s3.us-east-1.amazonaws.com/my.files/');
  const own = { blobsEndpoint: 'http://minio:9000' };
  expect(url('s3://files', own)).toBe('http://minio:9000/files/');
  expect(url('s3://files', { ...own, blobsPathStyle: false })).toBe('http://files.minio:9000/');
  expect(() => url('s3://files', { blobsEndpoint: 'minio:9000' })).toThrow(
    'AWS_ENDPOINT_URL_S3 is not usable',
  );
  expect(() => resolveS3Bucket('s3://files', { blobsKeyId: 'id' })).toThrow(
    'AWS_SECRET_ACCESS_KEY is not set',
  );
});

test('objects and uploads of other programs in the same bucket are ignored', async () => {
  const own = `${'a'.repeat(40)}/a-key_1`;
  const strange = [
    'installation',
    'backups/monday.dump',
    // The same of an installation whose prefix begins with this one's.
    `production/${own}`,
    `${'a'.repeat(39)}/a-key`,
    `${own}/more`,
    `${own}.gz`,
  ];
  const list = (kind: string, time: string) =>
    [...strange, own]
      .map((key) => `<${kind}><Key>files/${key}</Key><${time}>2020-01-01T00:00:00Z</${time}></${kind}>`)
      .join('');
  const { store } = await storeAt((request, response) => {
    const isUploads = request.url?.includes('uploads=');
    response.end(
      `<List>${isUploads ? list('Upload', 'Initiated') : list('Contents', 'LastModified')}</List>`,
    );
  });
  const keys = async (items: AsyncGenerator<{ readonly key: string }>) => {
    const all: string[] = [];
    for await (const { key } of items) all.push(key);
    return all;
  };
  expect(await keys(store.listObjects())).toEqual([own]);
  expect(await keys(store.listUploads())).toEqual([own]);
});
