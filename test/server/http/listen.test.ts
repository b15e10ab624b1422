import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { HttpEnv } from '../../../src/server/http/edge.ts';
import { listen } from '../../../src/server/http/http.ts';

test('routes are built before the first request', async () => {
  const app = new Hono<HttpEnv>();
  app.get('/known', (c) => c.text('known'));
  const server = await listen(app, '127.0.0.1', 0);
  // The router takes none once it has put them together.
  expect(() => app.get('/late', (c) => c.text('late'))).toThrow(/matcher is already built/);
  expect(await (await fetch(`${server.url}/known`)).text()).toBe('known');
  await server.close(0);
});

test('clients are shown a keep-alive timeout', async () => {
  const app = new Hono<HttpEnv>();
  app.get('/known', (c) => c.text('known'));
  const server = await listen(app, '127.0.0.1', 0);
  const answer = await fetch(`${server.url}/known`, { headers: { connection: 'keep-alive' } });
  expect(answer.headers.get('keep-alive')).toBe('timeout=30');
  await server.close(0);
});
