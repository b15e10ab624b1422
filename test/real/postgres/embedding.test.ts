import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../../src/log.ts';
import { createPostgresJobs } from '../../../src/storage/postgres/jobs/queue.ts';
import { openNotices } from '../../../src/storage/postgres/notices.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { addEntry } from '../../helpers/entry-stores.ts';
import { exitOf } from '../../helpers/exit-of.ts';
import { environment, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';
import { silenceRuns } from '../../helpers/silent-runs.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

afterAll(dropPostgres);

/** A knowledge base of one node, whose embedder counts, and waits until it is let go. A text about poison takes it down for two calls. */
async function openNode(url: string) {
  const db = await openPostgres({ url });
  const notices = openNotices(url);
  const jobs = createPostgresJobs(db, notices, createLog('silent'));
  const words = createWordEmbedder();
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  let broken = false;
  let failures = 0;
  let down = 0;
  const embedder = {
    ...words,
    async embed(...given: Parameters<typeof words.embed>) {
      await free;
      if (down > 0) throw new Error(`the embedder is down for ${down--} calls`);
      if (given[0].some((text) => text.includes('poison'))) {
        down = 2;
        throw new Error('the embedder goes down');
      }
      if (broken) throw new Error(`the embedder is broken: ${++failures}`);
      return words.embed(...given);
    },
  };
  const room = createKnowledge({
    store: createEntryStore(db),
    embedder,
    log: createLog('silent'),
    openIndex: () => Promise.reject(new Error('no index')),
    searchIntervalMs: 500,
    pauseMs: 20,
  });
  room.shareEmbedding(jobs);
  jobs.begin();
  return {
    room,
    letGo,
    failures: () => failures,
    setBroken(is: boolean) {
      broken = is;
    },
    passages: () => words.asked.filter(({ kind }) => kind === 'passage').map(({ text }) => text),
    async close() {
      letGo();
      await jobs.close();
      await room.close();
      await notices.close();
      await db.close();
    },
  };
}

test('two nodes embed each passage once, and one continues with passages that the other leaves', async () => {
  const place = await makePostgres();
  const db = await place.open();
  const store = createEntryStore(db);
  const owners = Array.from({ length: 40 }, (_, n) => `owner ${n}`);
  // They wait before any node is there, as after a change of the model.
  await Promise.all(
    owners.flatMap((owner) =>
      ['herons', 'magpies'].map((what) => addEntry(store, owner, `${what} of ${owner}`)),
    ),
  );
  const nodes = [await openNode(place.url), await openNode(place.url)] as const;
  const [first, second] = nodes;
  const taken = () =>
    db.read((sql) =>
      sql.all<{ n: number }>(
        "SELECT count(*) AS n FROM magpie_jobs.job WHERE name = 'embedding' AND state = 'active'",
      ),
    );
  // Each has taken as many owners as it embeds at once.
  await expect.poll(async () => (await taken())[0]?.n).toBe(32);
  second.letGo();
  await expect.poll(() => second.passages().length).toBeGreaterThanOrEqual(48);
  // The first node still holds sixteen owners: their passages come when it gives them back.
  await first.close();
  await expect.poll(() => new Set([...first.passages(), ...second.passages()]).size).toBe(80);
  const waiting = () => store.listWaitingOwners('words');
  await expect.poll(waiting).toEqual([]);
  const all = second.passages();
  expect(all.length).toBe(new Set(all).size);
  // What is added later is embedded too.
  await second.room.insertText('owner 1', { text: 'wagtails of owner 1' }, new AbortController().signal);
  await expect.poll(() => second.passages().some((text) => text.includes('wagtails'))).toBe(true);
  await second.close();
  await place.remove();
});

test('a node whose embedder fails leaves the passages to the other, and starts again when it works', async () => {
  const place = await makePostgres();
  const store = createEntryStore(await place.open());
  const owners = Array.from({ length: 40 }, (_, n) => `owner ${n}`);
  await Promise.all(owners.map((owner) => addEntry(store, owner, `herons of ${owner}`)));
  const waiting = () => store.listWaitingOwners('words');
  const first = await openNode(place.url);
  first.setBroken(true);
  first.letGo();
  await expect.poll(first.failures).toBeGreaterThan(0);
  const second = await openNode(place.url);
  second.letGo();
  await expect.poll(waiting).toEqual([]);
  expect(first.passages()).toEqual([]);
  expect(new Set(second.passages()).size).toBe(40);
  await second.close();
  await addEntry(store, 'owner 1', 'wagtails of owner 1');
  first.setBroken(false);
  await expect.poll(waiting).toEqual([]);
  expect(first.passages()).toContain('wagtails of owner 1');
  await first.close();
  await place.remove();
});

test('a text that crashes the model of each node is stored without a vector, and all others get vectors', async () => {
  const place = await makePostgres();
  const store = createEntryStore(await place.open());
  await addEntry(store, 'ann', 'poison');
  for (const owner of ['ann', 'bob'])
    await Promise.all(Array.from({ length: 20 }, (_, n) => addEntry(store, owner, `heron ${n} of ${owner}`)));
  const nodes = [await openNode(place.url), await openNode(place.url)];
  for (const { letGo } of nodes) letGo();
  await expect.poll(() => store.listWaitingOwners('words')).toEqual([]);
  const embedded = nodes.flatMap(({ passages }) => passages()).filter((text) => text !== 'magpie');
  expect(embedded.length).toBe(40);
  expect(new Set(embedded).size).toBe(40);
  expect((await store.listVectors('ann', 'words', 1, 100)).length).toBe(20);
  for (const { close } of nodes) await close();
  await place.remove();
});

test('the other node embeds passages of a killed node', async () => {
  const [place, folder, api] = [await makePostgres('none'), temporaryFolder(), await startEmbeddingsApi()];
  /** What a node has asked for, which its key tells. */
  const askedBy = (node: number) =>
    api.asked
      .filter(({ headers }) => headers.authorization === `Bearer sk-node-${node}`)
      .flatMap(({ body }) => body.input);
  const { promise: free, resolve: letGo } = Promise.withResolvers<undefined>();
  api.answer = () => free;
  const nodes = await Promise.all(
    [0, 1].map((node) =>
      spawnServer({
        ...environment(join(folder.path, `node-${node}`)),
        DATABASE_URL: place.url,
        MAGPIE_EMBEDDER: 'openai:words@64',
        OPENAI_BASE_URL: api.url,
        OPENAI_API_KEY: `sk-node-${node}`,
      }),
    ),
  );
  const text = 'herons wait at the weir';
  const inserted = await fetch(new URL(`/upsert?q=${encodeURIComponent(text)}`, nodes[0]?.url));
  expect(inserted.status).toBe(200);
  await expect.poll(() => api.asked.length).toBeGreaterThan(0);
  const dies = askedBy(0).length > 0 ? 0 : 1;
  const lives = 1 - dies;
  const killed = nodes[dies]?.process;
  killed?.kill('SIGKILL');
  if (killed) await exitOf(killed);
  letGo(undefined);
  const db = await openPostgres({ url: place.url });
  await silenceRuns(db);
  const vectors = async () =>
    (await db.read((sql) => sql.get<{ n: number }>('SELECT count(*) AS n FROM kb_halfvecs')))?.n;
  await expect.poll(async () => Number(await vectors())).toBe(1);
  expect(askedBy(lives)).toEqual([text]);
  for (const node of nodes) await node.stop();
  await api.close();
  await db.close();
  await place.remove();
  folder.remove();
});
