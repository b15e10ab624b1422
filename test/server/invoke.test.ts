import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { localCaller } from '../../src/caller.ts';
import { AppError } from '../../src/errors.ts';
import { defineOperation, type Operation } from '../../src/operation.ts';
import { findConsentQuestion, invokeOperation, selectCatalog } from '../../src/server/invoke.ts';
import { type Stack, startStack } from '../helpers/stack.ts';

/** The pipe and the REST rules, on operations that do what no product operation does yet. */

const acted: string[] = [];
const q = z.object({ q: z.string() });
const base = {
  title: 'T',
  description: 'D.',
  toolset: 'web',
  openWorld: false,
  input: q,
  output: q,
  example: { q: 'x' },
} as const;
const operation = (name: string, rest: Partial<Operation> & Pick<Operation, 'run'>) =>
  defineOperation({
    ...base,
    name,
    routes: [`GET /${name}`],
    effect: 'read',
    scope: 'read',
    ...rest,
  } as Operation);

const operations: Operation[] = [
  operation('keep', {
    effect: 'write',
    scope: 'write',
    essential: true,
    routes: ['GET /keep', 'POST /v1/keep/{q}'],
    run: async ({ q }) => {
      acted.push(String(q));
      return { q };
    },
  }),
  operation('asks', {
    effect: 'destroy',
    scope: 'write',
    async question(_context, { q }) {
      acted.push(`asked of ${q}`);
      return `Delete ${q}?`;
    },
    run: async ({ q }) => ({ q: String(q) }),
  }),
  operation('echo', { run: async ({ q }) => ({ q: String(q) }) }),
  operation('stubborn', { run: () => new Promise(() => {}) }),
  operation('broken', {
    run: async () => {
      throw new Error('the password is hunter2');
    },
  }),
  operation('lying', { run: async () => ({ r: 1 }) }),
  operation('large', { run: async () => ({ q: 'x'.repeat(5000) }) }),
  operation('file', {
    types: ['application/pdf', 'text/plain'],
    run: async () => ({ q: 'the answer' }),
    linkType: ({ as }) => (as === 'pdf' ? 'application/pdf' : undefined),
    write: async (type) =>
      type === 'text/plain'
        ? 'x'.repeat(5000)
        : { content: new Uint8Array(5000).fill(0x25), fileName: 'answer.pdf' },
  }),
  operation('later', {
    run: async () => {
      throw new AppError('rate_limited', 'too often', { retryAfter: 7 });
    },
  }),
];

let stack: Stack;
beforeEach(async () => {
  acted.length = 0;
  stack = await startStack({
    catalog: { operations, prompts: [] },
    pipe: { callTimeout: 200, responseBytes: 4000 },
    http: { corsOrigins: ['https://app.example'] },
  });
});
afterEach(() => stack.close());

const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${stack.url}${path}`, { headers, ...init });

test.each([
  ['/stubborn?q=1', 504, /time limit/],
  ['/broken?q=1', 500, /something went wrong inside Magpie/],
  ['/lying?q=1', 500, /something went wrong inside Magpie/],
  ['/large?q=1', 413, /^ResponseTooLarge: the answer has \d+ bytes and 4000 may be sent/],
])('%s is %i', async (path, status, error) => {
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(((await response.json()) as { error: string }).error).toMatch(error);
});

test('an internal error is in the log and not in the answer', async () => {
  expect(await (await get('/broken?q=1')).text()).not.toContain('hunter2');
  expect(stack.logged.join('')).toContain('hunter2');
});

test('a limit says when to come back', async () => {
  const response = await get('/later?q=1');
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
});

test.each([
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'preview' },
  { 'x-moz': 'prefetch' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  // Another port of this machine is the same site to a browser, and its images come without Origin.
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
] as Record<string, string>[])('a write by GET is refused with %o', async (headers) => {
  expect((await get('/keep?q=1', headers)).status).toBe(403);
  expect(acted).toEqual([]);
});

/** Headers of navigations: fetch does not let Sec-Fetch-Mode be set; node:http does. */
function navigate(path: string, headers: Record<string, string>): Promise<{ status?: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(stack.url + path, { headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, text });
    });
    sent.once('error', reject).end();
  });
}
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' };

test.each([
  { ...NAVIGATION, 'sec-fetch-site': 'none' },
  { ...NAVIGATION, 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-mode': 'nested-navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' },
  // Browsers before Fetch Metadata.
  { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*;q=0.8' },
] as Record<string, string>[])(
  'on an open server a browser navigation with %o does not write, and may read',
  async (headers) => {
    const refused = await navigate('/keep?q=1', headers);
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toEqual({
      error: expect.stringMatching(
        /a link or the address bar .*: ask your assistant, run `magpie call keep`, or .* curl$/,
      ),
    });
    expect(acted).toEqual([]);
    expect((await navigate('/echo?q=1', headers)).status).toBe(200);
  },
);

test('with a credential, which a link cannot carry, a navigation may write', async () => {
  const closed = await startStack({
    catalog: stack.pipe.catalog,
    http: { identify: () => ({ ...localCaller('ada', 'http'), credential: 'k1' }) },
  });
  const answer = await fetch(`${closed.url}/keep?q=5`, { headers: { 'upgrade-insecure-requests': '1' } });
  expect([answer.status, acted]).toEqual([200, ['5']]);
  await closed.close();
});

test.each([
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 403],
  [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 403],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 200],
] as [Record<string, string>, number][])('a page that reads with %o gets %i', async (headers, status) => {
  // fetch does not let Sec-Fetch-Mode be set; node:http does.
  const answered = await new Promise((resolve, reject) => {
    const sent = request(`${stack.url}/echo?q=1`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.once('error', reject).end();
  });
  expect(answered).toBe(status);
});

test('a page of an origin that may call reads and writes', async () => {
  const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
  expect((await get('/echo?q=1', headers)).status).toBe(200);
  expect((await get('/keep?q=1', headers)).status).toBe(200);
  expect((await get('/keep?q=2', { ...headers, purpose: 'prefetch' })).status).toBe(403);
  expect(acted).toEqual(['1']);
});

test('a write by GET from the user runs once and is never cached, and HEAD does not run', async () => {
  expect((await get('/keep?q=1', {}, { method: 'HEAD' })).status).toBe(200);
  expect(acted).toEqual([]);
  const response = await get('/keep?q=1', { 'sec-fetch-site': 'none' });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(acted).toEqual(['1']);
});

test.each([
  ['text/plain', '{}', 415, 'it takes application/json'],
  ['application/json', '{', 400, 'the body is not JSON'],
  ['application/json', '[1]', 400, 'not a JSON object'],
])('a body of %s %s is answered %i, as problem details under /v1', async (type, body, status, error) => {
  const response = await get('/v1/keep/a', { 'content-type': type }, { method: 'POST', body });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem).toMatchObject({ status, detail: expect.stringContaining(error), type: 'about:blank' });
  expect(problem.error).toBe(problem.detail);
});

test('a path parameter is used as input', async () => {
  const response = await get(
    '/v1/keep/from-path',
    { 'content-type': 'application/json' },
    { method: 'POST', body: '{}' },
  );
  expect([response.status, await response.json()]).toEqual([200, { q: 'from-path' }]);
});

test('the refusal of a caller without the required scope names the scope', async () => {
  const caller = { ...localCaller('eve', 'http'), scopes: new Set(['read' as const]) };
  const signal = new AbortController().signal;
  const call = { operation: 'keep', input: { q: '1' }, caller, signal, unknown: 'reject' } as const;
  await expect(invokeOperation(stack.pipe, call)).rejects.toMatchObject({
    code: 'forbidden',
    message:
      'keep needs the scope write, and this credential has read: ask the operator of this server for one that has write too',
  });
  expect(acted).toEqual([]);
});

test('no confirmation question is made for a caller without the scope, or for an invalid call', async () => {
  const caller = { ...localCaller('eve', 'http'), scopes: new Set(['read' as const]) };
  const signal = new AbortController().signal;
  const call = { operation: 'asks', input: { q: '1' }, caller, signal, unknown: 'reject' } as const;
  await expect(findConsentQuestion(stack.pipe, call)).rejects.toMatchObject({
    code: 'forbidden',
    scope: 'write',
  });
  const allowed = { ...call, caller: localCaller('ada', 'http') };
  await expect(findConsentQuestion(stack.pipe, { ...allowed, input: {} })).rejects.toMatchObject({
    code: 'bad_request',
  });
  expect(acted).toEqual([]);
  expect(await findConsentQuestion(stack.pipe, allowed)).toBe('Delete 1?');
  expect(await findConsentQuestion(stack.pipe, { ...call, operation: 'echo' })).toBeUndefined();
  expect(acted).toEqual(['asked of 1']);
});

test('a cancelled call ends at once, even when its work continues', async () => {
  const stop = new AbortController();
  const caller = localCaller('ada', 'cli');
  const call = invokeOperation(stack.pipe, {
    operation: 'stubborn',
    input: { q: '1' },
    caller,
    signal: stop.signal,
    unknown: 'ignore',
  });
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  expect(stack.pipe.running.size).toBe(0);
});

test('--read-only and --toolsets choose by effect, toolset and family', () => {
  const names = (readOnly: boolean, toolsets: string[], tools: string[] = []) =>
    selectCatalog({ operations, prompts: [] }, { readOnly, toolsets, tools }).operations.map(
      ({ name }) => name,
    );
  expect(names(true, [])).not.toContain('keep');
  expect(names(false, ['essential'])).toEqual(['keep']);
  expect(names(false, ['security'])).toEqual([]);
  expect(names(false, ['web'])).toHaveLength(operations.length);
});

test('a file is sent by its link or by Accept, whatever its size; other written answers follow the limit', async () => {
  const at = (path: string, accept = '*/*') => fetch(`${stack.url}${path}`, { headers: { accept } });
  for (const response of [await at('/file?q=1&as=pdf'), await at('/file?q=1', 'application/pdf')]) {
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="answer.pdf"');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.alloc(5000, '%'));
  }
  expect(await (await at('/file?q=1')).json()).toEqual({ q: 'the answer' });
  expect((await at('/file?q=1', 'text/plain')).status).toBe(413);
});

test('a confirmation question is asked only of a caller with permission, and with valid parameters', async () => {
  const asked: string[] = [];
  const asking = operation('clear', {
    effect: 'destroy',
    scope: 'write',
    run: async () => ({ q: 'done' }),
    question: async ({ caller }) => {
      asked.push(caller.id);
      return `Delete 3 entries of ${caller.id}?`;
    },
  });
  const pipe = { ...stack.pipe, catalog: { operations: [asking], prompts: [] } };
  const question = (scopes: readonly ('read' | 'write')[], input: Record<string, unknown>) =>
    findConsentQuestion(pipe, {
      operation: 'clear',
      input,
      caller: { ...localCaller('ada', 'http'), scopes: new Set(scopes) },
      signal: new AbortController().signal,
      unknown: 'reject',
    });
  await expect(question(['read'], { q: '' })).rejects.toMatchObject({ code: 'forbidden', scope: 'write' });
  await expect(question(['read', 'write'], {})).rejects.toMatchObject({ code: 'bad_request' });
  await expect(question(['read', 'write'], { q: '', other: 1 })).rejects.toMatchObject({
    code: 'bad_request',
  });
  expect(asked).toEqual([]);
  expect(await question(['read', 'write'], { q: '' })).toBe('Delete 3 entries of ada?');
});
