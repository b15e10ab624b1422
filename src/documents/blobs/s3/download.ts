import type { S3Client, S3Object } from './client.ts';

const RESUMES = 5;

export function streamObject(
  client: S3Client,
  key: string,
  object: S3Object,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const length = Number(object.headers['content-length'] ?? Number.NaN);
  const { etag } = object.headers;
  let { body } = object;
  let chunks = body[Symbol.asyncIterator]();
  let [at, resumes] = [0, 0];

  const resume = async () => {
    const headers = { range: `bytes=${at}-`, ...(etag !== undefined && { 'if-match': etag }) };
    const rest = await client.open({ key, headers, signal });
    if (typeof rest === 'string' || !rest.headers['content-range']?.startsWith(`bytes ${at}-`))
      throw new TypeError('the storage of files does not give parts of an object');
    body = rest.body;
    chunks = body[Symbol.asyncIterator]();
  };
  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      try {
        const { value, done } = await chunks.next();
        if (!done) return value;
        if (Number.isNaN(length) || at >= length) return undefined;
        throw new TypeError('the bytes of a file ended before their end');
      } catch (error) {
        signal?.throwIfAborted();
        if (at >= length) return undefined;
        resumes += 1;
        if (resumes > RESUMES) throw error;
        await resume();
      }
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (!chunk) return controller.close();
        at += chunk.length;
        controller.enqueue(chunk);
      },
      cancel() {
        body.on('error', () => {});
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
