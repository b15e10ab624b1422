import { AppError } from '../errors.ts';

/**
 * The lines of a stream of UTF-8, without their ends; no more than one is held. AppError names the line that
 * is over `maxBytes` (`too_large`), or is not UTF-8 (`bad_request`).
 */
export async function* boundedLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let number = 1;
  const add = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > maxBytes) throw new AppError('too_large', `line ${number} is over ${maxBytes} bytes`);
    parts.push(part);
  };
  const line = () => {
    const text = decode(Buffer.concat(parts), number).replace(/\r$/, '');
    const first = number === 1;
    parts = [];
    bytes = 0;
    number++;
    return first ? text.replace(/^\uFEFF/, '') : text;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      yield line();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield line();
}

function decode(bytes: Uint8Array, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('bad_request', `line ${number} is not UTF-8`, { cause });
  }
}
