import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createJsonCounter,
  MAX_JSON_DEPTH,
  MAX_JSON_MEMBERS,
  parseJson,
} from '../../../src/lib/text/json-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** The same count, character by character. */
function plainCount(text: string): number {
  let [count, inString, escaped] = [0, false, false];
  for (const char of text) {
    if (!inString) {
      inString = char === '"';
      if ('{[,'.includes(char)) count += 1;
    } else if (escaped) escaped = false;
    else if (char === '\\') escaped = true;
    else if (char === '"') inString = false;
  }
  return count;
}

test('members are counted outside strings, wherever the bytes are split', () => {
  const piece = fc.constantFrom('"', '\\', '\\"', '\\\\', '{', '}', '[', ']', ',', 'é', '1');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (pieces, size) => {
      const text = bytes(pieces.join(''));
      const counter = createJsonCounter('it');
      for (let at = 0; at < text.length; at += size) counter.addBytes(text.subarray(at, at + size));
      expect(counter.members()).toBe(plainCount(pieces.join('')));
    }),
    { numRuns: 2000 },
  );
});

test.each(['list', 'object'])(
  'a %s with the maximum number of members is parsed, and one more member is refused',
  async (kind) => {
    const text = (count: number) => {
      const members = Array.from({ length: count }, (_, at) => (kind === 'list' ? '0' : `"${at}":0`));
      return bytes(kind === 'list' ? `[${members}]` : `{${members}}`);
    };
    const { value, members } = await parseJson(text(MAX_JSON_MEMBERS), 'it');
    expect([Object.keys(value as object).length, members]).toEqual([MAX_JSON_MEMBERS, MAX_JSON_MEMBERS]);
    await expect(parseJson(text(MAX_JSON_MEMBERS + 1), 'it')).rejects.toMatchObject({
      code: 'too_large',
      message: 'it has over 10,000 members in its objects and lists, the maximum: send less',
    });
  },
);

test.each(['[]', '{}'])('nesting by %s is accepted up to its limit', async ([open, close]) => {
  const inner = open === '{' ? '{"a":' : '[';
  const text = (depth: number) => bytes(`${inner.repeat(depth)}0${(close ?? '').repeat(depth)}`);
  await expect(parseJson(text(MAX_JSON_DEPTH), 'it')).resolves.toMatchObject({ members: MAX_JSON_DEPTH });
  await expect(parseJson(text(MAX_JSON_DEPTH + 1), 'it')).rejects.toMatchObject({
    code: 'bad_request',
    message: 'it is nested over 64 levels deep, the maximum',
  });
});

test('closed nesting does not add to the depth, and a long text is parsed whole', async () => {
  const pairs = Array.from({ length: 100 }, () => '[[]]').join();
  expect((await parseJson(bytes(`[${pairs}]`), 'it')).members).toBe(300);
  const long = { q: `${'\\"é,'.repeat(200_000)}end` };
  expect((await parseJson(bytes(JSON.stringify(long)), 'it')).value).toEqual(long);
  await expect(parseJson(bytes('{"q":'), 'it')).rejects.toThrow(SyntaxError);
});
