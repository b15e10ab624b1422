import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createAutomationService } from '../../src/automation/automation.ts';
import { createModelPlanner } from '../../src/automation/planners/openai.ts';
import { createApifyPlatform } from '../../src/automation/platforms/apify.ts';
import { createMakePlatform } from '../../src/automation/platforms/make.ts';
import { createN8nPlatform } from '../../src/automation/platforms/n8n.ts';
import type { AutomationOrder } from '../../src/automation/types.ts';
import { localCaller } from '../../src/caller.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { createLog } from '../../src/log.ts';
import type { OperationContext } from '../../src/operation.ts';
import { decodeInput, inputSchema } from '../../src/server/input.ts';
import { automationrpa } from '../../tools/automationrpa.ts';
import { type Bench, everyPlatform, startBench } from '../contracts/automation-platform.ts';
import { ACCOUNT, besideTasks, startApify } from './apify-site.ts';
import { startMake, storesOf, TEAM } from './make-site.ts';
import { credentialsOf, MEMBER_KEY, startN8n } from './n8n-site.ts';
import { KEY } from './platform-sites.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function bench(...[under]: Parameters<typeof startBench>): Promise<Bench> {
  const made = await startBench(under);
  closing.push(made.close);
  return made;
}
const onMake = () => bench({ name: 'make', start: startMake, driver: createMakePlatform, team: TEAM });
const onN8n = () => bench({ name: 'n8n', start: startN8n, driver: createN8nPlatform, team: 'personal' });
const onApify = () =>
  bench({
    name: 'apify',
    start: startApify,
    driver: (url) => createApifyPlatform(url, 'https://console.apify.com'),
    team: ACCOUNT.id,
  });

const SAVE = 'Save the text of https://shop.example/x to my knowledge base when it changes';
const MAIL = 'Mail the headings of https://shop.example/x to ada@mail.example every time';

describe('destinations', () => {
  test('the knowledge base requires a key, which n8n stores among its credentials', async () => {
    const { order, site } = await onN8n();
    await expect(order({ task: SAVE })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('magpiekey'),
    });
    const { made } = await order({ task: SAVE, magpieKey: 'magpie_secret' });
    expect(made?.active).toBe(true);
    const [credential] = site.asked.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/credentials'),
    );
    expect(credential?.body.data).toEqual({ name: 'Authorization', value: 'Bearer magpie_secret' });
    expect(JSON.stringify(site.made)).toContain(`"${credentialsOf(site)[0]?.id}"`);
    expect(JSON.stringify(site.made)).not.toContain('magpie_secret');
    expect(JSON.stringify(site.made)).toContain('https://magpie.example.com/upsertjson');
  });

  test('on Make the key is part of the scenario, and the user is informed; Apify does not support it', async () => {
    const { order, site } = await onMake();
    const { notes, compiled } = await order({ task: SAVE, magpieKey: 'magpie_secret' });
    expect(notes.join()).toContain('members of the team can read it');
    expect(JSON.stringify(compiled)).not.toContain('magpie_secret');
    expect(JSON.stringify(site.made)).toContain('Bearer magpie_secret');
    const other = await onApify();
    await expect(other.order({ task: SAVE, magpieKey: 'k' })).rejects.toMatchObject({ code: 'bad_request' });
    expect(other.site.made).toEqual([]);
  });

  test('two users who save the same page do not share an automation, but users who send elsewhere do', async () => {
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

describe('whether a task needs a key of Magpie', () => {
  /** A task that is long enough for a worker thread. */
  const LONG = `${SAVE}${'. It is about the price of the blue lamp'.repeat(90)}`;

  test('only a task that saves to the knowledge base needs one, and a task that is not understood needs none', async () => {
    const { room } = await onN8n();
    const needs = (task: string) => room.needsMagpieKey(task, 'ada', new AbortController().signal);
    expect(await Promise.all([SAVE, LONG, MAIL, 'watch it'].map(needs))).toEqual([true, true, false, false]);
  });

  test('a question that is cancelled has no answer, before its task is read and while it is', async () => {
    const { room } = await onN8n();
    const gone = AbortSignal.abort();
    await expect(room.needsMagpieKey(LONG, 'ada', gone)).rejects.toThrow(gone.reason);
    const leaving = new AbortController();
    const asked = room.needsMagpieKey(LONG, 'ada', leaving.signal);
    const other = room.needsMagpieKey(LONG, 'ada', new AbortController().signal);
    leaving.abort();
    await expect(asked).rejects.toThrow(leaving.signal.reason);
    expect(await other).toBe(true);
  });
});

test.each([
  'when it changes, post it to https://hooks.example.com/in',
  'mail ada@mail.example when the price drops below 20',
  'when "sold out" appears, post to https://hooks.example.com/in',
])('Apify compares nothing and therefore refuses to send only at some runs: %s', async (what) => {
  const { order, site } = await onApify();
  const task = `Watch https://shop.example/x and ${what}`;
  for (const dryRun of [true, false]) {
    await expect(order({ task, dryRun })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/Apify compares nothing.*n8n or make.*every time/),
    });
  }
  expect(site.made).toEqual([]);
  const { notes, made } = await order({ task: 'Watch https://shop.example/x for changes' });
  expect(made?.active).toBe(true);
  expect(notes.join()).toContain('sends no notification');
});

describe('leftovers of an interrupted call are completed', () => {
  test('Apify: a task without a schedule', async () => {
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

  test('Make: a data store without a scenario', async () => {
    const { order, site } = await onMake();
    site.failOnce = /POST \/api\/v2\/scenarios$/;
    await expect(order()).rejects.toMatchObject({ code: 'upstream' });
    expect((await order()).made?.active).toBe(true);
    expect(storesOf(site)).toHaveLength(1);
  });
});

/** Holds the first request of each kind until a second one of it has come. */
function together(kinds: readonly RegExp[]): NonNullable<Bench['site']['meanwhile']> {
  const places = kinds.map((kind) => ({ kind, count: 0, both: Promise.withResolvers<void>() }));
  return ({ method, path }) => {
    const place = places.find(({ kind }) => kind.test(`${method} ${path}`));
    if (!place) return;
    if (++place.count === 2) place.both.resolve();
    return place.both.promise;
  };
}

const POST_ONE = { make: /^POST .*\/scenarios$/, n8n: /^POST .*\/workflows$/ };
const START = { make: /\/start$/, n8n: /\/activate$/ };
const RENAME = { make: /^PATCH /, n8n: /^PUT / };

describe.each([
  ['make', onMake],
  ['n8n', onN8n],
] as const)('an automation of %s that was not activated', (name, open) => {
  test('is activated by the next call, which reports it', async () => {
    const { order, site } = await open();
    site.failOnce = START[name];
    await expect(order()).rejects.toMatchObject({ code: 'upstream' });
    expect(site.made).toMatchObject([{ name: expect.stringMatching(/\[magpie \w{16} unfinished\]$/) }]);
    const next = await order();
    expect(next).toMatchObject({ existing: true, finished: true, made: { active: true } });
    expect(site.made).toMatchObject([{ name: expect.stringMatching(/\[magpie \w{16}\]$/) }]);
    expect(await order()).toMatchObject({ existing: true, made: next.made });
    expect((await order()).finished).toBeUndefined();
  });

  test('is left alone where its user switched it off', async () => {
    const { order, site } = await open();
    await order();
    Object.assign(site.made[0] ?? {}, { active: false, isActive: false });
    const asked = site.asked.length;
    expect(await order()).toMatchObject({ existing: true, made: { active: false } });
    expect(site.asked.slice(asked).every(({ method }) => method === 'GET')).toBe(true);
  });

  test('runs though its name could not be changed, which the next call changes', async () => {
    const { order, site } = await open();
    site.failOnce = RENAME[name];
    expect(await order()).toMatchObject({ existing: false, made: { active: true } });
    expect(await order()).toMatchObject({ finished: true, made: { active: true } });
    expect((await order()).finished).toBeUndefined();
    expect(site.asked.filter(({ path }) => START[name].test(path))).toHaveLength(1);
  });

  test('is kept once when two processes create it at the same moment: the younger is removed, whichever searches first', async () => {
    const { order, site } = await open();
    const second = await startBench({
      name,
      start: async () => site,
      driver: name === 'make' ? createMakePlatform : createN8nPlatform,
      team: name === 'make' ? TEAM : 'personal',
    });
    // Both have found nothing when they make theirs.
    site.meanwhile = together([/^POST .*\/data-stores$/, POST_ONE[name]]);
    const results = await Promise.all([order(), second.order()]);
    expect(site.made).toHaveLength(1);
    expect(results.map(({ existing }) => existing).sort()).toEqual([false, true]);
    expect(new Set(results.map(({ made }) => made?.id)).size).toBe(1);
    expect(results.every(({ made }) => made?.active)).toBe(true);
    if (name === 'make') expect(storesOf(site)).toHaveLength(1);
    expect((await order()).made?.active).toBe(true);
  });

  test('stays inactive as a second copy that cannot be removed, and the answer names it', async () => {
    const { order, site } = await open();
    let made = 0;
    site.meanwhile = ({ method, path }) => {
      if (method === 'DELETE') site.failOnce = /^DELETE .*\/(?:scenarios|workflows)\//;
      if (!POST_ONE[name].test(`${method} ${path}`) || made++ > 0) return;
      const mark = /\[magpie \w{16}/.exec(JSON.stringify(site.asked.at(-1)?.body))?.[0] ?? '';
      site.made.push({
        id: name === 'make' ? 1 : 'wf1',
        createdAt: '2020-01-01T00:00:00Z',
        name: `Other ${mark}]`,
        active: true,
        isActive: true,
        nodes: [],
      });
    };
    const { existing, notes } = await order();
    expect(existing).toBe(true);
    expect(notes.join()).toContain('could not be removed');
    expect(site.made).toMatchObject([{}, name === 'make' ? { isActive: false } : { active: false }]);
  });
});

describe('the Magpie key among the credentials of n8n', () => {
  test.each([KEY, MEMBER_KEY])(
    'is stored once, however often creating the workflow failed (%s)',
    async (key) => {
      const { order, site } = await onN8n();
      const save = (magpieKey: string) => order({ task: SAVE, key, magpieKey });
      for (const status of [500, 400]) {
        site.meanwhile = ({ method, path }) => {
          site.broken = POST_ONE.n8n.test(`${method} ${path}`) ? { status, body: {} } : undefined;
        };
        await expect(save('magpie_first')).rejects.toThrow();
        expect(credentialsOf(site)).toEqual([]);
      }
      site.meanwhile = undefined;
      site.broken = undefined;
      expect((await save('magpie_second')).made?.active).toBe(true);
      expect(credentialsOf(site)).toMatchObject([{ data: { value: 'Bearer magpie_second' } }]);
    },
  );

  test('stays where the workflow was created though its answer was lost', async () => {
    const { order, site } = await onN8n();
    site.meanwhile = ({ method, path }) => {
      // n8n has made it, and what stands before it answers 502.
      if (!POST_ONE.n8n.test(`${method} ${path}`)) return;
      site.made.push({ ...site.asked.at(-1)?.body, id: 'late', active: false });
      site.failOnce = POST_ONE.n8n;
    };
    await expect(order({ task: SAVE, magpieKey: 'magpie_secret' })).rejects.toThrow();
    site.meanwhile = undefined;
    expect(credentialsOf(site)).toHaveLength(1);
    expect(await order({ task: SAVE, magpieKey: 'magpie_secret' })).toMatchObject({
      finished: true,
      made: { id: 'late', active: true },
    });
    expect(credentialsOf(site)).toHaveLength(1);
  });

  test('left by a process that ended is reused, with the key of the current call', async () => {
    const { order, site } = await onN8n();
    await order({ task: SAVE, magpieKey: 'magpie_old' });
    site.made.pop();
    await order({ task: SAVE, magpieKey: 'magpie_new' });
    expect(credentialsOf(site)).toMatchObject([{ data: { value: 'Bearer magpie_new' } }]);
  });
});

test('Apify: an automation that another process creates between search and creation is used', async () => {
  const { order, site } = await onApify();
  const second = await startBench({
    name: 'apify',
    start: async () => site,
    driver: (url) => createApifyPlatform(url, 'https://console.apify.com'),
    team: ACCOUNT.id,
  });
  for (const path of ['/v2/actor-tasks', '/v2/schedules']) {
    site.meanwhile = together([new RegExp(`^POST ${path}$`)]);
    const task = `Post https://shop.example/${path.length} to https://hooks.example.com/in every time`;
    const results = await Promise.all([order({ task }), second.order({ task })]);
    expect(results.map(({ existing }) => existing).sort()).toEqual([false, true]);
    expect(new Set(results.map(({ made }) => made?.id)).size).toBe(1);
  }
  expect([site.made.length, besideTasks(site).schedules.length]).toEqual([2, 2]);
});

test('Apify: a task that its user deleted is created again, with a new schedule and web hook', async () => {
  const { order, site } = await onApify();
  const first = await order();
  site.made.length = 0;
  const { schedules, webhooks } = besideTasks(site);
  site.failOnce = /PUT \/v2\/schedules/;
  await expect(order()).rejects.toMatchObject({ code: 'upstream' });
  const { made, existing } = await order();
  expect([made?.active, existing]).toEqual([true, false]);
  expect(made?.id).not.toBe(first.made?.id);
  expect(schedules).toEqual([
    expect.objectContaining({ actions: [{ type: 'RUN_ACTOR_TASK', actorTaskId: made?.id }] }),
  ]);
  expect(webhooks.filter(({ condition }) => JSON.stringify(condition).includes(`${made?.id}`))).toHaveLength(
    1,
  );
  expect((await order()).existing).toBe(true);
});

test('Make skips a failing page, and does not switch the scenario off for it', async () => {
  const { order } = await onMake();
  const { compiled } = await order({
    task: 'Watch https://shop.example/x and https://shop.example/y, post to https://hooks.example.com/in',
    dryRun: true,
  });
  const { flow, metadata } = (compiled?.document.blueprint ?? {}) as unknown as {
    flow: {
      id: number;
      module: string;
      mapper: { method?: string };
      onerror?: { id: number; module: string }[];
    }[];
    metadata: { scenario: { autoCommit: boolean } };
  };
  // A notice that does not arrive undoes what the run has written down, so that the next finds the change again.
  expect(metadata.scenario.autoCommit).toBe(false);
  const fetching = flow.filter(({ mapper }) => mapper.method === 'get');
  expect(fetching.map(({ onerror }) => onerror?.map(({ module }) => module))).toEqual([['builtin:Ignore']]);
  const ids = flow.flatMap(({ id, onerror = [] }) => [id, ...onerror.map((one) => one.id)]);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a key that is not valid in a header', () => {
  test.each(['two\nlines', 'schlüssel€', 'with a blank', 'with\u0001control'])('%j', async (key) => {
    for (const { order, site } of [await onMake(), await onN8n(), await onApify()]) {
      const failed = order({ key });
      await expect(failed).rejects.toMatchObject({ code: 'bad_request' });
      await expect(failed).rejects.toThrow(
        /^autoplatformapikey is not usable: it takes an? API (?:token|key)/,
      );
      await expect(failed).rejects.not.toThrow(key);
      expect(site.asked).toEqual([]);
    }
  });
});

describe('a call without credentials', () => {
  test('shows its document as a dry run', async () => {
    for (const { order, site } of [await onMake(), await onN8n(), await onApify()]) {
      const { compiled, words } = await order({ key: undefined, team: undefined, dryRun: true });
      expect(JSON.stringify(compiled)).toContain('shop.example/offer');
      expect(words.join()).toContain('every 15 minutes');
      expect(site.asked).toEqual([]);
    }
  });

  test('names the missing value, its meaning, and how to provide it', async () => {
    const { order } = await onMake();
    await expect(order({ key: undefined })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(
        /^autoplatformapikey is required on Make: an API token of Make .*X-Autoplatformapikey.*MAGPIE_AUTOMATION_KEY/,
      ),
    });
    await expect(order({ key: undefined, team: undefined })).rejects.toThrow(
      /^autoplatformapikey and autoplatformteamid are required .* the number of a team .*dryRun=true/,
    );
  });
});

test('missing values of a call are known before it runs, such as the Magpie key for writing to the knowledge base', async () => {
  const { room } = await onN8n();
  const services = { automation: async () => room } as unknown as OperationContext['services'];
  const lacking = (input: Record<string, unknown>) =>
    automationrpa.lacks?.(input, {
      caller: localCaller('ada', 'http'),
      services,
      signal: new AbortController().signal,
    });
  const meant = (input: Record<string, unknown>) =>
    decodeInput(inputSchema(automationrpa), input, 'assistant');
  const lacks = async (input: Record<string, unknown>) =>
    Object.keys((await lacking(input))?.credentials ?? {});
  const both = { autoplatformapikey: 'k', autoplatformteamid: 't' };
  expect(await lacks({ q: SAVE })).toEqual(['autoplatformapikey', 'autoplatformteamid', 'magpiekey']);
  expect(await lacks({ q: SAVE, ...both })).toEqual(['magpiekey']);
  expect(await lacks({ q: SAVE, ...both, magpiekey: 'm' })).toEqual([]);
  expect(await lacks({ q: 'Watch https://shop.example/x', autoplatformapikey: 'k' })).toEqual([
    'autoplatformteamid',
  ]);
  expect(await lacks(meant({ q: SAVE, dryRun: 'True' }))).toEqual([]);
  // The platform that is asked for is the one that the key is sent to.
  expect((await lacking(meant({ q: SAVE, platform: ' N8N' })))?.purpose).toContain('on n8n');
  // The run refuses what is not a task.
  expect(await lacks({ q: 'email me https://shop.example/x', ...both })).toEqual([]);
  expect(await lacks(both)).toEqual([]);
  // The question says for what, and what each credential is there; the model chooses the platform.
  expect(await lacking({ q: 'Watch https://shop.example/\u202ex' })).toEqual({
    purpose: 'on n8n, for: Watch https://shop.example/\\u202ex',
    credentials: {
      autoplatformapikey: expect.stringMatching(/^an API key of n8n/),
      autoplatformteamid: expect.stringMatching(/^the id of a project of n8n/),
    },
  });
});

test.each([
  ['when "sold out" appears', '"yes"; "no"'],
  ['when "sold out" disappears', '"no"; "yes"'],
])('Make keeps the state with the word: %s', async (when, formula) => {
  const { order, site } = await onMake();
  await order({ task: `Watch https://shop.example/x ${when}, post to https://hooks.example.com/in` });
  const made = JSON.stringify(site.made).replaceAll('\\"', '"');
  expect(made).toContain(`contains(lower(3.text); "sold out"); ${formula})`);
});

test('Make has no CSS: a selector without a matching pattern is 400, and a class is accepted', async () => {
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

  async function withModel(say: unknown, status = 200, send: 'whole' | 'slowly' | 'refusal' = 'whole') {
    const asked: string[] = [];
    const server: Server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      asked.push(`${request.url} ${request.headers.authorization} ${text}`);
      if (send === 'slowly') return;
      const content = typeof say === 'string' ? say : JSON.stringify(say);
      const message =
        send === 'refusal'
          ? { role: 'assistant', content: null, refusal: 'I cannot help with bargains.' }
          : { role: 'assistant', content };
      response.writeHead(status, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          id: '1',
          object: 'chat.completion',
          choices: [{ index: 0, message }],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const openFetch = () => createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test' });
    const fetch = openFetch();
    closing.push(
      () => fetch.close(),
      () =>
        new Promise((done) => {
          server.close(done);
          server.closeAllConnections();
        }),
    );
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const placed = { platform: createN8nPlatform('https://n8n.example'), baseUrl: undefined };
    const logged: string[] = [];
    const room = createAutomationService({
      openFetch,
      guard: createUrlGuard({
        allowHosts: [],
        lookup: (_name, _options, done) => done(null, [{ address: '93.184.215.14', family: 4 }]),
      }),
      platforms: everyPlatform(placed),
      platform: 'n8n',
      planner: createModelPlanner({
        fetch,
        baseUrl,
        key: 'model-key',
        model: 'small',
        ...(send === 'slowly' && { timeoutMs: 200 }),
      }),
      log: createLog('warn', (line) => logged.push(line)),
    });
    const order: AutomationOrder = { task: TASK, key: 'k', team: 'personal', dryRun: true, owner: 'ada' };
    const { plan } = await room.placeOrder(order, {
      signal: new AbortController().signal,
      progress: () => {},
      findPage: () => Promise.reject(new Error('unasked')),
    });
    return { plan, asked, logged: logged.join('') };
  }

  test('an address that the model extends is used as it is in the sentence', async () => {
    const { plan } = await withModel({ ...BARGAIN, pages: ['https://shop.example/x#"; now'] });
    expect(plan?.pages).toEqual(BARGAIN.pages);
    expect(plan?.extract).toEqual(BARGAIN.extract);
  });

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
    ['a private page', { ...BARGAIN, pages: [...BARGAIN.pages, 'http://169.254.169.254/latest/meta-data'] }],
    ['a private web hook', { ...BARGAIN, send: { kind: 'webhook', url: 'http://127.0.0.1:8787/reset' } }],
    ['a file', { ...BARGAIN, pages: ['file:///etc/passwd'] }],
    ['a number that is none', { ...BARGAIN, when: { kind: 'below', value: '50' } }],
    ['a word without end', { ...BARGAIN, when: { kind: 'word', word: 'x'.repeat(5000) } }],
    ['a million pages', { ...BARGAIN, pages: Array(5000).fill('https://shop.example/x') }],
    ['a list', [BARGAIN]],
    ['JSON in a fence of Markdown', `\`\`\`json\n${JSON.stringify(BARGAIN)}\n\`\`\``],
  ])('%s: the rules write the plan', async (_what, say) => {
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

  test.each([
    ['that fails', '', 500, 'whole'],
    ['that is wanted with another key', 'no', 401, 'whole'],
    ['that says without end', 'x'.repeat(3_000_000), 200, 'whole'],
    ['that never answers', '', 200, 'slowly'],
    ['that would not', '', 200, 'refusal'],
  ] as const)('a model %s: the rules write the plan', async (_what, say, status, send) => {
    const { plan, logged } = await withModel(say, status, send);
    expect(plan).toMatchObject({ when: BARGAIN.when, send: BARGAIN.send, extract: { kind: 'text' } });
    expect(logged).toContain('the rules wrote one');
    expect(logged).not.toMatch(/bargains|model-key/);
  });
});
