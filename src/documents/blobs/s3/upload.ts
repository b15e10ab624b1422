import type { S3Bucket } from './bucket.ts';
import type { S3Client } from './client.ts';
import { refusalError } from './failure.ts';
import { parseXmlAnswer, type XmlAnswer } from './xml-answer.ts';

/** Size of an uploaded part in bytes. An upload keeps one part and one incoming chunk in memory. */
const PART_BYTES = 8 * 1024 * 1024;
/** Maximum ms for deleting the parts of a failed upload. After that, a later cleanup deletes them. */
const GIVE_UP_MS = 5000;

export async function* splitIntoParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let [filled, count] = [0, 0];
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PART_BYTES) continue;
      count += 1;
      yield part;
      part = Buffer.allocUnsafe(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0 || count === 0) yield part.subarray(0, filled);
}

export async function uploadObject(
  client: S3Client,
  place: S3Bucket,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const parts = splitIntoParts(bytes);
  const first = await parts.next();
  const body: Uint8Array = first.value ?? new Uint8Array();
  if (body.length < PART_BYTES) {
    await client.ask({ method: 'PUT', key, body, signal });
    return body.length;
  }
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' }, signal });
  const upload = parseXmlAnswer(begun.text).of('UploadId') ?? '';
  try {
    const tags: string[] = [];
    let count = 0;
    for (let part = body; ; ) {
      const query = { partNumber: String(tags.length + 1), uploadId: upload };
      const { headers } = await client.ask({ method: 'PUT', key, query, body: part, signal });
      tags.push(headers.etag ?? '');
      count += part.length;
      const next = await parts.next();
      if (next.done) break;
      part = next.value;
    }
    signal?.throwIfAborted();
    await complete(client, place, key, upload, tags, count);
    return count;
  } catch (error) {
    await abortUpload(client, key, upload, AbortSignal.timeout(GIVE_UP_MS)).catch(() => {});
    throw error;
  }
}

export async function abortUpload(
  client: S3Client,
  key: string,
  upload: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.ask({ method: 'DELETE', key, query: { uploadId: upload }, signal, takes: ['NoSuchUpload'] });
}

async function complete(
  client: S3Client,
  place: S3Bucket,
  key: string,
  upload: string,
  tags: readonly string[],
  count: number,
): Promise<void> {
  const list = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${xmlText(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join('')}</CompleteMultipartUpload>`,
  );
  const query = { uploadId: upload };
  const answer = await client.ask({ method: 'POST', key, query, body, takes: ['NoSuchUpload'] });
  // An earlier attempt may have completed the upload although its response was lost.
  if (answer.code === 'NoSuchUpload' && (await hasBytes(client, key, count))) return;
  // The body is parsed even if the status is 200, because S3 may report an error in the body.
  const said: XmlAnswer = parseXmlAnswer(answer.text);
  const code = answer.code || (answer.text.includes('<Error>') ? said.of('Code') : undefined);
  if (code !== undefined) throw refusalError(place, { status: answer.status, code });
}

async function hasBytes(client: S3Client, key: string, count: number): Promise<boolean> {
  const { code, headers } = await client.ask({ method: 'HEAD', key, takes: ['NotFound'] });
  return code === '' && Number(headers['content-length']) === count;
}

const xmlText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
