import { expect, test } from 'vitest';
import { escapeLineSeparators, escapeResponse } from '../../../src/server/mcp/line-separators.ts';

/** Characters at which clients of Java, Python and Node.js end a line. */
const SEPARATORS = /[\u2028\u2029\u0085]/;

let seed = 11;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const PARTS = ['\u2028', '\u2029', '\u0085', 'a', '"', '\\', '\n', 'é', '鵲', '🐦', '\u2026', '\u00a0', ' b'];
const text = () => Array.from({ length: random(40) }, () => PARTS[random(PARTS.length)]).join('');

test('a message has no line separator as it is, and says the same', () => {
  for (let run = 0; run < 300; run++) {
    const message = { id: text(), result: { [text()]: [text(), text()] } };
    const escaped = escapeLineSeparators(JSON.stringify(message));
    expect(escaped).not.toMatch(SEPARATORS);
    expect(JSON.parse(escaped)).toEqual(message);
  }
});

test('so has a response, wherever its chunks end', async () => {
  for (let run = 0; run < 300; run++) {
    const messages = [{ text: text() }, { text: text() }, { text: text() }];
    const bytes = Buffer.from(messages.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; ) {
          const end = at + 1 + random(7);
          controller.enqueue(bytes.subarray(at, end));
          at = end;
        }
        controller.close();
      },
    });
    const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 's' };
    const response = await escapeResponse(new Response(body, { status: 201, headers }));
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([201, headers]);
    const received = await response.text();
    expect(received).not.toMatch(SEPARATORS);
    const lines = received.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line.slice('data: '.length)))).toEqual(messages);
  }
});

test('a response that is left early cancels what makes it, and one without a body stays', async () => {
  let reason: unknown;
  const body = new ReadableStream({
    cancel(given) {
      reason = given;
    },
  });
  const escaped = await escapeResponse(new Response(body));
  await escaped.body?.cancel('gone');
  expect(reason).toBe('gone');
  const empty = new Response(null, { status: 202 });
  expect(await escapeResponse(empty)).toBe(empty);
});

test('a JSON body keeps its status and headers, and says the same', async () => {
  for (let run = 0; run < 100; run++) {
    const message = { id: text(), result: text() };
    const headers = { 'content-type': 'application/json', 'mcp-session-id': 's' };
    const response = await escapeResponse(new Response(JSON.stringify(message), { status: 404, headers }));
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([404, headers]);
    const received = await response.text();
    expect(received).not.toMatch(SEPARATORS);
    expect(JSON.parse(received)).toEqual(message);
  }
});
