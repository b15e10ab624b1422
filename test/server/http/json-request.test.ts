import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readJsonBody } from '../../../src/server/http/json-request.ts';

/** Reads a body and returns, in order, what was asked of the accounting, and how the reading ended. */
async function read(body: string): Promise<string[]> {
  const steps: string[] = [];
  const request = new Request('http://localhost/', {
    method: 'POST',
    body,
    headers: { 'content-length': String(body.length) },
  });
  await readJsonBody(request, {
    incoming: Readable.from([Buffer.from(body)]),
    countWork: ({ members }) => void steps.push(`count ${members}`),
    takeTurn: async () => {
      steps.push('take a turn');
      return () => void steps.push('end the turn');
    },
    paceRefusal: async (bytes) => void steps.push(`pace ${bytes}`),
  }).then(
    () => steps.push('read'),
    ({ code }: { code: string }) => steps.push(code),
  );
  return steps;
}

test('a short body needs no turn', async () => {
  expect(await read('{"q":"a"}')).toEqual(['count 1', 'read']);
  expect(await read('{"q":')).toEqual(['bad_request']);
});

test('a long body is read in a turn of its sender', async () => {
  const text = JSON.stringify({ q: 'a'.repeat(200_000) });
  expect(await read(text)).toEqual(['take a turn', 'end the turn', 'count 1', 'read']);
});

test('the refusal of a long body counts within the turn and is paced after it', async () => {
  const list = JSON.stringify({ list: Array.from({ length: 50_000 }, () => 1) });
  const steps = await read(list);
  expect(steps.map((step) => step.replace(/\d+/, 'n'))).toEqual([
    'take a turn',
    'count n',
    'end the turn',
    'pace n',
    'too_large',
  ]);
});
