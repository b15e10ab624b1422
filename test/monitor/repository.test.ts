import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRepositoryAccess } from '../../src/security/git/remote/repositories.ts';
import type { TreeScanner } from '../../src/security/scans/scanner.ts';
import { createRepositoryScan } from '../../src/wiring/bridges.ts';
import { bareRepository, type GitSite, startGitSite } from '../helpers/git.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { scanRoom } from '../helpers/scan-room.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** Repositories of the inventory: real ones over HTTP, real scans, and a receiver of the alerts. */

const signal = new AbortController().signal;
const endings: (() => Promise<void>)[] = [];
let folder: ReturnType<typeof temporaryFolder>;
let site: GitSite;
let receiver: Receiver;

beforeEach(async () => {
  folder = temporaryFolder();
  site = await startGitSite(join(folder.path, 'served'));
  receiver = await startReceiver();
  endings.push(() => site.close());
  endings.push(() => receiver.close());
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end().catch(() => {});
  folder.remove();
});

const CLEAN = { path: 'src/app.js', data: 'export const answer = 42;\n' };
// Made here, so that no scanner takes this file for the problem.
const SECRET = { path: 'src/deploy.js', data: `const key = "${['AKIA', '5T3QWX7HNV2LBZ4C'].join('')}";\n` };

/** The repository as it is from now on. */
const commit = (...files: { path: string; data: string }[]) =>
  bareRepository(join(folder.path, 'served', 'shop.git'), [[CLEAN], [CLEAN, ...files]]);

async function watch(trees: readonly TreeScanner[] = []) {
  const repositories = createRepositoryAccess({
    folder: join(folder.path, 'work'),
    roots: [],
    allowHosts: [],
  });
  const scans = await scanRoom({
    folder: join(folder.path, 'scans'),
    real: true,
    openTree: repositories.open,
    trees,
  });
  const made = await monitorRoom({
    folder: folder.path,
    listed: `infrastructure:\n  code:\n    repositories: ['${site.url}/shop.git']\n`,
    webhook: receiver.url,
    scan: createRepositoryScan(async () => scans.room),
  });
  endings.push(() => repositories.close());
  endings.push(() => scans.close());
  endings.push(() => made.end());
  await made.startWorking();
  await made.startMonitor('ada', 'code', { intervalMs: 200 }, signal);
  const status = async () => await made.getMonitor('ada', 'code');
  /** Waits until the repository has been scanned so many times more. */
  const scanned = async (more: number) => {
    for (let round = 0; round < more; round++) {
      const before = (await status()).lastRun;
      await vi.waitUntil(async () => (await status()).lastRun !== before, { timeout: 60_000, interval: 20 });
    }
  };
  return { status, scanned };
}

test('a secret that is committed raises one alert, and its removal clears it', async () => {
  await commit();
  const { status, scanned } = await watch();
  await scanned(1);
  expect(await status()).toMatchObject({ status: 'active', findings: [], openAlerts: 0, score: 100 });
  await commit(SECRET);
  await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 20 });
  await scanned(1);
  expect(receiver.got).toHaveLength(1);
  const [{ notification } = {}] = receiver.got;
  expect(notification?.event).toBe('alert.raised');
  expect(notification?.alert.finding).toMatchObject({ target: `${site.url}/shop.git` });
  expect(notification?.alert.finding.id).toMatch(/^secrets\//);
  expect(notification?.alert.finding.description).toContain('src/deploy.js:1');
  expect(await status()).toMatchObject({ status: 'alerting', openAlerts: 1 });
  await commit();
  await vi.waitUntil(() => receiver.got.length > 1, { timeout: 60_000, interval: 20 });
  await scanned(1);
  expect(receiver.got.map((one) => one.notification.event)).toEqual(['alert.raised', 'alert.cleared']);
  expect(await status()).toMatchObject({ status: 'active', findings: [], openAlerts: 0 });
});

test('a repository that cannot be fetched is reported, and the earlier findings are kept', async () => {
  await commit(SECRET);
  const { status, scanned } = await watch();
  await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 20 });
  site.intercept = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  await vi.waitUntil(async () => (await status()).coverage[0]?.reason !== undefined, {
    timeout: 60_000,
    interval: 20,
  });
  await scanned(1);
  expect(Object.keys((await status()).targets[0]?.trouble ?? {})).toEqual(['repository']);
  expect(await status()).toMatchObject({ status: 'alerting', openAlerts: 1 });
  expect((await status()).findings).toHaveLength(1);
  site.intercept = () => false;
  await vi.waitUntil(async () => (await status()).coverage[0]?.reason === undefined, {
    timeout: 60_000,
    interval: 20,
  });
  expect((await status()).targets[0]?.trouble).toEqual({});
  expect(receiver.events()).toHaveLength(1);
});

test('findings of a scanner that fails the next time are kept, and findings of the others are cleared', async () => {
  await commit(SECRET);
  let answers = true;
  const outside: TreeScanner = {
    name: 'outside',
    async scan({ fail }) {
      if (!answers) {
        fail('it did not answer');
        return [];
      }
      return [
        {
          id: 'outside/problem',
          severity: 'critical',
          title: 'A problem',
          description: 'It is there.',
          fix: 'Mend it.',
          path: 'src/app.js',
          line: 1,
        },
      ];
    },
  };
  const { status, scanned } = await watch([outside]);
  const ids = async () => (await status()).findings.map(({ id }) => id.split('/')[0]);
  await vi.waitUntil(() => receiver.got.length === 2, { timeout: 60_000, interval: 20 });
  expect((await ids()).sort()).toEqual(['outside', 'secrets']);
  answers = false;
  await commit();
  await vi.waitUntil(() => receiver.got.length === 3, { timeout: 60_000, interval: 20 });
  await scanned(1);
  expect(await ids()).toEqual(['outside']);
  expect((await status()).coverage[0]?.reason).toBe('outside: it did not answer');
  expect(receiver.got.at(-1)?.notification).toMatchObject({ event: 'alert.cleared' });
  expect(receiver.got.at(-1)?.notification.alert.finding.id).toMatch(/^secrets/);
  answers = true;
  await vi.waitUntil(async () => (await status()).coverage[0]?.reason === undefined, {
    timeout: 60_000,
    interval: 20,
  });
  expect(receiver.got).toHaveLength(3);
});
