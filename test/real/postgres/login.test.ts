import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visitConsole } from '../../helpers/console-visit.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { freePort } from '../../helpers/free-port.ts';
import { comeBack, goToProvider } from '../../helpers/login.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { CLIENT, type ScriptedProvider, startScriptedProvider } from '../../helpers/scripted-provider.ts';

/** A login over two nodes of one database, behind one public address. */

const folder = temporaryFolder();
let place: PostgresPlace;
let provider: ScriptedProvider;
let nodes: RunningProcess[];

beforeAll(async () => {
  place = await makePostgres('none');
  provider = await startScriptedProvider();
  const words = await withoutModel();
  const address = `http://127.0.0.1:${await freePort()}`;
  const spawn = (at: number) =>
    spawnServer({
      ...environment(join(folder.path, `node-${at}`)),
      DATABASE_URL: place.url,
      MAGPIE_PUBLIC_URL: address,
      MAGPIE_OAUTH_ISSUER: provider.issuer,
      MAGPIE_OIDC_CLIENT_ID: CLIENT,
      ...words,
    });
  nodes = await Promise.all([spawn(0), spawn(1)]);
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await provider.close();
  await place.remove();
  await dropPostgres();
  folder.remove();
});

test('a login that begins at one node completes at the other, and its session is valid at both', async () => {
  const [one = '', other = ''] = nodes.map(({ url }) => url);
  const [first, second] = [visitConsole(() => one), visitConsole(() => other)];
  // The cookies' names have the port, which is one behind a load balancer.
  const hand = (from: typeof first, to: typeof first, by: readonly [string, string]) => {
    const [left = '', right = ''] = by.map((url) => new URL(url).port);
    for (const [name, value] of from.jar) to.jar.set(name.replace(left, right), value);
  };
  const came = await goToProvider(first, '/app/notes');
  hand(first, second, [one, other]);
  expect((await comeBack(second, came)).headers.get('refresh')).toBe('0; url=/app/notes');
  await second.post('/app/notes/add', { text: 'Bitterns boom in the reeds.' });
  first.jar.clear();
  hand(second, first, [other, one]);
  expect(await first.page('/app/notes')).toContain('Bitterns boom in the reeds.');
});
