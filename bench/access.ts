import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateKeyId } from '../src/access/keys/key.ts';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/log.ts';
import { openDatabase } from '../src/storage/sqlite.ts';
import { createServices } from '../src/wiring/services.ts';
import { median, printTable, whole } from './figures.ts';
import { ACCEPT, busy, httpCaller, META, type Started, start } from './surface-callers.ts';

/**
 * What the check of a key adds to a request, limits and the record of use included: `magpie serve` open, with
 * one key, and with `--keys <n>` (100,000 without), in turn in the same run. The call itself does next to nothing, so the share is
 * the largest there is. A second open server shows how far the figures are noise. Calls a second depend on
 * whatever else the machine does; the least processor time of the server's main thread, of all rounds, depends on it
 * little. `--rounds <n>` of `--seconds <s>` each: 9 of 0.5 without.
 */

/** How much is called. */
interface Amount {
  readonly rounds: number;
  readonly seconds: number;
}
const CALLERS = [1, 16];
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A call over REST and over MCP: of the same small operation. */
interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}
const CALLS: readonly Call[] = [
  { name: 'REST /list', method: 'GET', path: '/list', headers: {} },
  {
    name: 'MCP tools/call list',
    method: 'POST',
    path: '/mcp',
    headers: {
      ...ACCEPT,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list', arguments: {}, _meta: META },
    }),
  },
];

interface Server extends Started {
  readonly name: string;
  readonly headers: Record<string, string>;
  remove(): void;
}

export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '0.5' },
      keys: { type: 'string', default: '100000' },
    },
  });
  const amount = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  const keys = Number(values.keys);
  const servers = [
    await serve('open', 0),
    await serve('open, again', 0),
    await serve('1 key', 1),
    await serve(`${whole(keys)} keys`, keys),
  ];
  const rows: string[][] = [];
  try {
    for (const call of CALLS) {
      for (const callers of CALLERS) rows.push(...(await compare(servers, call, callers, amount)));
    }
  } finally {
    for (const server of servers) server.remove();
  }
  printTable(['call', 'callers', 'server', 'calls/s', 'to open', 'processor, µs a call', 'to open'], rows);
}

/** Rounds go through the servers in turn, and each is set beside the open one of its own round. */
async function compare(
  servers: readonly Server[],
  call: Call,
  callers: number,
  { rounds, seconds }: Amount,
): Promise<string[][]> {
  for (const server of servers) await rate(server, call, callers, seconds);
  const rates = servers.map((): Rate[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries()) {
      rates[index]?.push(await rate(server, call, callers, seconds));
    }
  }
  const open = rates[0] ?? [];
  const share = (value: number) => `${value < 0 ? '' : '+'}${(value * 100).toFixed(1)}%`;
  return servers.map(({ name }, index) => {
    const own = (rates[index] ?? []).map(({ calls }) => calls);
    const added = own.map((calls, round) => (open[round]?.calls ?? calls) / calls - 1);
    const least = (of: readonly Rate[]) => Math.min(...of.map(({ each }) => each));
    const processor = least(rates[index] ?? []);
    const more = processor / least(open) - 1;
    const [slower, busier] = index === 0 ? ['', ''] : [share(median(added)), share(more)];
    return [call.name, String(callers), name, whole(median(own)), slower, processor.toFixed(1), busier];
  });
}

/** Calls ended a second, and microseconds of the main thread for each. */
interface Rate {
  readonly calls: number;
  readonly each: number;
}

/** With `callers` calls always under way. */
async function rate(server: Server, call: Call, callers: number, seconds: number): Promise<Rate> {
  const [origin = ''] = server.urls;
  const { name, ...request } = call;
  const headers = { ...call.headers, ...server.headers };
  const before = busy(server.pid);
  const began = performance.now();
  const until = began + seconds * 1000;
  let ended = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const answer = await httpCaller.request({ origin, ...request, headers });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode}: ${text}`);
        ended++;
      }
    }),
  );
  const calls = ended / ((performance.now() - began) / 1000);
  return { calls, each: ((busy(server.pid) - before) * 1000) / ended };
}

async function serve(name: string, keys: number): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const settings = {
    MAGPIE_DATA: folder,
    MAGPIE_PORT: '0',
    MAGPIE_USER: 'bench',
    MAGPIE_RATE_REQUESTS: '10000000',
  };
  const env = { ...process.env, ...settings };
  let headers: Record<string, string> = {};
  if (keys > 0) {
    const services = createServices(loadConfig({}, env), createLog('error'));
    const { key } = await (await services.identity.access()).keys.createKey({
      user: 'bench',
      scopes: ['read'],
    });
    headers = { authorization: `Bearer ${key}` };
    await services.lifecycle.close();
    await fill(folder, keys - 1);
  }
  const started = await start([MAIN, 'serve'], env);
  return { ...started, name, headers, remove: () => removeAll(started, folder) };
}

function removeAll({ stop }: Started, folder: string): void {
  stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Keys of other users, written at once: each by itself would be durable by itself. */
async function fill(folder: string, count: number): Promise<void> {
  const db = await openDatabase({ folder });
  await db.write((sql) => {
    for (let made = 0; made < count; made++) {
      sql.run(
        `INSERT OR IGNORE INTO access_keys (id, user, name, prefix, hash, scopes, created_at)
         VALUES (?, ?, '', 'magpie_xxxx', ?, 'read', ?)`,
        generateKeyId(),
        `user${made}`,
        randomBytes(32),
        Date.now(),
      );
    }
  });
  db.close();
}
