import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { prompts } from '../../prompts/index.ts';
import { type AccessScope, type Caller, localCaller } from '../../src/caller.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics } from '../../src/metrics.ts';
import { type OperationCatalog, removeUnavailableMentions, TOOLSETS } from '../../src/operation.ts';
import { type OperationPipeline, selectCatalog } from '../../src/server/invoke.ts';
import { createMcpServer } from '../../src/server/mcp/mcp.ts';
import { operations } from '../../tools/index.ts';
import { complianceText } from '../../tools/schemas/compliance.ts';
import { monitorAnswer, monitorText } from '../../tools/schemas/monitor.ts';
import { scanAnswer } from '../../tools/schemas/scan.ts';
import { scanText } from '../../tools/schemas/scan-text.ts';
import { rooms } from '../helpers/stack.ts';

/** A toolset is closed: what its tools, prompts and texts name is in it. */

const CATALOG: OperationCatalog = { operations, prompts };
const NAMES = operations.map(({ name }) => name);
/** Names that are English words: a text names the tool only where it points to one. */
const WORDS = 'search browse query insert document scan list help reset hybrid'.split(' ');

/** The operations that a text names, judged apart from the product's own way to tell. */
function named(text: string): string[] {
  return NAMES.filter((name) =>
    (WORDS.includes(name)
      ? new RegExp(`\\b(?:with|by|as|like|use|call|tool|operation|from) ${name}\\b`)
      : new RegExp(`(?<![\\w/])${name}\\b`)
    ).test(text),
  );
}

interface Offer {
  readonly toolsets: readonly string[];
  readonly readOnly?: boolean;
  readonly scopes?: readonly AccessScope[];
}

/** A real client of a server with that offer. */
async function connect({ toolsets, readOnly = false, scopes }: Offer) {
  const pipe: OperationPipeline = {
    catalog: selectCatalog(CATALOG, { readOnly, toolsets: [], tools: [] }),
    services: rooms({}),
    log: createLog('silent', () => {}),
    metrics: noMetrics,
    callTimeout: 10_000,
    responseBytes: 1_000_000,
    running: new Set(),
  };
  const shown = new Set(
    selectCatalog(CATALOG, { readOnly, toolsets, tools: [] }).operations.map(({ name }) => name),
  );
  const local = localCaller('ada', 'stdio');
  const caller: Caller = scopes ? { ...local, scopes: new Set(scopes) } : local;
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(pipe, shown, caller).connect(ours);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  return client;
}

const SETS = ['essential', ...TOOLSETS];
const OFFERS: readonly Offer[] = [
  { toolsets: [] },
  ...SETS.map((one) => ({ toolsets: [one] })),
  ...SETS.flatMap((one, at) => SETS.slice(at + 1).map((other) => ({ toolsets: [one, other] }))),
  ...[[], ['essential'], ...TOOLSETS.map((one) => [one])].map((toolsets) => ({ toolsets, readOnly: true })),
  ...(['read', 'write', 'scan', 'monitor'] as const).flatMap((scope) => [
    { toolsets: [], scopes: [scope] },
    { toolsets: ['essential'], scopes: [scope] },
  ]),
  { toolsets: ['essential'], scopes: ['read', 'write'] },
];

describe.each(OFFERS.map((offer) => [JSON.stringify(offer), offer] as const))('%s', (_title, offer) => {
  test('every tool named in a text is offered', async () => {
    const client = await connect(offer);
    const { tools } = await client.listTools();
    const offered = new Set(tools.map(({ name }) => name));
    const texts = new Map([['the instructions', client.getInstructions() ?? '']]);
    for (const { name, description = '', inputSchema } of tools) {
      expect(description).toMatch(/^["A-Z].*\.$/);
      texts.set(name, `${description} ${JSON.stringify(inputSchema)}`);
    }
    const { prompts: listed } = await client.listPrompts();
    for (const prompt of listed) {
      const q = prompt.name === 'browse' ? 'https://example.com/' : 'magpies';
      const given: Record<string, string> = prompt.arguments?.length ? { q } : {};
      const { messages } = await client.getPrompt({ name: prompt.name, arguments: given });
      const text = JSON.stringify(messages);
      expect(text).toMatch(/Call the tool \w+ with/);
      texts.set(`/${prompt.name}`, text);
    }
    for (const name of ['list', 'help'].filter((one) => offered.has(one))) {
      texts.set(name, JSON.stringify(await client.callTool({ name, arguments: {} })));
    }
    const absent = [...texts].map(([where, text]) => [
      where,
      named(text).filter((name) => !offered.has(name)),
    ]);
    expect(absent.filter(([, names]) => names?.length)).toEqual([]);
    await client.close();
  });
});

test('the essential tools include the undo and follow-up tools, and all fifteen commands work', async () => {
  const client = await connect({ toolsets: ['essential'] });
  const { tools } = await client.listTools();
  const offered = tools.map(({ name }) => name);
  for (const name of ['deleteEntry', 'stopMonitoring', 'listMonitors', 'getComplianceCheck', 'getScan']) {
    expect(offered).toContain(name);
  }
  const { prompts: listed } = await client.listPrompts();
  expect(listed).toHaveLength(15);
  const called = await Promise.all(
    ['savetopkb', 'pkb', 'pdfsearch', 'resetKnowledgeBase'].map(async (name) => {
      const { messages } = await client.getPrompt({ name, arguments: { q: 'magpies' } });
      return /Call the tool (\w+)/.exec(JSON.stringify(messages))?.[1];
    }),
  );
  expect(called).toEqual(['upsert', 'query', 'query', 'reset']);
  await client.close();
});

test('a command whose tool is not offered is not listed, and says so when it is requested', async () => {
  const client = await connect({ toolsets: [], scopes: ['read'] });
  const { prompts: listed } = await client.listPrompts();
  expect(listed.map(({ name }) => name)).not.toContain('upsert');
  expect(listed.map(({ name }) => name)).toContain('search');
  const { messages } = await client.getPrompt({ name: 'upsert', arguments: { q: 'x' } });
  expect(JSON.stringify(messages)).toContain('/upsert, which is not offered here');
  const commands = JSON.stringify(await client.callTool({ name: 'list', arguments: {} }));
  expect(commands).toContain('/upsert: Store text in the personal knowledge base (not offered here)');
  await client.close();
});

test('errors name no tool that is not offered', () => {
  const read = (name: string) => !['pdfload', 'startMonitoring', 'scan'].includes(name);
  const without = (text: string) => removeUnavailableMentions(text, NAMES, read);
  expect(without('there is no file "upsert; pdfload.pdf": no file is uploaded yet; pdfload says where')).toBe(
    'there is no file "upsert; pdfload.pdf": no file is uploaded yet',
  );
  expect(without('there is no monitor of x: startMonitoring makes one')).toBe('there is no monitor of x');
  expect(without('the scan failed: ask getScan')).toBe('the scan failed: ask getScan');
  expect(without('Scans. With what comes from scan. Ends.')).toBe('Scans. Ends.');
});

test('answers name no tool that is not offered', () => {
  const nothing = () => false;
  const all = () => true;
  const queued = { scan_id: 'a', status: 'queued', vulnerabilities: [], repository: 'r' };
  const more = { ...queued, status: 'completed', next_offset: 25 };
  const dead = {
    channel: 'webhook',
    event: 'e',
    alert: 1,
    title: 't',
    target: 't',
    at: 'a',
    attempts: 9,
    trouble: 'x',
  };
  const monitor = monitorAnswer.parse({
    success: true,
    data: {
      infrastructure_id: 'shop',
      status: 'active',
      options: { alert_threshold: 7, scan_interval: 300 },
      runs: { started: 'now', open_alerts: 0, deliveries: { waiting: 0, sent: 0, dead: 1 } },
      targets: [],
      findings: [],
      alerts: [],
      dead_deliveries: [dead],
    },
  });
  const check = { check_id: 'c', scope: 's', created_at: 'now', subjects: [], standards: [] };
  const compliance = { success: true, data: { ...check, status: 'completed' as const } };
  const texts = (offers: typeof all) => [
    ...[queued, more].map((data) => scanText(scanAnswer.parse({ success: true, data }), 'model', offers)),
    monitorText(monitor, 'model', offers),
    complianceText(compliance, 'model', offers),
    ...['listpdfs', 'listMonitors'].map((name) => {
      const operation = operations.find((one) => one.name === name);
      const empty = name === 'listpdfs' ? { matches: [] } : { success: true, data: { monitors: [] } };
      return operation?.render?.(empty, 'model', offers) ?? '';
    }),
  ];
  expect(texts(nothing).flatMap(named)).toEqual([]);
  expect(texts(all).map(named)).toEqual([
    ['getScan'],
    ['getScan'],
    ['resendNotices'],
    ['generateComplianceReport'],
    ['pdfload'],
    ['startMonitoring'],
  ]);
});
