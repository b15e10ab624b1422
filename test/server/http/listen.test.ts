import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { HttpEnv } from '../../../src/server/http/edge.ts';
import { listen } from '../../../src/server/http/http.ts';

test('routes are put together before the first request, which others would wait for', async () => {
  const app = new Hono<HttpEnv>();
  app.get('/known', (c) => c.text('known'));
  const server = await listen(app, '127.0.0.1', 0);
  // The router takes none once it has put them together.
  expect(() => app.get('/late', (c) => c.text('late'))).toThrow(/matcher is already built/);
  expect(await (await fetch(`${server.url}/known`)).text()).toBe('known');
  await server.close(0);
});

test('clients are told for how long they may use a connection, which stays open for longer', async () => {
  const app = new Hono<HttpEnv>();
  app.get('/known', (c) => c.text('known'));
  const server = await listen(app, '127.0.0.1', 0);
  const answer = await fetch(`${server.url}/known`, { headers: { connection: 'keep-alive' } });
  expect(answer.headers.get('keep-alive')).toBe('timeout=30');
  await server.close(0);
});
