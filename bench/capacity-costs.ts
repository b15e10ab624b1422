import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { DATABASE_FILE } from '../src/storage/sqlite.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../test/helpers/magpie.ts';
import { passageTexts, questionFrom } from './kb-data.ts';

/** What one operation takes of a node and of its database, through HTTP. */
export interface Cost {
  readonly operation: string;
  /** Milliseconds of processor time: of the node with its workers, and of the database's connections. */
  readonly nodeMs: number;
  readonly databaseMs: number;
  /** Bytes written: to PostgreSQL's log, or by the process to its files. */
  readonly written: number;
}

export interface Measured {
  readonly driver: 'SQLite' | 'PostgreSQL';
  readonly costs: readonly Cost[];
  /** Bytes of a passage in the database, with its words, vector and entry. */
  readonly passageBytes: number;
  /** Of the node at the end. */
  readonly residentMb: number;
}

const TICK_MS = 10;
/** The shortest interval that a monitor takes. */
const INTERVAL_S = 10;

/** How much is measured. */
export interface Amount {
  readonly inserts: number;
  readonly searches: number;
  readonly scans: number;
  /** Pages that are watched, and for how long: only until one has been probed where it is 0. */
  readonly monitors: number;
  readonly probedSeconds: number;
  /** Milliseconds for which a node that has settled has done nothing. */
  readonly quietMs: number;
}
const SCANNED = fileURLToPath(new URL('../src/access', import.meta.url));

/** @param url of an empty database; the data folder's file when left out */
export async function measureCosts(url: string | undefined, amount: Amount): Promise<Measured> {
  const folder = temporaryFolder();
  const copy = temporaryFolder();
  const repository = join(copy.path, 'scanned');
  cpSync(SCANNED, repository, { recursive: true, filter: (path) => !path.includes('stores') });
  const site = await startSite();
  const env = {
    ...environment(folder.path),
    MAGPIE_ENGINES: 'searxng',
    MAGPIE_SEARXNG_URL: site.url,
    MAGPIE_ALLOW_HOSTS: site.host,
    MAGPIE_SCAN_ROOTS: copy.path,
    MAGPIE_INVENTORY: writeInventory(copy.path, site.url, amount.monitors),
    MAGPIE_RATE_REQUESTS: '0',
    MAGPIE_RATE_CONCURRENT: '0',
    ...(url !== undefined && { DATABASE_URL: url }),
  };
  const run = await runMagpie(
    ['key', 'create', '--scope', 'read,write,scan,monitor', '--user', 'ada', '--json'],
    env,
  );
  const key = JSON.parse(run.stdout).key as string;
  const server = await spawnServer(env);
  const database = url === undefined ? undefined : await openMeter(url);
  try {
    return await measure({ server, key, site, database, repository, folder: folder.path, amount });
  } finally {
    await server.stop();
    await database?.end();
    site.stop();
    folder.remove();
    copy.remove();
  }
}

/** What is watched: targets of this machine stand in the inventory. */
function writeInventory(folder: string, url: string, monitors: number): string {
  const file = join(folder, 'inventory.yaml');
  const pages = Array.from(
    { length: monitors },
    (_, at) => `  page${at}:\n    urls: [${url}/watched/${at}]\n`,
  );
  writeFileSync(file, `infrastructure:\n${pages.join('')}`);
  return file;
}

interface Place {
  readonly server: RunningProcess;
  readonly key: string;
  readonly site: Awaited<ReturnType<typeof startSite>>;
  readonly database: DatabaseMeter | undefined;
  readonly folder: string;
  /** A folder of files to scan. */
  readonly repository: string;
  readonly amount: Amount;
}

async function measure(place: Place): Promise<Measured> {
  const { inserts, searches, scans } = place.amount;
  const next = passageTexts();
  const texts: string[] = [];
  const get = (path: string, values: Readonly<Record<string, string>>) => {
    const target = new URL(path, place.server.url);
    for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
    return call(target, place.key);
  };
  const insert = async () => {
    const text = next();
    texts.push(text);
    await get('/insert', { q: text });
  };
  // Models, rooms and prepared statements are loaded once.
  for (let at = 0; at < Math.min(20, inserts); at++) await insert();
  await get('/query', { q: 'first question' });
  await settled(place);
  const bytesBefore = await storedBytes(place);
  const costs = [await costOf(place, 'insert of a passage of 80 words, with its vector', inserts, insert)];
  const passageBytes = ((await storedBytes(place)) - bytesBefore) / inserts;
  const questions = Math.ceil(inserts / 3);
  costs.push(
    await costOf(place, 'query, five words', questions, async (at) => {
      await get('/query', { q: questionFrom(texts[at % texts.length] ?? '', Math.random) });
    }),
    await costOf(place, 'search that reads three pages, without the network', searches, async (at) => {
      await get('/search', { q: `herons ${at}`, percentile: '10', numofpages: '3' });
    }),
    await costOf(place, `scan of ${readdirSync(place.repository).length} files of TypeScript`, scans, () =>
      scan(place),
    ),
    await probeCost(place),
  );
  const driver = place.database ? 'PostgreSQL' : 'SQLite';
  return { driver, costs, passageBytes, residentMb: residentMb(place.server.process.pid ?? 0) };
}

async function call(url: URL, key: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`${url.pathname} was answered with ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Of files that differ from those of the scan before: what has not changed is kept. */
async function scan({ server, key, repository }: Place): Promise<void> {
  for (const file of readdirSync(repository, { recursive: true, withFileTypes: true }))
    if (file.isFile()) appendFileSync(join(file.parentPath, file.name), '\n// again\n');
  const begun = await call(new URL('/v1/scan', server.url), key, { repository });
  let { scan_id: id, status } = begun.data as ScanState;
  while (status !== 'completed') {
    if (status === 'failed') throw new Error(`the scan ${id} failed`);
    await wait(50);
    const { data } = await call(new URL(`/v1/scan/${id}`, server.url), key);
    ({ scan_id: id, status } = data as ScanState);
  }
}

interface ScanState {
  readonly scan_id: string;
  readonly status: string;
}

/** Pages of a local server, each watched at the interval. */
async function probeCost(place: Place): Promise<Cost> {
  const { server, key, site, amount } = place;
  const atStart = await reading(place);
  for (let at = 0; at < amount.monitors; at++) {
    await call(new URL('/v1/monitor/start', server.url), key, {
      infrastructure_id: `page${at}`,
      monitoring_options: { scan_interval: INTERVAL_S },
    });
  }
  if (amount.probedSeconds === 0) {
    while (site.watched() === 0) await wait(20);
    return costBetween('probe of a page', atStart, await reading(place), site.watched());
  }
  await wait(1.5 * INTERVAL_S * 1000);
  const before = await reading(place);
  const probes = site.watched();
  await wait(amount.probedSeconds * 1000);
  return costBetween('probe of a page', before, await reading(place), site.watched() - probes);
}

async function costOf(
  place: Place,
  operation: string,
  count: number,
  work: (at: number) => Promise<void>,
): Promise<Cost> {
  const before = await reading(place);
  for (let at = 0; at < count; at++) await work(at);
  await settled(place);
  return costBetween(operation, before, await reading(place), count);
}

interface Reading {
  readonly node: number;
  readonly database: number;
  readonly written: number;
}

function costBetween(operation: string, before: Reading, after: Reading, count: number): Cost {
  return {
    operation,
    nodeMs: (after.node - before.node) / count,
    databaseMs: (after.database - before.database) / count,
    written: (after.written - before.written) / count,
  };
}

async function reading({ server, database }: Place): Promise<Reading> {
  const pid = server.process.pid ?? 0;
  if (!database) return { node: treeMs(pid), database: 0, written: writtenBytes(pid) };
  return { node: treeMs(pid), ...(await database.read()) };
}

interface DatabaseMeter {
  /** Milliseconds of all connections of the node so far, ended ones included, and the place in the log. */
  read(): Promise<Pick<Reading, 'database' | 'written'>>;
  storedBytes(): Promise<number>;
  end(): Promise<void>;
}

const CONNECTIONS = `SELECT pid, pg_current_wal_insert_lsn() - '0/0' AS at FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'magpie%'`;
/** Milliseconds between two readings: what a connection has used since the last one is lost when it ends. */
const METER_MS = 500;

async function openMeter(url: string): Promise<DatabaseMeter> {
  const client = new pg.Client({ connectionString: url, application_name: 'capacity' });
  await client.connect();
  const used = new Map<number, number>();
  const read = async () => {
    const { rows } = await client.query<{ pid: number; at: string }>(CONNECTIONS);
    for (const { pid } of rows) used.set(pid, Math.max(ownMs(pid), used.get(pid) ?? 0));
    const database = [...used.values()].reduce((sum, ms) => sum + ms, 0);
    return { database, written: Number(rows[0]?.at ?? 0) };
  };
  const timer = setInterval(() => void read().catch(() => {}), METER_MS);
  return {
    read,
    async storedBytes() {
      const { rows } = await client.query<{ bytes: string }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      return Number(rows[0]?.bytes);
    },
    async end() {
      clearInterval(timer);
      await client.end();
    },
  };
}

/** Until the node has done nothing for a while: vectors are made behind the answers. */
async function settled({ server, amount }: Place): Promise<void> {
  const pid = server.process.pid ?? 0;
  const checkMs = amount.quietMs / 3;
  for (let quiet = 0, last = treeMs(pid); quiet < 3; ) {
    await wait(checkMs);
    const now = treeMs(pid);
    quiet = now - last <= 2 * TICK_MS ? quiet + 1 : 0;
    last = now;
  }
}

/** proc_pid_stat(5): utime and stime are the 14th and 15th, the parent the 4th. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Ended children that were waited for are counted by the process itself. */
function ownMs(pid: number, ended = false): number {
  const fields = statOf(pid);
  const count = (at: number) => Number(fields[at] ?? 0);
  return TICK_MS * (count(11) + count(12) + (ended ? count(13) + count(14) : 0));
}

function treeMs(pid: number): number {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(statOf(Number(name))[1]) === pid,
  );
  return children.reduce((sum, name) => sum + treeMs(Number(name)), ownMs(pid, true));
}

function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
}

function residentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4096) / 1024 ** 2;
}

async function storedBytes({ database, folder }: Place): Promise<number> {
  if (database) return database.storedBytes();
  const file = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
  const size = file
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get();
  file.close();
  return Number(size?.bytes);
}

const PARAGRAPH =
  'Herons wade in shallow water and wait for fish while magpies build a nest of mud and twigs. ';

/** A search engine with three pages of 20 KB a question, and pages that are watched. */
async function startSite() {
  let watched = 0;
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/watched/')) {
      watched++;
      response.setHeader('content-type', 'text/plain').end('here');
      return;
    }
    if (url.startsWith('/search')) {
      const question = encodeURIComponent(new URL(url, 'http://a').searchParams.get('q') ?? '');
      const results = [1, 2, 3].map((page) => ({
        url: `http://${host}/${question}/${page}`,
        title: `Page ${page}`,
        content: 'herons',
      }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
      return;
    }
    const body = Array.from({ length: 55 }, (_, at) => `<p>${at} ${PARAGRAPH.repeat(4)}</p>`).join('');
    response
      .setHeader('content-type', 'text/html')
      .end(`<html><head><title>Herons</title></head><body><article>${body}</article></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ host, url: `http://${host}` },
    watched: () => watched,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
