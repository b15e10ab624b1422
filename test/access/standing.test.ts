import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccessControl } from '../../src/access/types.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';

/** The standing of callers who were let in, as another process changes their keys. */

let folder: ReturnType<typeof temporaryFolder>;
let server: Services;
let commands: Services;
let access: AccessControl;

beforeEach(async () => {
  folder = temporaryFolder();
  const make = () => createServices(loadConfig({}, environment(folder.path)), createLog('silent'));
  [server, commands] = [make(), make()];
  access = await server.identity.access();
});
afterEach(async () => {
  await Promise.all([server.lifecycle.close(), commands.lifecycle.close()]);
  folder.remove();
});

const identify = (key?: string) =>
  access.identify({
    authorization: key === undefined ? null : `Bearer ${key}`,
    address: '192.0.2.1',
    setHeader() {},
  });

test('the caller of an open server is no longer valid once a key is created', async () => {
  const caller = await identify();
  expect(await access.standingOf(caller)).toBe('valid');
  const { keys } = await commands.identity.access();
  await keys.createKey({ user: 'tester', scopes: ['read'] });
  await keys.whenApplied();
  expect(await access.standingOf(caller)).toBe('ended');
});

test('a key ends when it expires, and is revoked as soon as any process revokes it', async () => {
  const { keys } = await commands.identity.access();
  const made = await Promise.all(
    ['ada', 'bob', 'cyd'].map((user) => keys.createKey({ user, scopes: ['read'] })),
  );
  const callers = await Promise.all(made.map(({ key }) => identify(key)));
  const standings = () => Promise.all(callers.map(access.standingOf));
  expect(await standings()).toEqual(['valid', 'valid', 'valid']);
  await keys.rotateKey(made[0]?.record.id ?? '', { overlapMs: 0 });
  await keys.revokeKey(made[1]?.record.id ?? '');
  expect(await standings()).toEqual(['ended', 'revoked', 'valid']);
  await keys.revokeAllKeys();
  expect(await standings()).toEqual(['revoked', 'revoked', 'revoked']);
});
