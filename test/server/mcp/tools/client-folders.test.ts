import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { localCaller } from '../../../../src/caller.ts';
import { createLog } from '../../../../src/log.ts';
import { noMetrics } from '../../../../src/metrics.ts';
import { defineOperation } from '../../../../src/operation.ts';
import type { OperationPipeline } from '../../../../src/server/invoke.ts';
import { createMcpServer } from '../../../../src/server/mcp/mcp.ts';
import { environment, startMagpie, temporaryFolder } from '../../../helpers/magpie.ts';
import { rooms } from '../../../helpers/stack.ts';
import { runStdio } from '../../../helpers/stdio-run.ts';

/** `scan` of `.` takes the folder that the client works in: it names it by its roots, over stdio, in both protocol eras. */

const folder = temporaryFolder();
const env = environment(join(folder.path, 'data'));
const [shop, other, secret] = ['shop', 'other', 'elsewhere'].map((name) => {
  const path = join(folder.path, name);
  mkdirSync(join(path, 'src'), { recursive: true });
  writeFileSync(join(path, 'src', 'app.py'), 'import yaml\nyaml.load(open("x").read())\n');
  return path;
}) as [string, string, string];
afterAll(() => folder.remove());

type Result = { isError?: boolean; content: [{ text: string }]; structuredContent?: unknown };

async function connect(
  roots: readonly string[] | undefined,
  { modern = false, url }: { modern?: boolean; url?: string } = {},
) {
  const asked: string[] = [];
  const state = { roots: roots ?? [] };
  const client = new Client(
    { name: 'rooted', version: '1.0.0' },
    {
      ...(modern && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
      ...(roots && { capabilities: { roots: { listChanged: true } } }),
    },
  );
  if (roots) {
    client.setRequestHandler('roots/list', async () => {
      asked.push('roots');
      return { roots: state.roots.map((path) => ({ uri: pathToFileURL(path).href })) };
    });
  }
  await client.connect(
    url === undefined ? runStdio(env).transport : new StreamableHTTPClientTransport(new URL('/mcp', url)),
  );
  const scan = async (given: object) => {
    const answer = (await client.callTool({ name: 'scan', arguments: { ...given } })) as unknown as Result;
    const data = (answer.structuredContent as { data?: { repository: string; files: number } } | undefined)
      ?.data;
    return { isError: answer.isError === true, text: answer.content[0].text, ...data };
  };
  return { asked, state, scan, client };
}

describe.each([false, true])('a client of 2026: %s', (modern) => {
  test('is asked once for its folders, and relative paths start there', async () => {
    const { asked, scan, client } = await connect([shop], { modern });
    expect(await scan({ repository: '.' })).toMatchObject({ isError: false, repository: shop, files: 1 });
    expect(await scan({ repository: './src' })).toMatchObject({ repository: join(shop, 'src'), files: 1 });
    expect(await scan({})).toMatchObject({ repository: shop });
    expect(await scan({ repository: shop })).toMatchObject({ repository: shop });
    expect(asked).toEqual(['roots']);
    await client.close();
  });

  test('cannot scan a path outside its folders', async () => {
    const { scan, client } = await connect([shop], { modern });
    for (const repository of [secret, '../elsewhere', pathToFileURL(secret).href]) {
      const answer = await scan({ repository });
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('is in none of the folders that may be scanned');
    }
    await client.close();
  });

  test('with several folders must name one, and without roots must give a repository', async () => {
    const { scan, client } = await connect([shop, other], { modern });
    const answer = await scan({ repository: '.' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(`give the whole path of one ("${shop}", "${other}")`);
    expect(await scan({ repository: other })).toMatchObject({ isError: false, repository: other });
    await client.close();
    const bare = await connect(undefined, { modern });
    expect((await bare.scan({ repository: '.' })).text).toContain('MAGPIE_SCAN_ROOTS');
    expect((await bare.scan({})).text).toContain('repository is required');
    await bare.client.close();
  });
});

test('a client is asked again after its folders change', async () => {
  const { asked, state, scan, client } = await connect([shop]);
  expect(await scan({})).toMatchObject({ repository: shop });
  state.roots = [other];
  await client.sendRootsListChanged();
  expect(await scan({})).toMatchObject({ repository: other });
  expect(asked).toHaveLength(2);
  await client.close();
});

describe('a client that declares folders and does not name them', () => {
  const look = defineOperation({
    name: 'look',
    title: 'Look',
    description: 'Counts the folders of the client.',
    toolset: 'security',
    routes: [],
    effect: 'read',
    openWorld: false,
    scope: 'scan',
    input: z.object({}),
    output: z.object({ folders: z.number() }),
    example: {},
    inFolders: () => true,
    run: async (_input, { folders }) => ({ folders: folders.length }),
    render: ({ folders }) => `${folders} folders`,
  });

  async function connectTo(answer: () => Promise<{ roots: { uri: string }[] }>) {
    const pipe: OperationPipeline = {
      catalog: { operations: [look], prompts: [] },
      services: rooms({}),
      log: createLog('silent', () => {}),
      metrics: noMetrics,
      callTimeout: 60_000,
      responseBytes: 1_000_000,
      running: new Set(),
    };
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await createMcpServer(pipe, new Set(['look']), localCaller('ada', 'stdio')).connect(ours);
    const client = new Client({ name: 'rooted', version: '1' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', answer);
    await client.connect(theirs);
    return client;
  }

  test('is asked once and then served without folders', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let asked = Promise.withResolvers<void>();
      const client = await connectTo(() => {
        asked.resolve();
        return new Promise(() => {});
      });
      const first = client.callTool({ name: 'look' });
      await asked.promise;
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await first).structuredContent).toEqual({ folders: 0 });
      asked = Promise.withResolvers<void>();
      const second = client.callTool({ name: 'look' });
      await expect(Promise.race([second, asked.promise])).resolves.toMatchObject({
        structuredContent: { folders: 0 },
      });
      await client.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is served without folders if it refuses', async () => {
    const client = await connectTo(async () => {
      throw new Error('no folders here');
    });
    expect((await client.callTool({ name: 'look' })).structuredContent).toEqual({ folders: 0 });
    await client.close();
  });
});

test('over HTTP a client is not asked for its folders', async () => {
  const magpie = await startMagpie(env);
  const { asked, scan, client } = await connect([shop], { url: magpie.url });
  expect((await scan({ repository: shop })).isError).toBe(true);
  expect(asked).toEqual([]);
  await client.close();
  await magpie.stop();
});
