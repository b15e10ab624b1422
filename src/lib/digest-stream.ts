import { createHash } from 'node:crypto';

/** Passes on a stream's bytes. After the end, `digest` returns their number and their SHA-256 in hexadecimal. */
export function createDigestingStream(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* passing() {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { source: passing(), digest: () => ({ bytes, sha256: hash.digest('hex') }) };
}

export async function digestStream(stream: AsyncIterable<Uint8Array>) {
  const { source, digest } = createDigestingStream(stream);
  while (!(await source.next()).done);
  return digest();
}
