import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { runStdio } from '../../helpers/stdio-run.ts';

/** A reset asks the user through the client, in both protocol eras and over both transports. */

const folder = temporaryFolder();
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

const INFO = { name: 'asking', version: '1.0.0' };
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** What the user answers. */
type Reply = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };

interface Asking {
  reply: Reply;
  readonly asked: string[];
  reset(more?: object): Promise<{ text: string; deleted: unknown; isError: boolean }>;
  close(): Promise<void>;
}

type Result = { content?: unknown; structuredContent?: unknown; isError?: unknown };

function asking(
  client: { close(): Promise<void> },
  call: (more: object) => Promise<unknown>,
  state: { reply: Reply; asked: string[] },
): Asking {
  return Object.assign(state, {
    async reset(more = {}) {
      const { content, structuredContent, isError } = (await call(more)) as Result;
      const [{ text }] = content as [{ text: string }];
      return {
        text,
        deleted: (structuredContent as { deleted?: number } | undefined)?.deleted,
        isError: isError === true,
      };
    },
    close: () => client.close(),
  });
}

async function v2(transport: 'http' | 'stdio', modern: boolean, forms: boolean): Promise<Asking> {
  const state = { reply: { action: 'cancel' } as Reply, asked: [] as string[] };
  const client = new Client(INFO, {
    ...(modern && MODERN),
    ...(forms && { capabilities: { elicitation: { form: {} } } }),
  });
  if (forms) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      state.asked.push(params.message);
      return state.reply;
    });
  }
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL('/mcp', magpie.url))
      : runStdio(env).transport,
  );
  return asking(client, (more) => client.callTool({ name: 'reset', arguments: { q: '', ...more } }), state);
}

async function v1(): Promise<Asking> {
  const state = { reply: { action: 'cancel' } as Reply, asked: [] as string[] };
  const client = new ClientV1(INFO, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    state.asked.push(params.message);
    return state.reply;
  });
  await client.connect(new HttpV1(new URL('/mcp', magpie.url)) as Parameters<ClientV1['connect']>[0]);
  return asking(client, (more) => client.callTool({ name: 'reset', arguments: { q: '', ...more } }), state);
}

const rest = async (path: string) => (await fetch(new URL(path, magpie.url))).json() as Promise<unknown>;
const records = async () => {
  const { matches } = (await rest('/metadatakb?q=')) as { matches: { metadata: { records: number } }[] };
  return matches[0]?.metadata.records;
};

beforeEach(async () => {
  await rest('/upsert?q=first');
  await rest('/upsert?q=second');
});

describe.each([
  ['HTTP, 2025 era', () => v2('http', false, true)],
  ['HTTP, 2026 era', () => v2('http', true, true)],
  ['stdio, 2025 era', () => v2('stdio', false, true)],
  ['stdio, 2026 era', () => v2('stdio', true, true)],
  ['HTTP, v1 client', v1],
] as const)('%s', (_name, connect) => {
  let client: Asking;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test.each([
    [{ action: 'decline' }],
    [{ action: 'cancel' }],
    [{ action: 'accept', content: { confirm: false } }],
  ] as [Reply][])('%j deletes nothing, and the answer says so [knowledge.asked]', async (reply) => {
    client.reply = reply;
    client.asked.length = 0;
    expect(await client.reset()).toEqual({
      text: 'Nothing was deleted: the user did not agree.',
      deleted: 0,
      isError: false,
    });
    expect(client.asked).toEqual([
      'Delete all 2 entries of the knowledge base? For 7 days this can be undone. Uploaded files stay.',
    ]);
    expect(await records()).toBe(2);
  });

  test('a confirmation deletes, and no question is asked when there is nothing to delete [knowledge.asked]', async () => {
    client.reply = { action: 'accept', content: { confirm: true } };
    client.asked.length = 0;
    expect(await client.reset()).toMatchObject({ deleted: 2, isError: false });
    expect(await records()).toBe(0);
    expect(client.asked).toHaveLength(1);
    expect(await client.reset()).toMatchObject({ deleted: 0, isError: false });
    expect(client.asked).toHaveLength(1);
    // Nor where it is undone.
    expect(await client.reset({ restore: 'latest' })).toMatchObject({ text: 'Restored 2 entries.' });
    expect(client.asked).toHaveLength(1);
    expect(await records()).toBe(2);
    await client.reset({ permanent: true });
    expect(client.asked[1]).toMatch(
      /^Delete all 2 entries of the knowledge base.* for good\? Uploaded files stay\.$/,
    );
    expect(await client.reset({ restore: 'all' })).toMatchObject({ text: expect.stringMatching(/^Nothing/) });
  });
});

test.each([
  ['2025', false],
  ['2026', true],
] as const)(
  'a reset by a %s client that cannot ask proceeds: the tool description requires the question',
  async (_era, modern) => {
    const client = await v2('http', modern, false);
    expect(await client.reset()).toMatchObject({ deleted: 2, isError: false });
    await client.close();
  },
);

test('the descriptions and hints of the resets require a confirmation by the user', async () => {
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url)));
  const { tools } = await client.listTools();
  const resets = tools.filter(({ name }) => name.startsWith('reset'));
  expect(resets).toHaveLength(2);
  for (const { description, annotations } of resets) {
    expect(description).toMatch(/only after the user has clearly confirmed/i);
    expect(annotations).toMatchObject({ destructiveHint: true, readOnlyHint: false });
  }
  await client.close();
});
