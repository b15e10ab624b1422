import { expect, test } from 'vitest';
import { createToolCallRequest, readToolResult } from '../../../src/search/answers/mcp-answer.ts';
import { toolAnswer, toolEvent } from '../../helpers/tool-answers.ts';

const KEYED = { name: 'Example', env: 'EXAMPLE_KEY' };
const KEYLESS = { ...KEYED, isKeyless: true };
const textOf = (body: string) => readToolResult(body, KEYED).text;

test('a call is one JSON-RPC request that accepts JSON and events', () => {
  const { url, method, headers, body } = createToolCallRequest(
    'https://e.example/mcp',
    { authorization: 'x' },
    'find',
    {
      q: 'é',
    },
  );
  expect([url, method]).toEqual(['https://e.example/mcp', 'POST']);
  expect(headers).toEqual({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-03-26',
    authorization: 'x',
  });
  expect(JSON.parse(body ?? '')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find', arguments: { q: 'é' } },
  });
});

test('a result is read from JSON, from a list of messages and from events', () => {
  const answer = { text: 'found', structuredContent: { results: [1] } };
  for (const body of [toolAnswer(answer), `[${toolAnswer(answer)}]`, toolEvent(answer)]) {
    expect(readToolResult(body, KEYED)).toEqual({ text: 'found', structured: { results: [1] } });
  }
});

test('events are read in every form that the standard permits', () => {
  const json = toolAnswer({ text: 'found' });
  const half = json.indexOf(',') + 1;
  for (const body of [
    `data: ${json}\n\n`,
    `data:${json}\n\n`,
    `: a comment\r\nid: 7\r\nevent: message\r\ndata: ${json}\r\n\r\n`,
    // One event in two lines, a broken event before it, and a stream that ends without an empty line.
    `data: ${json.slice(0, half)}\ndata: ${json.slice(half)}\n\n`,
    `data: {"broken\n\ndata: ${json}`,
    // Answers to other requests, and requests of the server, are passed over.
    `data: {"jsonrpc":"2.0","id":9,"result":{}}\n\ndata: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\ndata: ${json}\n\n`,
  ]) {
    expect(textOf(body), body).toBe('found');
  }
});

test('text parts are joined, and other parts are left out', () => {
  const parts = [
    { type: 'text', text: 'one' },
    { type: 'image', data: 'x' },
    7,
    { type: 'text', text: 'two' },
  ];
  expect(textOf(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: parts } }))).toBe('one\ntwo');
  expect(textOf('{"jsonrpc":"2.0","id":1,"result":{}}')).toBe('');
});

const rpcError = (message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });

test.each([
  [rpcError('Rate limit exceeded'), 'rate_limited', 'EXAMPLE_KEY raises it'],
  [rpcError('Too many requests'), 'rate_limited', 'EXAMPLE_KEY raises it'],
  [toolEvent({ text: 'Error (429)', isError: true }), 'rate_limited', 'EXAMPLE_KEY raises it'],
  [toolAnswer({ text: 'Daily quota reached', isError: true }), 'rate_limited', 'EXAMPLE_KEY raises it'],
  [
    toolAnswer({ text: 'x', _meta: { 'e.example/rateLimited': true } }),
    'rate_limited',
    'EXAMPLE_KEY raises it',
  ],
  [rpcError('Unauthorized'), 'refused', 'set EXAMPLE_KEY'],
  [rpcError('Unknown tool: find'), 'refused', 'a key in EXAMPLE_KEY may help'],
  [rpcError(''), 'refused', 'it refuses the request'],
])('%s gives an error with the next step', (body, kind, says) => {
  expect(() => readToolResult(body, KEYLESS)).toThrow(
    expect.objectContaining({ kind, message: expect.stringContaining(says) }),
  );
});

test('no text of an error is repeated, because the text may contain the key', () => {
  const run = () => readToolResult(rpcError('bad key sk-secret'), KEYED);
  expect(run).toThrow('check EXAMPLE_KEY');
  expect(run).not.toThrow('sk-secret');
});

test.each([
  '',
  'null',
  '{}',
  '[]',
  '<html>',
  'data:',
  'data: 7\n\n',
  '{"jsonrpc":"2.0","id":2,"result":{}}',
  '{"jsonrpc":"1.0","id":1,"result":{}}',
])('%j is a changed answer', (body) => {
  expect(() => textOf(body)).toThrow(expect.objectContaining({ kind: 'changed' }));
});

test('a body of the maximum size is read in bounded work, whatever the body contains', () => {
  const answer = `data: ${toolAnswer({ text: 'late' })}\n\n`;
  for (const filler of ['data: {}\n\n', 'data: x\n', ':\n', '\r', '[', '{"a":']) {
    const body = `${filler.repeat(2_000_000 / filler.length)}\n\n${answer}`;
    try {
      expect(textOf(body)).toBe('late');
    } catch (error) {
      expect(error).toMatchObject({ name: 'EngineError', kind: 'changed' });
    }
  }
});

test('the first parts of an endless result are read', () => {
  const content = Array.from({ length: 5000 }, (_, at) => ({ type: 'text', text: String(at) }));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content } });
  expect(textOf(body).split('\n')).toHaveLength(100);
});
