import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Access } from '../../src/access/access.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';

/** What becomes of callers who were let in, as another process changes their keys. */

let folder: ReturnType<typeof temporaryFolder>;
let server: Services;
let commands: Services;
let access: Access;

beforeEach(async () => {
  folder = temporaryFolder();
  const make = () => createServices(loadConfig({}, environment(folder.path)), createLog('silent'));
  [server, commands] = [make(), make()];
  access = await server.access();
});
afterEach(async () => {
  await Promise.all([server.close(), commands.close()]);
  folder.remove();
});

const identify = (key?: string) =>
  access.identify({
    authorization: key === undefined ? null : `Bearer ${key}`,
    address: '192.0.2.1',
    tell() {},
  });

test('the caller of an open server is over once a key is made', async () => {
  const caller = await identify();
  expect(access.standing(caller)).toBe('good');
  const { keys } = await commands.access();
  keys.create({ user: 'tester', scopes: ['read'] });
  await keys.heeded();
  expect(access.standing(caller)).toBe('over');
});

test('a key is over with its time, and revoked as soon as anybody revokes it', async () => {
  const { keys } = await commands.access();
  const made = ['ada', 'bob', 'cyd'].map((user) => keys.create({ user, scopes: ['read'] }));
  const callers = await Promise.all(made.map(({ key }) => identify(key)));
  const standings = () => callers.map(access.standing);
  expect(standings()).toEqual(['good', 'good', 'good']);
  keys.rotate(made[0]?.record.id ?? '', { overlap: 0 });
  keys.revoke(made[1]?.record.id ?? '');
  expect(standings()).toEqual(['over', 'revoked', 'good']);
  keys.revokeAll();
  expect(standings()).toEqual(['revoked', 'revoked', 'revoked']);
});
