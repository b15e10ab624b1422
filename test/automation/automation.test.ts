import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createAutomation, type Order } from '../../src/automation/automation.ts';
import { createModelPlanner } from '../../src/automation/planners/openai.ts';
import { apify } from '../../src/automation/platforms/apify.ts';
import { make } from '../../src/automation/platforms/make.ts';
import { n8n } from '../../src/automation/platforms/n8n.ts';
import { createGuardedFetch } from '../../src/lib/fetch.ts';
import { createUrlGuard } from '../../src/lib/url-guard.ts';
import { createLog } from '../../src/log.ts';
import { type Bench, startBench } from '../contracts/automation-platform.ts';
import { ACCOUNT, besideTasks, startApify } from './apify-site.ts';
import { startMake, storesOf, TEAM } from './make-site.ts';
import { startN8n } from './n8n-site.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function bench(...[under]: Parameters<typeof startBench>): Promise<Bench> {
  const made = await startBench(under);
  closing.push(made.close);
  return made;
}
const onMake = () => bench({ name: 'make', start: startMake, driver: make, team: TEAM });
const onN8n = () => bench({ name: 'n8n', start: startN8n, driver: n8n, team: 'personal' });
const onApify = () =>
  bench({
    name: 'apify',
    start: startApify,
    driver: (url) => apify(url, 'https://console.apify.com'),
    team: ACCOUNT.id,
  });

const SAVE = 'Save the text of https://shop.example/x to my knowledge base when it changes';
const MAIL = 'Mail the headings of https://shop.example/x to ada@mail.example when they change';

describe('where it is sent', () => {
  test('the knowledge base takes a key, which n8n keeps among its credentials', async () => {
    const { order, site } = await onN8n();
    await expect(order({ task: SAVE })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('magpiekey'),
    });
    const { made } = await order({ task: SAVE, magpieKey: 'magpie_secret' });
    expect(made?.active).toBe(true);
    const [credential] = site.asked.filter(({ path }) => path.endsWith('/credentials'));
    expect(credential?.body.data).toEqual({ name: 'Authorization', value: 'Bearer magpie_secret' });
    expect(JSON.stringify(site.made)).toContain('cred35');
    expect(JSON.stringify(site.made)).not.toContain('magpie_secret');
    expect(JSON.stringify(site.made)).toContain('https://magpie.example.com/upsertjson');
  });

  test('on Make the key stands in the scenario, and the user is told; Apify cannot', async () => {
    const { order, site } = await onMake();
    const { notes, compiled } = await order({ task: SAVE, magpieKey: 'magpie_secret' });
    expect(notes.join()).toContain('members of the team can read it');
    expect(JSON.stringify(compiled)).not.toContain('magpie_secret');
    expect(JSON.stringify(site.made)).toContain('Bearer magpie_secret');
    const other = await onApify();
    await expect(other.order({ task: SAVE, magpieKey: 'k' })).rejects.toMatchObject({ code: 'bad_request' });
    expect(other.site.made).toEqual([]);
  });

  test('two users who save the same page do not share an automation, but those who send elsewhere do', async () => {
    const { order } = await onN8n();
    const [ada, bob] = [
      await order({ task: SAVE, magpieKey: 'a' }),
      await order({ task: SAVE, magpieKey: 'b', owner: 'bob' }),
    ];
    expect(bob.made?.id).not.toBe(ada.made?.id);
    expect((await order({ owner: 'bob' })).made?.id).toBe((await order()).made?.id);
  });

  test('mail waits for the user where the platform needs a mailbox, and runs on Apify', async () => {
    for (const { order } of [await onMake(), await onN8n()]) {
      const { made, notes } = await order({ task: MAIL });
      expect(made?.active).toBe(false);
      expect(notes.join()).toMatch(/SMTP credential|e-mail connection/);
    }
    const { order, site } = await onApify();
    expect((await order({ task: MAIL })).made?.active).toBe(true);
    const [webhook] = besideTasks(site).webhooks;
    expect(webhook?.requestUrl).toBe(`${site.url}/v2/acts/apify~send-mail/runs`);
    expect(JSON.parse(String(webhook?.payloadTemplate))).toMatchObject({ to: 'ada@mail.example' });
  });
});

describe('what a call that broke off has left is gone on with', () => {
  test('Apify: a task without schedule', async () => {
    const { order, site } = await onApify();
    site.failOnce = /POST \/v2\/schedules/;
    await expect(order()).rejects.toMatchObject({ code: 'upstream' });
    expect(site.made).toHaveLength(1);
    const { existing, made } = await order();
    expect([existing, made?.active]).toEqual([false, true]);
    expect(site.made).toHaveLength(1);
    expect(besideTasks(site).webhooks).toHaveLength(1);
    expect(besideTasks(site).schedules).toHaveLength(1);
  });

  test('Make: a data store without scenario', async () => {
    const { order, site } = await onMake();
    site.failOnce = /POST \/api\/v2\/scenarios$/;
    await expect(order()).rejects.toMatchObject({ code: 'upstream' });
    expect((await order()).made?.active).toBe(true);
    expect(storesOf(site)).toHaveLength(1);
  });
});

test('Make has no CSS: a selector that no pattern stands for is 400, a class does', async () => {
  const { order, site } = await onMake();
  const task = (selector: string) => `Check the selector "${selector}" on https://shop.example/x`;
  await expect(order({ task: task('.a > b') })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('n8n'),
  });
  await order({ task: task('p.sum') });
  const pattern = /"pattern":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(site.made))?.[1] ?? '""';
  const found = new RegExp(JSON.parse(pattern) as string, 'gi');
  const html =
    '<p class="total sum big">42</p><p id="sum">1</p><p class="summary">2</p><span class="sum">3</span>';
  expect([...html.matchAll(found)].map(([, text]) => text)).toEqual(['42']);
});

describe('with a chat model', () => {
  const TASK =
    'Look at https://shop.example/x for bargains under 50 and post to https://hooks.example.com/in';
  const BARGAIN = {
    pages: ['https://shop.example/x'],
    extract: { kind: 'selector', selector: '.price' },
    when: { kind: 'below', value: 50 },
    send: { kind: 'webhook', url: 'https://hooks.example.com/in' },
  };

  async function withModel(say: unknown, status = 200) {
    const asked: string[] = [];
    const server: Server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      asked.push(`${request.url} ${request.headers.authorization} ${text}`);
      const content = typeof say === 'string' ? say : JSON.stringify(say);
      response.writeHead(status, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          id: '1',
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content } }],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const openFetch = () => createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test' });
    const fetch = openFetch();
    closing.push(
      () => fetch.close(),
      () => new Promise((done) => server.close(done)),
    );
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const placed = { platform: n8n('https://n8n.example'), baseUrl: undefined };
    const logged: string[] = [];
    const room = createAutomation({
      openFetch,
      guard: createUrlGuard({
        allowHosts: [],
        lookup: (_name, _options, done) => done(null, [{ address: '93.184.215.14', family: 4 }]),
      }),
      platforms: { make: placed, n8n: placed, apify: placed },
      platform: 'n8n',
      planner: createModelPlanner({ fetch, baseUrl, key: 'model-key', model: 'small' }),
      log: createLog('warn', (line) => logged.push(line)),
    });
    const order: Order = { task: TASK, key: 'k', team: 'personal', dryRun: true, owner: 'ada' };
    const { plan } = await room.order(order, {
      signal: new AbortController().signal,
      progress: () => {},
      findPage: () => Promise.reject(new Error('unasked')),
    });
    return { plan, asked, logged: logged.join('') };
  }

  test('the model writes the plan', async () => {
    const { plan, asked } = await withModel(BARGAIN);
    expect(plan).toEqual({ task: TASK, ...BARGAIN });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^\/v1\/chat\/completions Bearer model-key .*bargains under 50/);
  });

  test.each([
    ['no JSON', 'I would say'],
    ['another shape', { ...BARGAIN, when: { kind: 'sometimes' } }],
    ['a page of its own', { ...BARGAIN, pages: ['https://elsewhere.example/'] }],
    ['no page', { ...BARGAIN, pages: [] }],
    ['a web hook of its own', { ...BARGAIN, send: { kind: 'webhook', url: 'https://evil.example/' } }],
    ['a mailbox of its own', { ...BARGAIN, send: { kind: 'email', to: 'eve@evil.example' } }],
    ['nowhere to send to', { ...BARGAIN, send: { kind: 'platform' } }],
  ])('%s: the rules write it', async (_what, say) => {
    const { plan, logged } = await withModel(say);
    expect(plan).toMatchObject({
      pages: BARGAIN.pages,
      when: BARGAIN.when,
      send: BARGAIN.send,
      extract: { kind: 'text' },
    });
    expect(logged).toContain('the rules wrote one');
    expect(logged).not.toContain('bargains');
  });

  test('a model that fails: the rules write it', async () => {
    const { plan } = await withModel('', 500);
    expect(plan?.send).toEqual(BARGAIN.send);
  });
});
