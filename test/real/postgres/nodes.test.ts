import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { exitOf } from '../../helpers/exit-of.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Two servers with data folders of their own and one database. */

const folders = [temporaryFolder(), temporaryFolder()];
let place: PostgresPlace;
let nodes: RunningProcess[];
let words: Record<string, string>;

const spawnNode = (node: number) =>
  spawnServer({
    ...environment(folders[node]?.path ?? ''),
    DATABASE_URL: place.url,
    MAGPIE_USER: 'ada',
    ...words,
  });

beforeAll(async () => {
  words = await withoutModel();
  place = await makePostgres('none');
  // Both find an empty database: one of them makes the tables.
  nodes = await Promise.all([spawnNode(0), spawnNode(1)]);
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await place.remove();
  await dropPostgres();
  for (const { remove } of folders) remove();
});

async function call(node: number, path: string, values: Record<string, string>): Promise<unknown> {
  const url = new URL(path, nodes[node]?.url);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  const response = await fetch(url);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

const found = async (node: number, q: string) =>
  ((await call(node, '/query', { q })) as { matches: { metadata: { text: string } }[] }).matches.map(
    ({ metadata }) => metadata.text,
  );

const [MAGPIE, HERON] = ['The magpie builds its nest of mud and twigs', 'Herons wade in shallow water'];

test('what one node keeps, the other finds at once', async () => {
  await call(0, '/insert', { q: MAGPIE });
  expect(await found(1, 'where do magpies nest')).toEqual([MAGPIE]);
  await call(1, '/insert', { q: HERON });
  expect((await found(0, 'herons in water'))[0]).toBe(HERON);
  const again = await call(1, '/insert', { q: MAGPIE });
  expect(again).toMatchObject({ id: ((await call(0, '/insert', { q: MAGPIE })) as { id: string }).id });
});

test('what a node had answered is there when it is killed, and one that starts on the database goes on', async () => {
  const text = 'Wagtails run along the shore';
  await call(0, '/insert', { q: text });
  const killed = nodes[0]?.process;
  killed?.kill('SIGKILL');
  if (killed) await exitOf(killed);
  expect((await found(1, 'wagtails on the shore'))[0]).toBe(text);
  nodes[0] = await spawnNode(0);
  expect((await found(0, 'wagtails on the shore'))[0]).toBe(text);
});

test('what one node removes, the other finds no more', async () => {
  await call(1, '/resetUsersKnowledgeBase', { q: '' });
  expect(await found(0, 'magpies, herons, wagtails')).toEqual([]);
});
