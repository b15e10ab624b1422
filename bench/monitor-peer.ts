import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment, spawnServer, temporaryFolder } from '../test/helpers/magpie.ts';
import { printTable, whole } from './figures.ts';

/**
 * Magpie beside uptime-kuma on the same pages of this machine, one after the other: how long each takes to notify of a failure and of
 * its end, its processor time for 1,000 looks, its memory. uptime-kuma is a folder with its source and `npm ci --omit dev`, its SQLite
 * module built; its pages for people are not needed (an empty dist/index.html).
 */

const [PAGES, INTERVAL_S, REPEATS] = [100, 20, 6];
/** Milliseconds for all first looks, and for those that are counted. */
const [SETTLE_MS, COUNT_MS] = [30_000, 60_000];
const PATIENCE_MS = 180_000;
const PASSWORD = 'Xk9-quiet-Lamp-77';

interface Watcher {
  readonly name: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

export async function measurePeer(folder: string): Promise<void> {
  process.stdout.write(`\n## monitor: ${PAGES} pages, every ${INTERVAL_S} s, without retries\n\n`);
  const rows = [];
  for (const start of [startMagpie, (site: Site) => startKuma(folder, site)]) {
    const site = await startSite();
    const watcher = await start(site);
    try {
      rows.push(await measure(watcher, site));
    } finally {
      await watcher.stop();
      await site.close();
    }
  }
  printTable(
    [
      '',
      'failure, s: median',
      'most',
      'end of it, s: median',
      'most',
      'ms of processor per look',
      'resident MB',
    ],
    rows,
  );
}

async function measure({ name, pid }: Watcher, site: Site): Promise<string[]> {
  await sleep(SETTLE_MS);
  const [looks, used] = [site.looks(), processorMs(pid)];
  await sleep(COUNT_MS);
  const each = (processorMs(pid) - used) / (site.looks() - looks);
  const memory = /VmRSS:\s{0,9}(\d{1,9})/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const waits: [number[], number[]] = [[], []];
  for (let at = 0; at < REPEATS; at++) {
    for (const [kind, into] of waits.entries()) {
      into.push(await site.change(`p${at * 7}-`, kind === 0));
      // Not in step with the interval.
      await sleep(2000 + 1700 * at);
    }
  }
  const [down, up] = waits.map((all) => all.sort((a, b) => a - b)) as [number[], number[]];
  const middle = (all: readonly number[]) => (all[Math.floor(all.length / 2)] ?? 0).toFixed(1);
  const most = (all: readonly number[]) => (all.at(-1) ?? 0).toFixed(1);
  return [
    name,
    middle(down),
    most(down),
    middle(up),
    most(up),
    each.toFixed(1),
    whole(Number(memory) / 1024),
  ];
}

/** Milliseconds of processor time of a process, by Linux. */
function processorMs(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (user + system) * 10;
}

type Site = Awaited<ReturnType<typeof startSite>>;

/** Pages that fail when they are asked to, and a place for notifications. */
async function startSite() {
  const failing = new Set<string>();
  const told: string[] = [];
  let looks = 0;
  const pages = createServer(({ url = '' }, response) => {
    looks++;
    response
      .writeHead(failing.has(url) ? 500 : 200, { 'content-type': 'text/html' })
      .end('<title>A page</title>');
  });
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      told.push(body);
      response.end('ok');
    });
  });
  const [port, hook] = [await listen(pages), await listen(receiver)];
  return {
    pageOf: (at: number) => `http://127.0.0.1:${port}/p${at}-`,
    hook: `http://127.0.0.1:${hook}/`,
    looks: () => looks,
    /** Seconds until a notification names the page; infinite where none does. */
    async change(page: string, fails: boolean): Promise<number> {
      told.length = 0;
      const from = performance.now();
      if (fails) failing.add(`/${page}`);
      else failing.delete(`/${page}`);
      while (performance.now() - from < PATIENCE_MS) {
        if (told.some((one) => one.includes(page))) return (performance.now() - from) / 1000;
        await sleep(50);
      }
      return Number.POSITIVE_INFINITY;
    },
    async close() {
      for (const one of [pages, receiver]) {
        one.closeAllConnections();
        await new Promise((done) => one.close(done));
      }
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function startMagpie(site: Site): Promise<Watcher> {
  const folder = temporaryFolder();
  const inventory = join(folder.path, 'infrastructure.yaml');
  const urls = Array.from({ length: PAGES }, (_, at) => `      - ${site.pageOf(at)}\n`).join('');
  writeFileSync(inventory, `infrastructure:\n  all:\n    urls:\n${urls}`);
  const env = environment(join(folder.path, 'data'));
  const magpie = await spawnServer({
    ...env,
    MAGPIE_INVENTORY: inventory,
    MAGPIE_MONITOR_WEBHOOK: site.hook,
  });
  const response = await fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      infrastructure_id: 'all',
      monitoring_options: { scan_interval: INTERVAL_S, retries: 0 },
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  const stop = async () => {
    await magpie.stop();
    folder.remove();
  };
  return { name: 'Magpie', pid: magpie.process.pid ?? 0, stop };
}

interface Socket {
  on(event: string, done: (...values: unknown[]) => void): void;
  emit(event: string, ...values: unknown[]): void;
  close(): void;
}

/** On a data folder of its own. Its address is asked for by the client of its own folder. */
async function startKuma(folder: string, site: Site): Promise<Watcher> {
  const require = createRequire(join(folder, 'package.json'));
  const { io } = require('socket.io-client') as { io(url: string): Socket };
  const { version } = require('./package.json') as { version: string };
  const data = temporaryFolder();
  writeFileSync(join(data.path, 'db-config.json'), '{"type":"sqlite"}');
  const free = createServer();
  const port = await listen(free);
  await new Promise((done) => free.close(done));
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    UPTIME_KUMA_HOST: '127.0.0.1',
    UPTIME_KUMA_PORT: String(port),
  };
  const args = ['server/server.js', `--data-dir=${data.path}/`];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  const socket = io(`http://127.0.0.1:${port}`);
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  const ask = async (event: string, ...values: unknown[]) => {
    const answer = await new Promise<{ ok: boolean; msg?: string; id?: number }>((resolve) =>
      socket.emit(event, ...values, resolve),
    );
    if (!answer.ok) throw new Error(`uptime-kuma: ${event}: ${answer.msg}`);
    return answer;
  };
  await ask('setup', 'admin', PASSWORD);
  await ask('login', { username: 'admin', password: PASSWORD, token: '' });
  const hook = { name: 'hook', type: 'webhook', webhookURL: site.hook, webhookContentType: 'json' };
  const { id } = await ask('addNotification', hook, null);
  for (let at = 0; at < PAGES; at++) await ask('add', kumaMonitor(site.pageOf(at), id ?? 0));
  const stop = async () => {
    socket.close();
    const ended = new Promise((done) => child.on('exit', done));
    child.kill('SIGKILL');
    await ended;
    rmSync(data.path, { recursive: true, force: true });
  };
  return { name: `uptime-kuma ${version}`, pid: child.pid ?? 0, stop };
}

function kumaMonitor(url: string, notification: number) {
  return {
    type: 'http',
    name: url,
    url,
    method: 'GET',
    interval: INTERVAL_S,
    retryInterval: INTERVAL_S,
    resendInterval: 0,
    maxretries: 0,
    timeout: 16,
    maxredirects: 10,
    accepted_statuscodes: ['200-299'],
    notificationIDList: { [notification]: true },
    kafkaProducerBrokers: [],
    kafkaProducerSaslOptions: { mechanism: 'None' },
    conditions: [],
    rabbitmqNodes: [],
  };
}
