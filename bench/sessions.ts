import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Server } from '@modelcontextprotocol/server';
import {
  createSharedRateCounter,
  createSharedRateLimiter,
} from '../src/access/limits/shared-rate-limiter.ts';
import type { McpSessionStore } from '../src/access/session-store.ts';
import { createRateLimitStore } from '../src/access/stores/rates.ts';
import { createMcpSessionStore } from '../src/access/stores/sessions.ts';
import { localCaller } from '../src/caller.ts';
import { createLog } from '../src/log.ts';
import { createMcpEndpoint, type McpEndpoint } from '../src/server/mcp/mcp-http.ts';
import type { ChangeNotifications } from '../src/server/mcp/resources/change-notifications.ts';
import type { AnyDatabase } from '../src/storage/any-database.ts';
import { openNotices } from '../src/storage/postgres/notices.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import type { Services } from '../src/wiring/services.ts';
import { median, printTable } from './figures.ts';

/**
 * What a session of MCP 2025 costs a request where all nodes serve it, beside one in a server's memory: `ping`, without HTTP. And
 * what limits by the minute cost a request where all nodes count together.
 * `DATABASE_URL=postgres://... npm run bench -- sessions`; `--calls <n>`: 500 without.
 */

const AT_ONCE = 50;
const ADA = localCaller('ada', 'http');
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { calls: { type: 'string', default: '500' } } });
  const calls = Number(values.calls);
  const url = process.env.DATABASE_URL;
  if (!url?.startsWith('postgres')) {
    process.stdout.write('\n## sessions: left out, DATABASE_URL names no database\n');
    return;
  }
  const databases = [await openPostgres({ url }), await openPostgres({ url })];
  const notices = openNotices(url);
  const [first, second] = databases.map((db) => endpoint(createMcpSessionStore(db, notices)));
  const memory = endpoint(undefined);
  if (!first || !second) throw new Error('two nodes');
  try {
    const [own, shared] = [await begin(memory), await begin(first)];
    const times = {
      memory: [] as number[],
      same: [] as number[],
      turns: [] as number[],
      taken: [] as number[],
    };
    await ping(second, shared);
    for (let call = 0; call < calls; call++) {
      times.memory.push(await ping(memory, own));
      times.same.push(await ping(first, shared));
      times.turns.push(await ping(call % 2 === 0 ? first : second, shared));
    }
    for (let call = 0; call < calls / 10; call++) times.taken.push(await ping(second, await begin(first)));
    process.stdout.write(`\n## sessions: median of ${calls} calls of ping, without HTTP\n\n`);
    const row = (name: string, list: readonly number[]) => [name, median(list).toFixed(2)];
    printTable(
      ['session', 'ms a call'],
      [
        row('in the memory of one server', times.memory),
        row('of all nodes, at one node', times.same),
        row('of all nodes, at two in turns', times.turns),
        row('the first call at another node', times.taken),
      ],
    );
    await timeLimits(databases, calls);
  } finally {
    for (const one of [first, second, memory]) await one.close();
    await notices.close();
    for (const db of databases) {
      await db.remove((sql) => sql.run('DELETE FROM mcp_sessions WHERE owner = ?', ADA.id));
      await db.close();
    }
  }
}

function endpoint(store: McpSessionStore | undefined): McpEndpoint {
  const services = { identity: { sessions: async () => store } } as unknown as Services;
  const notifications: ChangeNotifications = {
    follow: () => () => {},
    includeOtherProcesses() {},
    beforeNotifying() {},
    countFollowers: () => 0,
    close() {},
  };
  return createMcpEndpoint(() => new Server({ name: 'bench', version: '1' }, { capabilities: {} }), {
    log: createLog('error', () => {}),
    notifications,
    services,
    gate: () => undefined,
    standingOf: () => 'valid',
    bodyBytes: 1_000_000,
  });
}

async function post(node: McpEndpoint, body: object, session?: string): Promise<Response> {
  const sent = JSON.stringify({ jsonrpc: '2.0', ...body });
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...HEADERS, ...(session !== undefined && { 'mcp-session-id': session }) },
    body: sent,
  });
  let ended = (_finished: boolean) => {};
  const answer = await node.fetch(request, ADA, {
    onClose: (done) => {
      ended = done;
    },
    incoming: Readable.from([Buffer.from(sent)]),
    countWork() {},
    takeTurn: async () => () => {},
    paceRefusal: async () => {},
  });
  await answer.clone().text();
  ended(true);
  return answer;
}

async function begin(node: McpEndpoint): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const answer = await post(node, { id: 0, method: 'initialize', params });
  return answer.headers.get('mcp-session-id') ?? '';
}

async function ping(node: McpEndpoint, session: string): Promise<number> {
  const from = performance.now();
  const answer = await post(node, { id: 1, method: 'ping' }, session);
  if (answer.status !== 200) throw new Error(`ping was answered with ${answer.status}`);
  return performance.now() - from;
}

/** A request is counted twice: for its address and for its key. */
async function timeLimits(databases: readonly AnyDatabase[], calls: number): Promise<void> {
  const nodes = databases.map((db) => {
    const counter = createSharedRateCounter(createRateLimitStore(db));
    const limit = { counter, quota: 1e6, windowMs: 60_000, now: Date.now };
    return [
      createSharedRateLimiter({ ...limit, policy: 'address' }),
      createSharedRateLimiter({ ...limit, policy: 'key' }),
    ];
  });
  const count = async (node: number, key: string): Promise<number> => {
    const startedAt = performance.now();
    for (const rate of nodes[node % nodes.length] ?? []) await rate.countRequest(key);
    return performance.now() - startedAt;
  };
  const [alone, together]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call++) alone.push(await count(call, 'a'));
  for (let call = 0; call < calls / 10; call++) {
    const keys = Array.from({ length: AT_ONCE }, (_, at) => `key ${at}`);
    together.push(...(await Promise.all(keys.map((key, at) => count(at, key)))));
  }
  process.stdout.write(`\n## limits by the minute at two nodes: median of a request's two counts\n\n`);
  printTable(
    ['requests', 'ms a request'],
    [
      ['one after the other', median(alone).toFixed(2)],
      [`${AT_ONCE} at once`, median(together).toFixed(2)],
    ],
  );
}
