import { setImmediate } from 'node:timers/promises';
import { type AppError, badRequestError, tooLargeError } from '../../errors.ts';

export const MAX_JSON_MEMBERS = 10_000;
export const MAX_JSON_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

export function createJsonCounter(what: string) {
  let [members, depth] = [0, 0];
  let [inString, escaped] = [false, false];

  function tooMany(): AppError {
    const bound = MAX_JSON_MEMBERS.toLocaleString('en');
    return tooLargeError(
      `${what} has over ${bound} members in its objects and lists, the maximum: send less`,
    );
  }
  function tooDeep(): AppError {
    return badRequestError(`${what} is nested over ${MAX_JSON_DEPTH} levels deep, the maximum`);
  }

  function skipString(bytes: Uint8Array, at: number): number {
    let from = at;
    if (escaped && from < bytes.length) {
      escaped = false;
      from += 1;
    }
    for (;;) {
      const found = bytes.indexOf(QUOTE, from);
      const end = found < 0 ? bytes.length : found;
      let slashes = 0;
      while (end - slashes > from && bytes[end - slashes - 1] === BACKSLASH) slashes += 1;
      const open = slashes % 2 === 1;
      if (found < 0) {
        escaped = open;
        return end;
      }
      if (!open) {
        inString = false;
        return end + 1;
      }
      from = end + 1;
    }
  }

  function countByte(byte: number): void {
    if (byte === QUOTE) inString = true;
    else if (byte === COMMA) members += 1;
    else if ((byte | BRACE_BIT) === OPEN) {
      members += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw tooDeep();
    } else if ((byte | BRACE_BIT) === CLOSE) depth -= 1;
  }

  return {
    addBytes(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; ) {
        if (inString) at = skipString(bytes, at);
        else countByte(bytes[at++] as number);
      }
      if (members > MAX_JSON_MEMBERS) throw tooMany();
    },
    members: () => members,
  };
}

/** Parses a short JSON text. Throws SyntaxError, or an AppError for too many values or too deep nesting. */
export function parseBoundedJson(text: string, what: string): unknown {
  createJsonCounter(what).addBytes(Buffer.from(text));
  return JSON.parse(text);
}

const SLICE_BYTES = 262_144;
const DECODER = new TextDecoder();

/** Parses long JSON. Throws SyntaxError, or an AppError for too many values or too deep nesting. */
export async function parseJson(
  bytes: Uint8Array,
  what: string,
): Promise<{ readonly value: unknown; readonly members: number }> {
  const counter = createJsonCounter(what);
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    if (from > 0) await setImmediate();
    counter.addBytes(bytes.subarray(from, from + SLICE_BYTES));
  }
  return { value: JSON.parse(DECODER.decode(bytes)), members: counter.members() };
}
