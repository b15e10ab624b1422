import { badRequestError, tooLargeError } from '../../errors.ts';
import { parsePythonJson } from '../importing/format-other-fields.ts';

const ITEM_BYTES = 64_000_000;
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
export type JsonItem = { readonly value: unknown } | { readonly problem: string };

/** Yields the elements of a JSON array. Throws `bad_request`, or `too_large` for an element over 64 MB. */
export async function* jsonItems(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  parseJson: (text: string) => unknown = parsePythonJson,
): AsyncGenerator<JsonItem> {
  const splitter = createSplitter(name);
  for await (const chunk of chunks) for (const item of splitter.take(chunk)) yield parse(item, parseJson);
  splitter.end();
}

function parse(bytes: Uint8Array, parseJson: (text: string) => unknown): JsonItem {
  try {
    return { value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { problem: 'is not JSON in UTF-8' };
  }
}

function createSplitter(name: string) {
  let [depth, inString, escaped, begun, count] = [0, false, false, false, 0];
  let parts: Uint8Array[] = [];
  let bytes = 0;

  const keep = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > ITEM_BYTES) throw tooLargeError(`${name}: item ${count + 1} is over ${ITEM_BYTES / 1e6} MB`);
    parts.push(part);
  };
  const close = (part: Uint8Array): Uint8Array | undefined => {
    keep(part);
    const whole = Buffer.concat(parts);
    [parts, bytes] = [[], 0];
    if (whole.every((byte) => byte <= 0x20)) return undefined;
    count++;
    return whole;
  };
  const inText = (byte: number): void => {
    if (escaped) escaped = false;
    else if (byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) inString = false;
  };
  const step = (byte: number): boolean => {
    if (inString) {
      inText(byte);
      return false;
    }
    if (byte === QUOTE) inString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) return --depth === 0;
    else return byte === COMMA && depth === 1;
    return false;
  };

  return {
    *take(chunk: Uint8Array): Generator<Uint8Array> {
      let from = 0;
      if (!begun) {
        from = chunk.findIndex((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
        if (from < 0) return;
        if (chunk[from++] !== OPEN_LIST) throw badRequestError(`${name} is not a list in JSON`);
        [begun, depth] = [true, 1];
      }
      for (let at = from; at < chunk.length && depth > 0; at++) {
        if (!step(chunk[at] ?? 0)) continue;
        const item = close(chunk.subarray(from, at));
        from = at + 1;
        if (item) yield item;
      }
      if (depth > 0) keep(Uint8Array.from(chunk.subarray(from)));
    },
    end() {
      if (!begun) throw badRequestError(`${name} is empty`);
      if (depth > 0) throw badRequestError(`${name} is cut off in the middle of item ${count + 1}`);
    },
  };
}
