import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startEmbeddingsApi } from './embeddings-api.ts';
import { exitOf } from './exit-of.ts';
import type { User } from './load-clients.ts';
import { environment, type RunningProcess, runMagpie, spawnServer, temporaryFolder } from './magpie.ts';
import { makePair, type PostgresPair } from './postgres-pair.ts';
import { makeProxy, type PostgresProxy } from './postgres-proxy.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

/** Two nodes, each with its own way to a PostgreSQL of the test's own, users with keys, and sites that they watch. */
export interface Fleet {
  readonly pair: PostgresPair;
  readonly ways: readonly PostgresProxy[];
  readonly nodes: { url: string; running: RunningProcess }[];
  readonly users: readonly User[];
  readonly site: WatchedSite;
  /** Names of what is watched there. */
  readonly watched: readonly string[];
  readonly receiver: Receiver;
  /** Starts a node in the place of one that has ended. */
  start(node: number, env?: Readonly<Record<string, string>>): Promise<void>;
  /** As an operator ends it; rejects where its exit code is not 0. */
  stop(node: number): Promise<void>;
  /** As the kernel ends a process that takes too much memory. */
  kill(node: number): Promise<void>;
  remove(): Promise<void>;
}

export interface WatchedSite {
  readonly url: string;
  /** Whether its pages answer 200, or 503. */
  up: boolean;
}

const USERS = 4;
const NODES = 2;
const WATCHED = Array.from({ length: 2 }, (_, at) => `shop${at}`);
/** Limits are counted, and hold up no one. */
const LIMITS = {
  MAGPIE_RATE_REQUESTS: '1000000',
  MAGPIE_RATE_CONCURRENT: '10000',
  MAGPIE_SCANS_KEPT: '10000',
};

async function startWatchedSite(): Promise<WatchedSite & { close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(site.up ? 200 : 503, { connection: 'close' }).end('<title>Shop</title>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const site = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    up: true,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

export async function startFleet(): Promise<Fleet> {
  const pair = await makePair(process.env.MAGPIE_TEST_POSTGRES ?? '');
  const ways = await Promise.all(Array.from({ length: NODES }, () => makeProxy(pair.primary)));
  const folders = Array.from({ length: NODES }, temporaryFolder);
  const [site, receiver] = await Promise.all([startWatchedSite(), startReceiver()]);
  // The processors are for what is tested: a model of its own would take most of them.
  const embeddings = await startEmbeddingsApi();
  const inventory = join(folders[0]?.path ?? '', 'infrastructure.yaml');
  const entries = WATCHED.map((id) => `  ${id}: { urls: ['${site.url}/${id}'] }\n`);
  writeFileSync(inventory, `infrastructure:\n${entries.join('')}`);
  const envOf = (node: number) => ({
    ...environment(folders[node]?.path ?? ''),
    ...LIMITS,
    DATABASE_URL: ways[node]?.url ?? '',
    MAGPIE_EMBEDDER: 'openai:words@64',
    OPENAI_BASE_URL: embeddings.url,
    OPENAI_API_KEY: 'sk-test',
    MAGPIE_INVENTORY: inventory,
    MAGPIE_MONITOR_WEBHOOK: receiver.url,
  });
  const users: User[] = [];
  for (let at = 0; at < USERS; at++) {
    const name = `user${at}`;
    const args = ['key', 'create', '--scope', 'read,write,scan,monitor', '--user', name, '--json'];
    const { stdout } = await runMagpie(args, envOf(0));
    users.push({ name, key: (JSON.parse(stdout) as { key: string }).key });
  }
  const starting = Array.from({ length: NODES }, async (_, node) => spawnServer(envOf(node)));
  const nodes = (await Promise.all(starting)).map((running) => ({ url: running.url, running }));
  await watch(nodes[0]?.url ?? '', users[0]?.key ?? '');
  return {
    ...{ pair, ways, nodes, users, site, receiver, watched: WATCHED },
    async start(node, env = {}) {
      const running = await spawnServer({ ...envOf(node), ...env });
      nodes[node] = Object.assign(nodes[node] ?? {}, { url: running.url, running });
    },
    stop: async (node) => {
      const running = nodes[node]?.running;
      const code = await running?.stop();
      // On a busy machine it has to end before all is closed (main.ts, STOP_MS), which is 1 without a word.
      const isCutShort = code === 1 && !/^magpie: /m.test(running?.stderr() ?? '');
      if (code !== 0 && !isCutShort)
        throw new Error(`a node that was stopped ended with ${code}: ${running?.stderr().slice(-3000)}`);
    },
    async kill(node) {
      const child = nodes[node]?.running.process;
      child?.kill('SIGKILL');
      if (child) await exitOf(child);
    },
    async remove() {
      for (const { running } of nodes) await running.stop();
      for (const way of ways) await way.close();
      site.close();
      await embeddings.close();
      await receiver.close();
      await pair.remove();
      for (const { remove } of folders) remove();
    },
  };
}

async function watch(url: string, key: string): Promise<void> {
  for (const infrastructure_id of WATCHED) {
    const response = await fetch(new URL('/v1/monitor/start', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        infrastructure_id,
        monitoring_options: { scan_interval: 10, alert_threshold: 7 },
      }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}
