import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** A page watch through the whole product: REST, the terminal, the console, automationrpa and a receiver. */

const folder = temporaryFolder();
const PATIENT = { timeout: 60_000, interval: 50 };
let env: Record<string, string>;
let magpie: Running;
let receiver: Receiver;
let clock: MovingClock;
let price = 129;
let looks = 0;
let page: string;
const site = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.writeHead(404).end();
  looks += 1;
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(
    `<main><h1>Lamp</h1><p>A lamp of oak and linen for the desk.</p><p>Price: €${price}.00</p></main>`,
  );
});

beforeAll(async () => {
  clock = startMovingClock();
  receiver = await startReceiver();
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/lamp`;
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_ALLOW_HOSTS: '127.0.0.1',
    MAGPIE_MONITOR_WEBHOOK: receiver.url,
  };
  magpie = await startMagpie(env, [], MONITOR_WAITS);
});
afterAll(async () => {
  await magpie.stop();
  site.close();
  await receiver.close();
  folder.remove();
  clock.stop();
});

const get = (path: string) => fetch(new URL(path, magpie.url));
const start = (body: unknown) =>
  fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
/** Has one more interval pass, and time after it until the page was read again: the look before may still be under way. */
async function pass(): Promise<void> {
  const before = looks;
  clock.pass(61);
  await vi.waitUntil(() => {
    clock.pass(2);
    return looks > before;
  }, PATIENT);
}
const automation = (fields: Record<string, unknown>) => {
  const given = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return get(`/automationrpa?${new URLSearchParams(given)}`);
};
interface Automated {
  readonly matches: readonly { readonly id: string; readonly items: string; readonly existing?: boolean }[];
}

test('a change is sent with before and after, and stands in the status, the terminal and the console', async () => {
  const id = `page:${page}`;
  const watch = { extract: { what: 'price' }, when: { is: 'falls', value: 10, percent: true } };
  const options = { page: watch, scan_interval: 60, retry_interval: 1 };
  const started = await start({ infrastructure_id: id, monitoring_options: options });
  expect(await started.json()).toMatchObject({
    data: { infrastructure_id: id, options: { page: watch, scan_interval: 60 }, targets: [{ kind: 'page' }] },
  });
  const statusOf = async () =>
    (await (await get(`/v1/monitor/status/${encodeURIComponent(id)}`)).json()) as {
      readonly data: { readonly status: string; readonly targets: readonly { readonly measures: object }[] };
    };
  await vi.waitFor(
    async () => expect((await statusOf()).data.targets[0]?.measures).toEqual({ shown: '€129.00' }),
    PATIENT,
  );
  await pass();
  price = 99;
  await pass();
  await vi.waitUntil(() => {
    clock.pass(2);
    return receiver.got.length > 0;
  }, PATIENT);
  const { finding } = receiver.got[0]?.notification.alert ?? {};
  expect(finding).toMatchObject({
    title: 'the price fell from €129.00 to €99.00',
    change: { before: '€129.00', after: '€99.00' },
  });
  const status = await get(`/v1/monitor/status/${encodeURIComponent(id)}`);
  expect(await status.json()).toMatchObject({
    data: {
      alerts: [{ state: 'cleared', cleared_reason: 'noted', finding: { change: { after: '€99.00' } } }],
    },
  });
  const terminal = await runMagpie(['monitor', 'status', id], env);
  expect(terminal.stdout).toContain('the price fell from €129.00 to €99.00');
  const shown = await (await get(`/app/monitors/one?${new URLSearchParams({ id })}`)).text();
  expect(shown).toContain('<del>€129.00</del> <ins>€99.00</ins>');
}, 120_000);

test('the terminal starts a watch by its fields', async () => {
  const id = `page:${page}#stock`;
  const flags = ['--page', '{"when":{"is":"appears","words":["sold out"]}}', '--json'];
  const { stdout } = await runMagpie(['monitor', 'start', id, ...flags], env);
  expect(JSON.parse(stdout)).toMatchObject({
    infrastructure_id: id,
    options: { scan_interval: 900, page: { when: { is: 'appears', words: ['sold out'] } } },
  });
  const wrong = await runMagpie(['monitor', 'start', id, '--page', '{"when":{"is":"never"}}'], env);
  expect(wrong.stderr).toContain('--page takes JSON');
}, 120_000);

test('automationrpa on the platform local makes a watch from fields and from a sentence', async () => {
  const fields = {
    platform: 'local',
    q: 'The lamp',
    pages: [page],
    schedule: { everyMinutes: 60 },
    when: { is: 'below', value: 50, currency: 'EUR' },
  };
  const [dry] = ((await (await automation({ ...fields, dryRun: true })).json()) as Automated).matches;
  expect(dry).toMatchObject({ id: '', items: expect.stringContaining('nothing was created') });
  const [made] = ((await (await automation(fields)).json()) as Automated).matches;
  expect(made).toMatchObject({ platform: 'local', existing: false, active: true });
  expect(made?.id).toContain(`page:${page}#`);
  const [again] = ((await (await automation(fields)).json()) as Automated).matches;
  expect(again).toMatchObject({ id: made?.id, existing: true });
  const status = await get(`/v1/monitor/status/${encodeURIComponent(made?.id ?? '')}`);
  expect(await status.json()).toMatchObject({
    data: { options: { scan_interval: 3600, page: { when: { is: 'below', value: 50, currency: 'EUR' } } } },
  });
  const [said] = (
    (await (
      await automation({ platform: 'local', q: `Watch ${page} and tell me when "sold out" appears` })
    ).json()) as Automated
  ).matches;
  expect(said?.items).toContain('"sold out" appears');
}, 120_000);

test.each([
  [{ q: 'Watch the page', schedule: { at: ['09:00'] } }, 'schedule.everyMinutes'],
  [{ q: 'Watch the page', notify: { knowledgeBase: true } }, 'give notify'],
  [{ q: 'Watch the page', when: { is: 'every_run' } }, 'give when'],
])('automationrpa on the platform local refuses %j', async (given, why) => {
  const answer = await automation({ platform: 'local', pages: [page], ...given });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(why);
});
