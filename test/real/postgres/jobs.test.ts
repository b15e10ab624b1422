import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres, type PostgresDatabase } from '../../../src/storage/postgres/open.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { exitOf } from '../../helpers/exit-of.ts';
import { bareRepository, type GitSite, startGitSite } from '../../helpers/git.ts';
import { loseConnections } from '../../helpers/lose-connection.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { silenceRuns } from '../../helpers/silent-runs.ts';

/** Background work on two nodes of one database, one of which is killed. */

const folder = temporaryFolder();
const BODY = randomBytes(600).toString('base64').replaceAll(/.{64}/g, '$&\n');
/** Four times as many as both nodes run at once. */
const SCANS = 16;
const KEY = `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${BODY}\n-----END RSA ${'PRIVATE'} KEY-----\n`;
let site: GitSite;
let place: PostgresPlace;
let db: PostgresDatabase;
let nodes: RunningProcess[];
let words: Record<string, string>;
/** Answers of git that wait, by the name of the repository in the path. */
const held = new Map<string, ServerResponse[]>();

const environmentOf = (name: string) => ({
  ...environment(join(folder.path, name)),
  DATABASE_URL: place.url,
  MAGPIE_USER: 'ada',
  MAGPIE_ALLOW_HOSTS: site.host,
  MAGPIE_SCAN_ROOTS: join(folder.path, 'code'),
  ...words,
});
const spawnNode = (at: number) => spawnServer(environmentOf(`node-${at}`));

beforeAll(async () => {
  words = await withoutModel();
  mkdirSync(join(folder.path, 'code'));
  const served = join(folder.path, 'git');
  const first = join(served, 'shop.git');
  await bareRepository(first, [[{ path: 'id_rsa', data: KEY }]]);
  for (const name of ['till', 'many', 'works', 'lost', 'slow', 'gone']) {
    cpSync(first, join(served, `${name}.git`), { recursive: true });
  }
  site = await startGitSite(served);
  site.intercept = (request, response) => {
    const name = /^\/(\w+)\.git\//.exec(request.url ?? '')?.[1] ?? '';
    const waiting = held.get(name);
    waiting?.push(response);
    return waiting !== undefined;
  };
  place = await makePostgres('none');
  nodes = await Promise.all([spawnNode(0), spawnNode(1)]);
  db = await openPostgres({ url: place.url });
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await db.close();
  await site.close();
  await place.remove();
  await dropPostgres();
  folder.remove();
});

interface Scan {
  readonly scan_id: string;
  readonly status: string;
  readonly vulnerabilities: readonly unknown[];
  readonly reason?: string;
}

async function call(
  node: RunningProcess | undefined,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; data: Record<string, unknown> }> {
  const response = await fetch(new URL(path, node?.url), init);
  const { data = {} } = (await response.json()) as { data?: Record<string, unknown> };
  return { status: response.status, data };
}

const later = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', prefer: 'respond-async' },
  body: JSON.stringify(body),
});
const startScan = (node: RunningProcess | undefined, repository: string) =>
  call(node, '/v1/scan', later({ repository }));
const readScan = async (node: RunningProcess | undefined, id: string) =>
  (await call(node, `/v1/scan/${id}`)).data as unknown as Scan;

const rows = async (sql: string, ...values: unknown[]) => (await db.ask(sql, values)).rows;

/** The node whose process is named in a `runner`, and the other one. */
function nodesOf(runner: unknown): readonly [runs: number, other: number] {
  const pid = Number(String(runner).split(' ')[1]);
  const runs = nodes.findIndex(({ process }) => process.pid === pid);
  expect(runs).toBeGreaterThanOrEqual(0);
  return [runs, 1 - runs];
}

async function kill(at: number): Promise<void> {
  const child = nodes[at]?.process;
  child?.kill('SIGKILL');
  if (child) await exitOf(child);
}

test('a scan continues at the other node when its node is killed, and is stored once', async () => {
  const waiting: ServerResponse[] = [];
  held.set('shop', waiting);
  const { status, data } = await startScan(nodes[0], `${site.url}/shop.git`);
  const id = String(data.scan_id);
  expect(status).toBe(202);
  // It runs once git is asked.
  await expect.poll(() => waiting.length).toBe(1);
  const [row] = await rows('SELECT runner, terms FROM scans WHERE id = $1', id);
  const [runs, other] = nodesOf(row?.runner);
  await kill(runs);
  expect(await readScan(nodes[other], id)).toMatchObject({ status: 'running' });
  held.delete('shop');
  await expect.poll(async () => (await readScan(nodes[other], id)).status).toBe('completed');
  expect((await readScan(nodes[other], id)).vulnerabilities).toHaveLength(1);
  const [stored] = await rows('SELECT runner, terms FROM scans WHERE id = $1', id);
  expect(nodesOf(stored?.runner)).toEqual([other, runs]);
  expect(stored?.terms).toBeNull();
  expect(await rows('SELECT ordinal FROM scan_findings WHERE scan = $1', id)).toHaveLength(1);
  nodes[runs] = await spawnNode(runs);
});

test('a compliance check continues at the other node when its node is killed, and has one result', async () => {
  const waiting: ServerResponse[] = [];
  held.set('works', waiting);
  const scope = `${site.url}/works.git`;
  const { status, data } = await call(
    nodes[0],
    '/v1/compliance/check',
    later({ standards: ['slsa'], scope }),
  );
  const id = String(data.check_id);
  expect(status).toBe(202);
  await expect.poll(() => waiting.length).toBe(1);
  const [job] = await rows('SELECT runner, terms FROM compliance_jobs WHERE id = $1', id);
  expect(job?.terms).toContain('slsa');
  const [runs, other] = nodesOf(job?.runner);
  await kill(runs);
  await silenceRuns(db);
  held.delete('works');
  const report = () => call(nodes[other], `/v1/compliance/report/${id}`);
  await expect.poll(async () => (await report()).status).toBe(200);
  expect(await rows('SELECT id FROM compliance_checks WHERE scope = $1', scope)).toEqual([{ id }]);
  expect(await rows('SELECT id FROM compliance_jobs')).toEqual([]);
  nodes[runs] = await spawnNode(runs);
});

test('a scan and a check whose database connections are lost are retried, and have one result each', async () => {
  const [scans, checks] = await Promise.all([
    loseConnections(db, { table: 'scan_findings', on: 'INSERT', times: 1 }),
    loseConnections(db, { table: 'compliance_checks', on: 'INSERT', times: 1 }),
  ]);
  const scope = `${site.url}/lost.git`;
  const scan = String((await startScan(nodes[0], scope)).data.scan_id);
  await expect.poll(async () => (await readScan(nodes[1], scan)).status).toBe('completed');
  expect((await readScan(nodes[1], scan)).vulnerabilities).toHaveLength(1);
  expect(await scans()).toBe(1);
  const { data } = await call(nodes[1], '/v1/compliance/check', later({ standards: ['slsa'], scope }));
  const report = () => call(nodes[0], `/v1/compliance/report/${data.check_id}`);
  await expect.poll(async () => (await report()).status).toBe(200);
  expect(await rows('SELECT id FROM compliance_checks WHERE scope = $1', scope)).toHaveLength(1);
  expect(await checks()).toBe(1);
});

test('a scan whose result repeatedly takes too long to store fails after three runs, with the reason', async () => {
  await db.ask(`CREATE SEQUENCE slow;
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM nextval('slow'); RAISE EXCEPTION 'slow' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON scan_findings FOR EACH ROW EXECUTE FUNCTION slow();`);
  const scan = String((await startScan(nodes[0], `${site.url}/slow.git`)).data.scan_id);
  await expect.poll(async () => (await readScan(nodes[1], scan)).status).toBe('failed');
  expect((await readScan(nodes[1], scan)).reason).toContain('took too long');
  expect(Number((await rows('SELECT last_value AS runs FROM slow'))[0]?.runs)).toBe(3);
  await db.ask('DROP FUNCTION slow() CASCADE; DROP SEQUENCE slow');
});

test('a scan and a check that another process removes end at their node, and leave nothing', async () => {
  const waiting: ServerResponse[] = [];
  held.set('gone', waiting);
  const repository = `${site.url}/gone.git`;
  const scan = await startScan(nodes[0], repository);
  const check = await call(
    nodes[1],
    '/v1/compliance/check',
    later({ standards: ['slsa'], scope: repository }),
  );
  expect([scan.status, check.status]).toEqual([202, 202]);
  await expect.poll(() => waiting.length).toBe(2);
  const { scan_id: scanId } = scan.data;
  const { check_id: checkId } = check.data;
  for (const args of [
    ['scans', String(scanId), '--remove'],
    ['compliance', 'remove', String(checkId)],
  ]) {
    expect(await runMagpie(args, environmentOf('terminal'))).toMatchObject({ code: 0 });
  }
  // The nodes have let their connections to git go.
  await expect.poll(() => waiting.every(({ destroyed }) => destroyed)).toBe(true);
  const active = () => rows("SELECT name FROM magpie_jobs.job WHERE state IN ('created', 'retry', 'active')");
  await expect.poll(active).toEqual([]);
  held.delete('gone');
  expect((await call(nodes[1], `/v1/scan/${scanId}`)).status).toBe(404);
  expect((await call(nodes[0], `/v1/compliance/check/${checkId}`)).status).toBe(404);
  expect(await rows('SELECT id FROM compliance_jobs')).toEqual([]);
  expect(await rows('SELECT id FROM compliance_checks WHERE scope = $1', repository)).toEqual([]);
});

test('many scans over two nodes are run once each', async () => {
  const before = site.asked.length;
  const ids: string[] = [];
  for (let n = 0; ids.length < SCANS; n++) {
    const { status, data } = await startScan(nodes[n % 2], `${site.url}/many.git`);
    // The owner has as many waiting as one may have.
    if (status === 429) await new Promise((resolve) => setTimeout(resolve, 100));
    else ids.push(String(data.scan_id));
  }
  const open = () =>
    rows("SELECT id FROM scans WHERE id = ANY($1) AND state <> 'completed'", ids).then(
      ({ length }) => length,
    );
  await expect.poll(open).toBe(0);
  const found = await rows('SELECT scan FROM scan_findings WHERE scan = ANY($1)', ids);
  expect(found.map(({ scan }) => String(scan)).toSorted()).toEqual(ids.toSorted());
  const fetches = site.asked.slice(before).filter(({ path }) => path.startsWith('/many.git/info/refs'));
  expect(fetches).toHaveLength(SCANS);
  const runners = await rows('SELECT DISTINCT runner FROM scans WHERE id = ANY($1)', ids);
  expect(new Set(runners.map(({ runner }) => nodesOf(runner)[0])).size).toBe(2);
});

test('a scan of a folder stays with its node, and reports when that node dies', async () => {
  const waiting: ServerResponse[] = [];
  held.set('till', waiting);
  const busy = await Promise.all([0, 1, 0, 1].map((at) => startScan(nodes[at], `${site.url}/till.git`)));
  // Both nodes are busy: the next one waits.
  await expect.poll(() => waiting.length).toBe(4);
  const { data } = await startScan(nodes[0], join(folder.path, 'code'));
  const id = String(data.scan_id);
  expect(await readScan(nodes[1], id)).toMatchObject({ status: 'queued' });
  expect(await rows('SELECT id FROM scans WHERE id = $1 AND terms IS NULL', id)).toHaveLength(1);
  await kill(0);
  expect(await readScan(nodes[1], id)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('no other node has its text or folder'),
  });
  held.delete('till');
  for (const response of waiting) response.destroy();
  nodes[0] = await spawnNode(0);
  const open = () =>
    Promise.all(busy.map(async (one) => (await readScan(nodes[1], String(one.data.scan_id))).status)).then(
      (all) => all.filter((state) => state === 'queued' || state === 'running').length,
    );
  await expect.poll(open).toBe(0);
});
