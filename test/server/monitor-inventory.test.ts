import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  environment,
  MONITOR_WAITS,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../helpers/magpie.ts';
import { type MovingClock, startMovingClock } from '../helpers/moving-clock.ts';
import { AUTHORITY, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** A running server whose inventory is edited, and what it says of a target that is down beside one that is not. */

const folder = temporaryFolder();
const file = join(folder.path, 'infrastructure.yaml');
const env = { ...environment(join(folder.path, 'data')), MAGPIE_INVENTORY: file };
let magpie: Running;
let receiver: Receiver;
let clock: MovingClock;
let [good, expired]: TlsSite[] = [];

const listing = (sites: readonly (TlsSite | undefined)[]) =>
  `infrastructure:\n  shop:\n    authority: ${AUTHORITY}\n    urls: [${sites.map((site) => `'${site?.url}'`)}]\n`;

beforeAll(async () => {
  clock = startMovingClock();
  receiver = await startReceiver();
  good = await startTlsSite({ certificate: 'good' });
  expired = await startTlsSite({ certificate: 'expired' });
  writeFileSync(file, listing([good]));
  magpie = await startMagpie({ ...env, MAGPIE_MONITOR_WEBHOOK: receiver.url }, [], MONITOR_WAITS);
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([receiver.close(), good?.close(), expired?.close()]);
  folder.remove();
  clock.stop();
});

interface Data {
  readonly status: string;
  readonly runs: { readonly last?: string; readonly trouble?: string; readonly open_alerts: number };
  readonly targets: readonly { readonly name: string; readonly up?: boolean; readonly grade?: string }[];
}

async function start(options: object = {}): Promise<Data> {
  const response = await fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ infrastructure_id: 'shop', monitoring_options: options }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Data }).data;
}

async function status(): Promise<Data> {
  const response = await fetch(new URL('/v1/monitor/status/shop', magpie.url));
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Data }).data;
}

function until(holds: (data: Data) => boolean): Promise<Data> {
  return vi.waitUntil(
    async () => {
      const data = await status();
      return holds(data) && data;
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** As editors do that write beside the file. */
function replace(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

test('the status contains the first probe soon after a start', async () => {
  // On a busy machine it is not waited for longer than a moment: then the next answer has it.
  const started = await start({ scan_interval: 10 });
  const { status: said, targets } = started.runs.last
    ? started
    : await until(({ runs }) => runs.last !== undefined);
  expect(targets).toMatchObject([{ name: good?.url, up: true, grade: 'A+' }]);
  expect(said).toBe('active');
});

test('a new target is probed without a restart', async () => {
  replace(listing([good, expired]));
  await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 100 });
  expect(receiver.events()).toEqual(['raised certificate/expired']);
  expect(await status()).toMatchObject({ status: 'alerting', targets: [{ up: true }, { up: true }] });
});

test('an invalid file changes nothing, and its error is reported with the line, in the status and in the log', async () => {
  replace('infrastructure:\n  shop:\n    hosts:\n      - host: 10.0.0.5\n        ports: [99999]\n');
  const { targets, runs } = await until((data) => data.runs.trouble !== undefined);
  expect(runs.trouble).toContain(
    'infrastructure.yaml:5: infrastructure.shop.hosts[0].ports[0] is not usable',
  );
  expect(runs.trouble).not.toContain(folder.path);
  expect(targets.map(({ name }) => name)).toEqual([good?.url, expired?.url]);
  expect(magpie.stderr()).toContain(`${file}:5: infrastructure.shop`);
  expect((await fetch(new URL('/readyz', magpie.url))).status).toBe(200);
});

test('a removed target ends its alert, and the receivers of the alert are notified', async () => {
  replace(listing([good]));
  await vi.waitUntil(() => receiver.got.length > 1, { timeout: 60_000, interval: 100 });
  expect(receiver.events()).toEqual(['raised certificate/expired', 'cleared certificate/expired']);
  expect(receiver.got[1]?.notification.alert).toMatchObject({ cleared_reason: 'target_removed' });
  const { status: said, targets, runs } = await until((data) => data.runs.trouble === undefined);
  expect(targets.map(({ name }) => name)).toEqual([good?.url]);
  expect(said).toBe('active');
  expect(runs.open_alerts).toBe(0);
});

test('a monitor with one target down and one up is degraded when no alert is wanted', async () => {
  await expired?.close();
  replace(listing([good, expired]));
  await start({ alert_threshold: 10 });
  const { targets, runs } = await until((data) => data.targets.some(({ up }) => up === false));
  expect(targets.map(({ up }) => up)).toEqual([true, false]);
  expect(runs.open_alerts).toBe(0);
  expect((await status()).status).toBe('degraded');
  replace(listing([good]));
  await until((data) => data.status === 'active');
});

test('a removed entry is reported, and monitoring resumes when it returns', async () => {
  replace(listing([good]).replace('shop:', 'other:'));
  const { status: said, runs } = await until((data) => data.runs.trouble !== undefined);
  expect(runs.trouble).toBe('shop is no longer in the inventory');
  expect(said).toBe('degraded');
  const shown = await runMagpie(['monitor', 'status', 'shop'], env);
  expect(shown.stdout.split('\n')[1]).toBe('  shop is no longer in the inventory');
  replace(listing([good]));
  await until((data) => data.status === 'active' && data.targets[0]?.up === true);
});
