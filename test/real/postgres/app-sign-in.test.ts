import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppTokens, answerConsent, createPlainApp, leadsTo } from '../../helpers/app-sign-in.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../../helpers/magpie.ts';
import { listen } from '../../helpers/mcp-streams.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Apps sign in over two nodes of one database, behind one public address. */

const ISSUER = 'https://magpie.example.org';
const folder = temporaryFolder();
let place: PostgresPlace;
let env: Record<string, string>;
let nodes: RunningProcess[];
let key: { readonly id: string; readonly key: string };

beforeAll(async () => {
  place = await makePostgres('none');
  env = {
    ...environment(folder.path),
    ...(await withoutModel()),
    DATABASE_URL: place.url,
    MAGPIE_PUBLIC_URL: ISSUER,
    MAGPIE_OAUTH: 'builtin',
  };
  const made = await runMagpie(['key', 'create', '--scope', 'read,write', '--user', 'ada', '--json'], env);
  key = JSON.parse(made.stdout) as typeof key;
  const spawn = (at: number) => spawnServer({ ...env, MAGPIE_DATA: join(folder.path, `node-${at}`) });
  nodes = await Promise.all([spawn(0), spawn(1)]);
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await place.remove();
  await dropPostgres();
  folder.remove();
});

const use = async (node: string, { access_token: token }: AppTokens) =>
  (await fetch(`${node}/list`, { headers: { authorization: `Bearer ${token}` } })).status;

test('an app that signs in at one node redeems and refreshes at the other, and is signed out at both at once', async () => {
  const [one = '', other = ''] = nodes.map(({ url }) => url);
  const app = await createPlainApp(one);
  const answer = await leadsTo(
    await answerConsent(app.address({ resource: `${ISSUER}/mcp` }), { key: key.key }),
  );
  expect(answer.searchParams.get('iss')).toBe(ISSUER);
  const ask = async (node: string, fields: Record<string, string>) =>
    fetch(`${node}/token`, { method: 'POST', body: new URLSearchParams({ client_id: app.id, ...fields }) });
  const code = answer.searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, code_verifier: app.verifier };
  const redeemed = await Promise.all([one, other].map((node) => ask(node, grant)));
  expect(redeemed.map(({ status }) => status).toSorted()).toEqual([200, 400]);

  const again = await leadsTo(await answerConsent(app.address(), { key: key.key }));
  const more = { ...grant, code: again.searchParams.get('code') ?? '' };
  const tokens = (await (await ask(other, more)).json()) as AppTokens;
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const next = (await (await ask(one, refresh)).json()) as AppTokens;
  for (const node of [one, other])
    expect([await use(node, tokens), await use(node, next)]).toEqual([200, 200]);
  const stream = await listen(other, { authorization: `Bearer ${next.access_token}` });

  const body = new URLSearchParams({ token: next.refresh_token });
  expect((await fetch(`${one}/revoke`, { method: 'POST', body })).status).toBe(200);
  for (const node of [other, one])
    expect([await use(node, tokens), await use(node, next)]).toEqual([401, 401]);
  await stream.over;
});

test('a key that is revoked signs its apps out at both nodes at once', async () => {
  const [one = '', other = ''] = nodes.map(({ url }) => url);
  const tokens = await (await createPlainApp(one)).tokens(key.key);
  expect([await use(one, tokens), await use(other, tokens)]).toEqual([200, 200]);
  await runMagpie(['key', 'revoke', key.id], env);
  expect([await use(one, tokens), await use(other, tokens)]).toEqual([401, 401]);
});
