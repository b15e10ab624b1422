import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, test } from 'vitest';
import { chunkEntry, normalizeEntry } from '../../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { environment, MAIN, spawnMagpie, spawnServer, temporaryFolder } from '../helpers/magpie.ts';

/** Several processes on one data folder: commands that end, and servers that stay. */

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const MODEL = 'all-minilm-l6-v2-int8';
const SOON = { timeout: 60_000 };

function newPlace() {
  const folder = temporaryFolder();
  closers.push(folder.remove);
  return { folder: folder.path, env: environment(folder.path) };
}

/** The store of a folder, as another process has it. */
async function storeOf(folder: string) {
  const db = await openDatabase({ folder });
  closers.push(() => db.close());
  const store = createEntryStore(db);
  const add = async (text: string) => {
    const [one] = await store.insertEntries([
      { owner: 'tester', entry: await chunkEntry(normalizeEntry({ text }), 256) },
    ]);
    return one?.id ?? '';
  };
  return { store, add };
}

async function start(env: Record<string, string>) {
  const magpie = await spawnServer(env);
  closers.push(magpie.stop);
  return magpie;
}

test('a command embeds its new entries before it ends', async () => {
  const { folder, env } = newPlace();
  const kept = await spawnMagpie(['upsert', 'Steps to recover account access are on page nine.'], env);
  expect(kept).toMatchObject({ code: 0, stderr: '' });
  const { store } = await storeOf(folder);
  expect(await store.readStanding('tester', MODEL)).toMatchObject({ searched: 1, next: 2, embedded: 2 });
  const { stdout } = await spawnMagpie(['query', 'how do I get back into my login'], env);
  expect(stdout).toContain('recover account access');
  expect(stdout).not.toContain('vector');
});

test('entries that a process left without vectors are embedded by the next command, a part at a time', async () => {
  const { folder, env } = newPlace();
  const { store, add } = await storeOf(folder);
  for (let i = 0; i < 700; i++) await add(`number ${i}`);
  expect((await spawnMagpie(['query', 'number 8'], env)).stdout).toContain(
    '700 passages wait for their vectors, and are found by their words only.',
  );
  // On a busy machine, loading the model may take all the time that a command has for vectors.
  for (;;) {
    const { embedded } = await store.readStanding('tester', MODEL);
    expect(embedded).toBeLessThan(701);
    if (embedded > 1) break;
    await spawnMagpie(['query', 'number 8'], env);
  }
});

test('an answer reports the waiting passages while the embedder is unavailable', async () => {
  const { folder, env } = newPlace();
  const unreachable = {
    ...env,
    MAGPIE_EMBEDDER: 'openai:some-model@8',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    OPENAI_API_KEY: 'x',
  };
  await (await storeOf(folder)).add('magpies hoard');
  const [found, nothing, json] = await Promise.all(
    [['hoard'], ['kettle'], ['kettle', '--json']].map((words) =>
      spawnMagpie(['query', ...words], unreachable),
    ),
  );
  expect(found?.stdout).toMatch(/^1 passage waits for its vector.*\n\n## 1\./);
  expect(nothing?.stdout).toBe(
    'No match yet. 1 passage waits for its vector, and is found by its words only.\n',
  );
  expect(JSON.parse(json?.stdout ?? '')).toEqual({ matches: [], pending: 1 });
});

test('a running server embeds entries of another process within seconds', async () => {
  const { folder, env } = newPlace();
  const magpie = await start(env);
  const ask = async (q: string) => {
    const response = await fetch(new URL(`/query?${new URLSearchParams({ q })}`, magpie.url));
    return (await response.json()) as { matches: { metadata: { text: string } }[]; pending?: number };
  };
  expect((await ask('anything')).matches).toEqual([]);
  const { add } = await storeOf(folder);
  await add('Steps to recover account access are on page nine.');
  await expect.poll(async () => (await ask('account')).pending, SOON).toBeUndefined();
  const { matches } = await ask('how do I get back into my login');
  expect(matches[0]?.metadata.text).toContain('recover account access');
});

test.each([
  ['HTTP', '2026', true],
  ['stdio', '2025', false],
] as const)(
  'over %s, a client of %s is notified of changes by other processes [resource.notices]',
  async (transport, _era, modern) => {
    const { folder, env } = newPlace();
    const { store, add } = await storeOf(folder);
    const id = await add('was there before');
    const client = new Client(
      { name: 'reading', version: '1.0.0' },
      modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    closers.push(() => client.close());
    const updated = new Set<string>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.add(params.uri);
    });
    await client.connect(
      transport === 'HTTP'
        ? new StreamableHTTPClientTransport(new URL('/mcp', (await start(env)).url))
        : new StdioClientTransport({
            command: process.execPath,
            args: [MAIN, 'stdio'],
            env,
            stderr: 'ignore',
          }),
    );
    const uris = ['kb://entries', `kb://entries/${id}`];
    if (modern) await client.listen({ resourceSubscriptions: uris });
    else for (const uri of uris) await client.subscribeResource({ uri });
    // A change before the room is open notifies no client, so changes are made until it is.
    const told = async () => {
      await add(`something new of process ${process.pid}, ${crypto.randomUUID()}`);
      return [...updated];
    };
    await expect.poll(told, { ...SOON, interval: 300 }).toEqual(['kb://entries']);
    await store.removeEntry('tester', id);
    await expect.poll(() => updated, SOON).toContain(`kb://entries/${id}`);
  },
);
