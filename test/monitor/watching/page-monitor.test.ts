import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBrowse } from '../../../src/browse/browse.ts';
import type { ReaderPool } from '../../../src/browse/reading/reader-pool.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import type { PageWatch } from '../../../src/lib/watching/page-watch.ts';
import { createMailSender } from '../../../src/monitor/senders/mail.ts';
import { findInfrastructure } from '../../../src/monitor/targets/infrastructure.ts';
import { createPageWatcher } from '../../../src/wiring/bridges.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { sharedReaders } from '../../helpers/shared-readers.ts';
import { startSmtpServer } from '../../helpers/smtp-server.ts';
import { type Receiver, startReceiver } from '../../helpers/webhook-receiver.ts';
import { WATCHED_KINDS } from './page-kinds.ts';

/** Monitors of pages: real sites, the real reader, real receivers. */

const OWNER = 'ada';
const { signal } = new AbortController();
const PATIENT = { timeout: 60_000, interval: 10 };
const OFTEN = { intervalMs: 60, probing: { retryMs: 15 } };

interface PageSite {
  /** Looks at the page so far. */
  looks: number;
  answer: (look: number) => {
    readonly body: string | Buffer;
    readonly type?: string;
    readonly status?: number;
  };
  robots: string | undefined;
  readonly id: string;
  readonly server: Server;
}

let folder: ReturnType<typeof temporaryFolder>;
let receiver: Receiver;
const endings: (() => unknown)[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  receiver = await startReceiver();
  endings.push(() => receiver.close());
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  folder.remove();
});

const html = (text: string) => ({
  body: `<!doctype html><title>Lamp</title><main><h1>Lamp</h1>${text}</main>`,
});
const PROSE = '<p>This lamp has a stand of oak and a shade of linen, and it lights a desk well.</p>';
const priced = (price: number) => html(`${PROSE}<p>Price: €${price}.00</p><p>It ships in two days.</p>`);

async function siteOf(answer: PageSite['answer'], path = '/lamp'): Promise<PageSite> {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response
        .writeHead(site.robots === undefined ? 404 : site.robots === 'broken' ? 503 : 200, {
          'content-type': 'text/plain',
        })
        .end(site.robots);
      return;
    }
    site.looks += 1;
    const { body, type = 'text/html; charset=utf-8', status = 200 } = site.answer(site.looks);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => server.close());
  const id = `page:http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const site: PageSite = { looks: 0, answer, robots: undefined, id, server };
  return site;
}

/** A page that is being read when its test ends is read to its end: a reader that is cancelled ends, and the next one starts for a second. */
const NEVER = new AbortController().signal;
const readers: ReaderPool = {
  ...sharedReaders(),
  run: (task, values, limits) => sharedReaders().run(task, values, { ...limits, signal: NEVER }),
};

async function room(more: Partial<Parameters<typeof monitorRoom>[0]> = {}) {
  const allowHosts = ['127.0.0.1/32'];
  const fetch = createGuardedFetch({ allowHosts, userAgent: 'Magpie test' });
  const browse = createBrowse({ fetch, maxBytes: 1e6, timeoutMs: 20_000, readers });
  const config = { allowHosts, pageTimeout: 20_000 } as Parameters<typeof createPageWatcher>[0]['config'];
  const made = await monitorRoom({
    folder: folder.path,
    webhook: receiver.url,
    pages: createPageWatcher({ config, fetch }, async () => browse),
    ...more,
  });
  let isEnded = false;
  const end = async () => {
    if (isEnded) return;
    isEnded = true;
    await made.end();
    await browse.close();
    await fetch.close();
  };
  endings.push(end);
  return { ...made, end };
}

type Room = Awaited<ReturnType<typeof room>>;
const watch = (made: Room, { id }: PageSite, page: PageWatch = {}, more = {}) =>
  made.startMonitor(OWNER, id, { ...OFTEN, probing: { ...OFTEN.probing, page: page, ...more } }, signal);
/** Waits until the page was looked at so many times more, and the last look but one is recorded. */
async function looks(site: PageSite, more: number): Promise<void> {
  const before = site.looks;
  await vi.waitUntil(() => site.looks > before + more, PATIENT);
}
const told = () => receiver.got.map(({ notification: { alert } }) => alert.finding);
const got = (count: number) => vi.waitUntil(() => receiver.got.length >= count, PATIENT);

describe('a watched page', () => {
  test('that changes sends one sentence with before and after, and keeps it in the history', async () => {
    const site = await siteOf(() => priced(129));
    const made = await room();
    await made.startWorking();
    const { targets } = await watch(made, site, { extract: { what: 'price' } });
    expect(targets).toMatchObject([{ kind: 'page' }]);
    await looks(site, 3);
    expect(told()).toEqual([]);
    site.answer = () => priced(99);
    await got(1);
    await looks(site, 4);
    expect(told()).toMatchObject([
      {
        id: 'page/changed',
        title: 'the price fell from €129.00 to €99.00',
        change: { before: '€129.00', after: '€99.00' },
      },
    ]);
    const { alerts, openAlerts, status } = await made.getMonitor(OWNER, site.id);
    expect(alerts).toMatchObject([{ reason: 'noted', finding: { change: { after: '€99.00' } } }]);
    expect({ openAlerts, status }).toEqual({ openAlerts: 0, status: 'active' });
  });

  test('writes a mail that says what it was and what it is', async () => {
    const smtp = await startSmtpServer('ada', 'a password');
    endings.push(() => smtp.close());
    const site = await siteOf(() => html('<ul><li>Website: operational</li><li>Mail: operational</li></ul>'));
    const mail = createMailSender({ server: smtp.url, from: 'magpie@a.example', to: ['ada@a.example'] });
    const made = await room({ senders: { mail } });
    await made.startWorking();
    await watch(made, site);
    await looks(site, 2);
    site.answer = () => html('<ul><li>Website: operational</li><li>Mail: major outage</li></ul>');
    await vi.waitUntil(() => smtp.mails.length > 0, PATIENT);
    const text = JSON.stringify(smtp.mails[0]);
    expect(text).toContain('[CHANGED]');
    expect(text).toContain('Before: ');
    expect(text).toContain('major outage');
  });

  test('that goes to and fro is noticed once', async () => {
    const site = await siteOf(() => priced(129));
    const made = await room();
    await made.startWorking();
    await watch(made, site, { extract: { what: 'price' } });
    await looks(site, 2);
    for (let turn = 0; turn < 3; turn += 1) {
      site.answer = () => priced(99);
      await looks(site, 4);
      site.answer = () => priced(129);
      await looks(site, 4);
    }
    expect(told().map(({ title }) => title)).toEqual(['the price fell from €129.00 to €99.00']);
  });

  test('that shows its change in one answer only is not noticed', async () => {
    const site = await siteOf((look) => priced(look % 4 === 0 ? 99 : 129));
    const made = await room();
    await made.startWorking();
    await watch(made, site);
    await looks(site, 16);
    expect(told()).toEqual([]);
  });

  test.each([
    ['an error of the server', { body: 'Oops', status: 503 }],
    ['a missing page', { body: 'Gone', status: 404 }],
    ['an empty answer', { body: '' }],
    ['an error page with status 200', html('<p>Something went wrong. Please try again later.</p>')],
    ['a form for consent', html('<h2>Before you continue</h2><p>We use cookies. Accept all cookies?</p>')],
    ['a login', html('<p>Please sign in to continue.</p><form><input name="user"></form>')],
  ])('that answers with %s has not changed', async (_, answer) => {
    const site = await siteOf(() => priced(129));
    const made = await room();
    await made.startWorking();
    await watch(made, site, { when: { is: 'disappears', words: ['two days'] } });
    await looks(site, 2);
    site.answer = () => answer;
    await looks(site, 4);
    expect((await made.getMonitor(OWNER, site.id)).status).toBe('degraded');
    site.answer = () => priced(129);
    await looks(site, 3);
    expect(told()).toEqual([]);
    expect((await made.getMonitor(OWNER, site.id)).status).toBe('active');
    site.answer = () => html(`${PROSE}<p>Price: €129.00</p><p>It ships next month.</p>`);
    await got(1);
    expect(told()[0]?.title).toContain('“two days” is gone');
  });

  test('is not read where robots.txt forbids it', async () => {
    const site = await siteOf(() => priced(129));
    site.robots = 'User-agent: *\nDisallow: /lamp\n';
    const made = await room();
    await made.startWorking();
    await watch(made, site);
    const reason = async () => (await made.getMonitor(OWNER, site.id)).targets[0]?.trouble.page;
    await vi.waitUntil(reason, PATIENT);
    expect(await reason()).toContain('robots.txt');
    expect(site.looks).toBe(0);
  });

  test('is read as soon as robots.txt can be read again', async () => {
    const site = await siteOf(() => priced(129));
    site.robots = 'broken';
    const made = await room();
    await made.startWorking();
    await watch(made, site);
    const reason = async () => (await made.getMonitor(OWNER, site.id)).targets[0]?.trouble.page;
    await vi.waitUntil(reason, PATIENT);
    expect(await reason()).toContain('robots.txt of the site could not be read: it answered 503');
    site.robots = undefined;
    await looks(site, 1);
  });

  test('is named by what follows #, which may be any text that is short', () => {
    const idOf = (id: string) => findInfrastructure(id, OWNER, new Map()).id;
    const long = `page:https://a.example/#${'a'.repeat(58)}😀`;
    expect(idOf(long)).toBe(`page:https://a.example/#${'a'.repeat(58)}%F0%9F%98%80`);
    expect(idOf(idOf(long))).toBe(idOf(long));
    expect(() => idOf(`${long}b`)).toThrow('at most 60 characters');
    expect(idOf('page:https://a.example/#\ud83d')).toContain('#%EF%BF%BD');
  });

  test('is remembered over a restart: what changed in the meantime is noticed once', async () => {
    const site = await siteOf(() => priced(129));
    const first = await room();
    await first.startWorking();
    await watch(first, site);
    await looks(site, 3);
    await first.end();
    site.answer = () => priced(99);
    const second = await room();
    await second.startWorking();
    await got(1);
    await looks(site, 3);
    expect(told()).toHaveLength(1);
    expect(told()[0]?.change).toMatchObject({ before: 'Price: €129.00', after: 'Price: €99.00' });
  });

  test('that changes in a maintenance window is noticed after it', async () => {
    const site = await siteOf(() => priced(129));
    const made = await room();
    await made.startWorking();
    await watch(made, site);
    await looks(site, 2);
    const now = Date.now();
    await watch(made, site, {}, { maintenance: [{ from: now - 1000, to: now + 3_600_000 }] });
    site.answer = () => priced(99);
    await looks(site, 5);
    expect(told()).toEqual([]);
    await watch(made, site, {}, { maintenance: null });
    await got(1);
    expect(told()).toHaveLength(1);
  });

  test('takes a selector, and says when nothing matches it', async () => {
    const site = await siteOf(() => html(`${PROSE}<p id="stand">Stand: oak</p>`));
    const made = await room();
    await made.startWorking();
    await watch(made, site, { extract: { selector: '#stand' } });
    await looks(site, 2);
    site.answer = () => html(`${PROSE}<p>More text of the page</p><p id="stand">Stand: ash</p>`);
    await got(1);
    expect(told()).toMatchObject([{ title: '“Stand: oak” became “Stand: ash”' }]);
    site.answer = () => html(PROSE);
    const reason = async () => (await made.getMonitor(OWNER, site.id)).targets[0]?.trouble.page;
    await vi.waitUntil(reason, PATIENT);
    expect(await reason()).toContain('#stand');
    await expect(watch(made, site, { extract: { selector: 'p[' } })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test('is refused at a private address, and its options at another kind of monitor', async () => {
    const made = await room();
    const start = (id: string) => made.startMonitor(OWNER, id, { probing: { page: {} } }, signal);
    await expect(start('page:http://10.0.0.1/x')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(start('page:not a page')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(start('heartbeat:job')).rejects.toMatchObject({ code: 'bad_request' });
  });
});

test.each(WATCHED_KINDS)('a $name that is served is noticed when it really changes', async (kind) => {
  let real = false;
  const site = await siteOf(
    (look) => ({ body: kind.body({ look, now: Date.now(), real }), type: kind.type }),
    kind.path,
  );
  const made = await room();
  await made.startWorking();
  await watch(made, site, (kind.page ?? {}) as PageWatch);
  await looks(site, 6);
  expect(told()).toEqual([]);
  real = true;
  await got(1);
  await looks(site, 6);
  expect(told()).toHaveLength(1);
  expect(told()[0]?.change?.before).toMatch(kind.before);
  expect(told()[0]?.change?.after).toMatch(kind.after);
});
