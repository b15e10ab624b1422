import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localCaller } from '../../../../src/caller.ts';
import { loadConfig } from '../../../../src/config/config.ts';
import { createLog } from '../../../../src/log.ts';
import { createChangeNotifications } from '../../../../src/server/mcp/resources/change-notifications.ts';
import { notifyOfChanges } from '../../../../src/server/mcp/resources/subscriptions.ts';
import { createServices } from '../../../../src/wiring/services.ts';
import { withoutModel } from '../../../helpers/embeddings-api.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../../../helpers/magpie.ts';
import { runStdio } from '../../../helpers/stdio-run.ts';

/** The knowledge base as resources, and notices of its changes. */

const folder = temporaryFolder();
const INFO = { name: 'reading', version: '1.0.0' };
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
let env: Record<string, string>;
let magpie: Running;

beforeAll(async () => {
  env = { ...environment(folder.path), ...(await withoutModel()) };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const rest = async (path: string) =>
  (await fetch(new URL(path, magpie.url))).json() as Promise<{ id: string }>;
const http = () => new StreamableHTTPClientTransport(new URL('/mcp', magpie.url));

async function connect(transport: 'http' | 'stdio', modern: boolean): Promise<Client> {
  const client = new Client(INFO, modern ? MODERN : {});
  open.push(client);
  await client.connect(transport === 'http' ? http() : runStdio(env).transport);
  return client;
}

async function json(client: Client, uri: string): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents as { uri: string; mimeType: string; text: string }[];
  expect(content).toMatchObject({ uri, mimeType: 'application/json' });
  return JSON.parse(content?.text ?? '') as Record<string, unknown>;
}

/** Everything of a list of resources, page by page; each page has at most 50. */
async function pagesOf(client: Client, first: string, list: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let next: string | undefined = first; next; ) {
    const page: Record<string, unknown> = await json(client, next);
    const some = page[list] as Record<string, unknown>[];
    expect(some.length).toBeLessThanOrEqual(50);
    items.push(...some);
    next = page.next as string | undefined;
  }
  return items;
}

describe('entries, collections, tags and the trash', () => {
  const NUMBERS = Array.from({ length: 55 }, (_, i) => i);
  const clients: Client[] = [];
  let ids: string[];
  /** Runs the same for a client of each protocol era. */
  const inBothEras = async (run: (client: Client) => Promise<void>) => {
    for (const client of clients) await run(client);
  };

  beforeAll(async () => {
    for (const modern of [false, true]) clients.push(await connect('http', modern));
    open.length = 0;
    await rest('/reset?q=&permanent=true');
    ids = [];
    for (const i of NUMBERS) {
      const more = { collection: `Project ${i}`, key: `key ${i}`, tags: JSON.stringify([`tag/${i}`, 'all']) };
      const { id } = await rest(`/upsert?${new URLSearchParams({ q: `entry number ${i}`, ...more })}`);
      ids.unshift(id);
    }
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
  });

  test('a client reads the figures, pages of entries, and one entry [resource.kb]', () =>
    inBothEras(async (client) => {
      expect(await json(client, 'kb://stats')).toMatchObject({ records: 55, passages: 55 });
      expect((await pagesOf(client, 'kb://entries', 'entries')).map(({ id }) => id)).toEqual(ids);
      const uri = `kb://entries/${ids[7]}`;
      const { contents } = await client.readResource({ uri });
      expect(contents).toEqual([
        {
          uri,
          mimeType: 'text/plain',
          text: 'entry number 47',
          _meta: {
            collection: 'project 47',
            key: 'key 47',
            tags: ['tag/47', 'all'],
            createdAt: expect.stringMatching(/Z$/),
            updatedAt: expect.stringMatching(/Z$/),
          },
        },
      ]);
    }));

  test('entries are listed after the fixed resources, each once [resource.kb]', () =>
    inBothEras(async (client) => {
      const uris: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await client.request({ method: 'resources/list', params: cursor ? { cursor } : {} });
        expect(page.resources.length).toBeLessThanOrEqual(60);
        uris.push(...page.resources.map(({ uri }) => uri));
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor);
      expect(pages).toBeGreaterThan(1);
      expect(uris).toEqual(
        expect.arrayContaining([
          'page://recent',
          'kb://stats',
          'kb://entries',
          'kb://collections',
          'kb://tags',
          'kb://trash',
        ]),
      );
      expect(uris.filter((uri) => uri.startsWith('kb://entries/'))).toHaveLength(55);
      expect(new Set(uris).size).toBe(uris.length);
      await expect(client.listResources({ cursor: 'WzksIngiXQ' })).rejects.toThrow('it takes a nextCursor');
    }));

  test('collections and tags are read in pages, with the addresses of their entries [resource.kb]', () =>
    inBothEras(async (client) => {
      const collections = await pagesOf(client, 'kb://collections', 'collections');
      expect(collections.map(({ name }) => name)).toEqual(NUMBERS.map((i) => `project ${i}`).sort());
      expect(collections[0]).toMatchObject({ records: 1, uri: 'kb://collections/project%200' });
      const tags = await pagesOf(client, 'kb://tags', 'tags');
      expect(tags).toHaveLength(56);
      expect(tags[0]).toEqual({ name: 'all', records: 55, uri: 'kb://tags/all' });
      expect(tags[1]).toEqual({ name: 'tag/0', records: 1, uri: 'kb://tags/tag%2F0' });
      expect((await pagesOf(client, 'kb://tags/all', 'entries')).map(({ key }) => key)).toEqual(
        NUMBERS.map((i) => `key ${54 - i}`),
      );
      for (const uri of ['kb://collections/project%207', 'kb://tags/tag%2F7']) {
        expect(await pagesOf(client, uri, 'entries')).toMatchObject([
          { beginning: 'entry number 7', collection: 'project 7', key: 'key 7', tags: ['tag/7', 'all'] },
        ]);
      }
    }));

  test('the trash is read in pages, and no collection is left after a reset [resource.kb]', async () => {
    const { id: kept } = await rest(
      `/upsert?${new URLSearchParams({ q: 'another text', collection: 'project 7', key: 'key 7' })}`,
    );
    await rest('/reset?q=');
    const trash = [{ records: 55 }, { records: 1, beginning: 'entry number 7', replacedIn: kept }];
    await inBothEras(async (client) => {
      expect(await pagesOf(client, 'kb://trash', 'trash')).toMatchObject(trash);
      expect(await pagesOf(client, 'kb://collections', 'collections')).toEqual([]);
    });
    for (let i = 0; i < 51; i++) {
      const { id } = await rest(`/upsert?q=to+be+deleted+${i}`);
      await fetch(new URL('/deleteEntry', magpie.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id }),
      });
    }
    await inBothEras(async (client) => {
      const all = await pagesOf(client, 'kb://trash', 'trash');
      expect(new Set(all.map(({ id }) => id)).size).toBe(53);
    });
  });
});

describe.each([
  ['2025', false],
  ['2026', true],
] as const)('a client of %s', (_era, modern) => {
  beforeEach(() => rest('/reset?q='));

  test('completes the names of collections and tags [resource.kb]', async () => {
    const client = await connect('http', modern);
    await rest(`/upsert?q=one&collection=Garden+beds&tags=${encodeURIComponent('["red tulips"]')}`);
    await rest('/upsert?q=two&collection=work&tags=meetings');
    const complete = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion
        .values;
    expect(await complete('kb://collections/{collection}{?cursor}', 'collection', 'den b')).toEqual([
      'garden%20beds',
    ]);
    expect(await complete('kb://collections/{collection}{?cursor}', 'collection', '')).toEqual([
      'garden%20beds',
      'work',
    ]);
    expect(await complete('kb://tags/{tag}{?cursor}', 'tag', 'tulip')).toEqual(['red%20tulips']);
    for (const uri of [
      'kb://collections/nothing',
      'kb://tags/nothing',
      'kb://tags/%E0%A4%A',
      'kb://trash/1',
      'kb://tags?page=2',
    ]) {
      await expect(client.readResource({ uri })).rejects.toThrow('there is no resource');
    }
  });

  test('completes ids, and gets an error when an entry does not exist [resource.kb]', async () => {
    const client = await connect('http', modern);
    const { id } = await rest('/upsert?q=completed');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      expect.arrayContaining(['kb://entries/{id}', 'kb://entries{?cursor}', 'page://text/{url}']),
    );
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'kb://entries/{id}' },
      argument: { name: 'id', value: id.slice(0, 9) },
    });
    expect(completion.values).toEqual([id]);
    for (const uri of ['kb://entries/tester-1', 'kb://nothing', 'kb://entries/%E0%A4%A']) {
      await expect(client.readResource({ uri })).rejects.toThrow('there is no resource');
    }
    await expect(client.readResource({ uri: 'kb://entries?cursor=nonsense' })).rejects.toThrow();
  });
});

/** A client that writes down what it is told. */
interface Told {
  readonly updated: string[];
  readonly lists: { changed: number };
  follow(uris: string[]): Promise<void>;
  /** Lists that have changed are still told. */
  unfollow(uris: string[]): Promise<void>;
  keep(q: string): Promise<string>;
}

async function told(transport: 'http' | 'stdio', modern: boolean): Promise<Told> {
  const client = await connect(transport, modern);
  const updated: string[] = [];
  const lists = { changed: 0 };
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updated.push(params.uri),
  );
  client.setNotificationHandler('notifications/resources/list_changed', () => void lists.changed++);
  let stream: { close(): Promise<void> } | undefined;
  return {
    updated,
    lists,
    async follow(uris) {
      await stream?.close();
      if (modern) stream = await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris });
      else for (const uri of uris) await client.subscribeResource({ uri });
    },
    async unfollow(uris) {
      if (!modern) for (const uri of uris) await client.unsubscribeResource({ uri });
      await stream?.close();
      if (modern) stream = await client.listen({ resourcesListChanged: true });
    },
    async keep(q) {
      const { structuredContent } = await client.callTool({ name: 'upsert', arguments: { q } });
      return (structuredContent as { id: string }).id;
    },
  };
}

describe.each([
  ['HTTP', '2025', false],
  ['HTTP', '2026', true],
  ['stdio', '2025', false],
  ['stdio', '2026', true],
] as const)('over %s, a client of %s', (transport, _era, modern) => {
  test('is notified only of the subscribed changes [resource.notices]', async () => {
    await rest('/reset?q=');
    const client = await told(transport === 'HTTP' ? 'http' : 'stdio', modern);
    const lists = ['kb://stats', 'kb://collections', 'kb://tags', 'kb://trash'];
    await client.follow(lists);
    const id = await client.keep('watched');
    // Its own change is told before it is asked for.
    const heard = () => [...new Set(client.updated)].sort();
    await expect.poll(heard).toEqual(lists.toSorted());
    await client.unfollow(lists);
    client.updated.length = 0;
    await client.follow([...lists, `kb://entries/${id}`]);
    await client.keep('another');
    // A late notice of the entry's own change may still come.
    await expect.poll(() => heard().filter((uri) => !uri.endsWith(id))).toEqual(lists.toSorted());

    await client.unfollow([...lists, `kb://entries/${id}`]);
    const before = client.lists.changed;
    expect(before).toBeGreaterThan(0);
    client.updated.length = 0;
    await client.keep('unseen');
    // The addresses of a change would come right behind the word that lists have changed.
    await expect.poll(() => client.lists.changed).toBeGreaterThan(before);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.updated).toEqual([]);
  });
});

test('a changed entry is notified by its own address, and many changes at once are one notification [resource.notices]', async () => {
  const client = await told('http', true);
  const id = await client.keep('first words');
  await client.follow([`kb://entries/${id}`, 'kb://entries']);
  await rest(`/upsert?q=other+words&id=${id}`);
  await expect
    .poll(() => client.updated)
    .toEqual(expect.arrayContaining([`kb://entries/${id}`, 'kb://entries']));
  await new Promise((resolve) => setTimeout(resolve, 300));
  client.updated.length = 0;
  await Promise.all(Array.from({ length: 50 }, (_, i) => rest(`/upsert?q=many+${i}`)));
  await expect.poll(() => client.updated).toContain('kb://entries');
  expect(client.updated.length).toBeLessThan(25);
});

test('a client of the older SDK gets the same notifications [resource.notices]', async () => {
  const client = new ClientV1(INFO);
  open.push(client);
  const updated: string[] = [];
  const lists = { changed: 0 };
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void lists.changed++);
  await client.connect(new HttpV1(new URL('/mcp', magpie.url)) as Parameters<ClientV1['connect']>[0]);
  await client.subscribeResource({ uri: 'kb://entries' });
  await rest('/upsert?q=heard+by+the+older+client');
  await expect.poll(() => updated).toContain('kb://entries');
  expect(lists.changed).toBeGreaterThan(0);
});

test('a connection of 2025 has a maximum number of subscriptions', async () => {
  // Without what checks each address: that a thousand are there is not asked here.
  const services = createServices(loadConfig({}, env), createLog('silent'));
  const server = new Server(INFO, { capabilities: { resources: { subscribe: true } } });
  const notifications = createChangeNotifications(services, createLog('silent'));
  notifyOfChanges(server, localCaller('tester', 'stdio'), { notifications, era: 'legacy' }, async () => {});
  const client = new Client(INFO);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  for (let n = 0; n < 1000; n++) await client.subscribeResource({ uri: `kb://entries?cursor=&n=${n}` });
  const another = { uri: 'kb://entries?cursor=&n=1000' };
  await expect(client.subscribeResource(another)).rejects.toThrow('unsubscribe from some first');
  await client.subscribeResource({ uri: 'kb://entries?cursor=&n=7' });
  await client.unsubscribeResource({ uri: 'kb://entries?cursor=&n=7' });
  await client.subscribeResource(another);
  await client.close();
  notifications.close();
  await services.lifecycle.close();
});

test('the addresses and streams of one client are limited', async () => {
  await rest('/reset?q=');
  const older = await connect('http', false);
  const newer = await connect('http', true);
  const thousand = Array.from({ length: 1000 }, (_, i) => `kb://entries?cursor=&n=${i}`);
  const unknown = 'kb://entries/x-1';
  await expect(older.subscribeResource({ uri: unknown })).rejects.toThrow('there is no resource');
  await expect(newer.listen({ resourceSubscriptions: ['kb://stats', unknown] })).rejects.toThrow(
    'there is no resource',
  );
  await expect(newer.listen({ resourceSubscriptions: [...thousand, 'kb://stats'] })).rejects.toThrow(
    'at most 1000 addresses',
  );
  const streams = [];
  for (;;) {
    try {
      streams.push(await newer.listen({ resourceSubscriptions: ['kb://stats'] }));
    } catch (error) {
      expect(String(error)).toContain('streams of changes are open');
      break;
    }
    expect(streams.length).toBeLessThanOrEqual(100);
  }
  await streams[0]?.close();
  await expect
    .poll(() => newer.listen({ resourceSubscriptions: ['kb://stats'] }).then(() => 'open', String))
    .toBe('open');
});
