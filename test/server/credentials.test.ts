import { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localCaller } from '../../src/caller.ts';
import { createLog } from '../../src/log.ts';
import { createCredentialPages } from '../../src/server/credential-pages.ts';
import { createCredentialWatch } from '../../src/server/credential-watch.ts';
import { startN8n } from '../automation/n8n-site.ts';
import { BAD_KEYS, KEY, type PlatformSite } from '../automation/platform-sites.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { runStdio } from '../helpers/stdio-run.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** Credentials of a platform by query, header, MCP and a page of ours, over every surface, and nowhere to be found. */

const folder = temporaryFolder();
let web: TestWeb;
let site: PlatformSite;
let env: Record<string, string>;
let magpie: Running;

beforeAll(async () => {
  [web, site] = [await startWeb(), await startN8n()];
  env = {
    ...environment(folder.path, web),
    MAGPIE_AUTOMATION_PLATFORM: 'n8n',
    MAGPIE_AUTOMATION_URL: site.url,
    MAGPIE_LOG_LEVEL: 'debug',
  };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([web.close(), site.close()]);
  folder.remove();
});

const TEAM = 'personal';
let count = 0;
/** A task that was not given before. */
const newTask = () => `Watch ${web.url}/page/magpie-nest for task ${++count} when it changes`;

interface Match {
  readonly id: string;
  readonly metadata: { readonly text: string };
  readonly score: string;
  readonly items: string;
  readonly existing?: boolean;
  readonly document?: object;
}
const matchOf = (body: unknown) => (body as { matches: Match[] }).matches[0];

async function rest(query: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${magpie.url}/automationrpa?${new URLSearchParams(query)}`, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
}

describe('over REST', () => {
  test('query parameters create an automation, and the body follows the contract [path.automationrpa]', async () => {
    const { status, body } = await rest({ q: newTask(), autoplatformapikey: KEY, autoplatformteamid: TEAM });
    expect(status).toBe(200);
    const match = matchOf(body);
    expect(match).toMatchObject({
      id: site.made[0]?.id,
      score: TEAM,
      sparseValues: {},
      values: [],
      existing: false,
    });
    expect(match?.metadata.text).toBe(`${site.url}/workflow/${site.made[0]?.id}`);
    expect(match?.items).toContain('runs every 15 minutes');
    expect(match?.items).toContain(`${web.url}/page/magpie-nest`);
  });

  test('headers create an automation too, and a missing credential is named', async () => {
    const headers = { 'X-Autoplatformapikey': KEY, 'X-Autoplatformteamid': TEAM };
    expect((await rest({ q: newTask() }, headers)).status).toBe(200);
    const { status, body } = await rest({ q: newTask() });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(
      /autoplatformapikey and autoplatformteamid are required on n8n: an API key of n8n .*X-Autoplatformapikey and X-Autoplatformteamid as headers.*MAGPIE_AUTOMATION_KEY/,
    );
    // A dry run asks the platform nothing, and needs none.
    const dry = await rest({ q: newTask(), dryRun: 'true' });
    expect([dry.status, matchOf(dry.body)?.score]).toEqual([200, '']);
    expect(matchOf(dry.body)?.document).toMatchObject({ nodes: expect.any(Array) });
  });

  test('a task without a page uses the page of a search, and names it [automation.found]', async () => {
    const q = 'Tell me when the song of magpies changes';
    const { status, body } = await rest({ q, autoplatformapikey: KEY, autoplatformteamid: TEAM });
    expect(status).toBe(200);
    expect(matchOf(body)?.items).toMatch(/A search chose the page: .+ \(http\S+\/page\/magpie-\w+\)/);
    const none = await rest({
      q: 'Watch nothingness',
      autoplatformapikey: KEY,
      autoplatformteamid: TEAM,
    });
    expect(none.status).toBe(404);
  });

  test.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://0x7f.1/',
    'http://nas.local/',
    'localhost:8080',
    '10.0.0.5/admin',
  ])('the private address %s is refused, as page and as webhook [automation.private]', async (address) => {
    const asked = site.asked.length;
    for (const q of [`Watch ${address} now`, `Watch ${web.url}/long ${++count} and post to ${address}`]) {
      const { status } = await rest({ q, autoplatformapikey: KEY, autoplatformteamid: TEAM });
      expect(status).toBe(403);
    }
    expect(site.asked.slice(asked).every(({ method }) => method === 'GET')).toBe(true);
  });

  test('saving to the knowledge base requires a public address of the server', async () => {
    const q = `Save ${web.url}/long to my knowledge base every time`;
    const { status, body } = await rest({ q, autoplatformapikey: KEY, autoplatformteamid: TEAM });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('MAGPIE_PUBLIC_URL');
  });

  test.each([
    ['wrong', 401],
    ['poor', 403],
    ['spent', 429],
  ] as const)('a key that is %s is answered %i and not echoed [automation.refusal]', async (kind, status) => {
    const given = { q: newTask(), autoplatformapikey: BAD_KEYS[kind], autoplatformteamid: TEAM };
    const answer = await rest(given);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain(BAD_KEYS[kind]);
    if (status === 429) expect(answer.headers.get('retry-after')).toBe('17');
  });

  test('OpenAPI has the contract’s parameters, and the headers', async () => {
    const document = (await (await fetch(`${magpie.url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { parameters: { name: string; in: string; required: boolean }[] } }>;
    };
    const parameters = document.paths['/automationrpa']?.get.parameters ?? [];
    const named = parameters.map(({ name, in: where, required }) => `${where} ${name} ${required}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'query autoplatformapikey true',
        'query autoplatformteamid true',
        'header X-Autoplatformapikey false',
        'header X-Autoplatformteamid false',
      ]),
    );
  });
});

test('the terminal creates an automation, and shows a dry run', async () => {
  const flags = ['--q', newTask(), '--autoplatformapikey', KEY, '--autoplatformteamid', TEAM];
  const own = temporaryFolder();
  try {
    const made = await runMagpie(['call', 'automationrpa', ...flags], { ...env, MAGPIE_DATA: own.path });
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining(KEY)]);
    expect(made.stdout).toContain('Created on n8n');
    const shown = await runMagpie(['call', 'automationrpa', ...flags, '--dryRun'], {
      ...env,
      MAGPIE_DATA: own.path,
    });
    expect(shown.stdout).toContain('n8n-nodes-base.scheduleTrigger');
    expect(shown.stdout).not.toContain(KEY);
  } finally {
    own.remove();
  }
});

test('the terminal reads credentials from its environment or standard input, and HTTP never does', async () => {
  const own = temporaryFolder();
  const local = { MAGPIE_AUTOMATION_KEY: KEY, MAGPIE_AUTOMATION_TEAM: TEAM, MAGPIE_DATA: own.path };
  try {
    const words = ['call', 'automationrpa', '--q', newTask()];
    const made = await runMagpie(words, { ...env, ...local });
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Created on n8n')]);
    expect(made.stderr + made.stdout).not.toContain(KEY);
    // They are of the configured platform, and go to no other.
    const other = await runMagpie([...words, '--platform', 'apify'], { ...env, ...local });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('are required on Apify')]);

    const piped = await runMagpie(
      ['call', 'automationrpa', '--q', newTask(), '--autoplatformapikey', '-', '--autoplatformteamid', TEAM],
      { ...env, MAGPIE_DATA: own.path },
      { stdin: Readable.from([`${KEY}\n`]) },
    );
    expect(piped.stdout).toContain('Created on n8n');

    const server = await startMagpie({ ...env, ...local });
    const answer = await fetch(`${server.url}/automationrpa?${new URLSearchParams({ q: newTask() })}`);
    await server.stop();
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('are required on n8n'),
    ]);
  } finally {
    own.remove();
  }
});

type Result = { content: { text: string }[]; structuredContent?: unknown; isError?: boolean };

async function connect(
  way: 'http' | 'stdio',
  modern: boolean,
  open?: (url: string) => Promise<'accept' | 'decline'>,
  headers: Record<string, string> = {},
  url = magpie.url,
) {
  const client = new Client(
    { name: 'giving', version: '1' },
    {
      ...(modern && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
      ...(open && { capabilities: { elicitation: { url: {} } } }),
    },
  );
  if (open) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url } = params as { url: string };
      return { action: await open(url) };
    });
  }
  const transport =
    way === 'http'
      ? new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
      : runStdio(env).transport;
  await client.connect(transport);
  const call = async (input: Record<string, unknown>) =>
    (await client.callTool({ name: 'automationrpa', arguments: input })) as unknown as Result;
  return { call, client, transport };
}

/** Fills the page in as a browser without scripts does. */
async function fillIn(url: string, fields: Record<string, string>): Promise<Response> {
  const page = await (await fetch(url)).text();
  for (const name of Object.keys(fields)) expect(page).toContain(`name="${name}"`);
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
}
const GOOD = { autoplatformapikey: KEY, autoplatformteamid: TEAM };

describe('over MCP', () => {
  test.each([
    ['http', true],
    ['http', false],
    ['stdio', true],
    ['stdio', false],
  ] as const)(
    '%s, 2026 era: %s: the user enters the credentials on a page, once [automation.asked]',
    async (way, modern) => {
      let [page, shown] = ['', ''];
      const { call, client } = await connect(way, modern, async (url) => {
        page = url;
        shown = await (await fetch(url)).text();
        // The client says that the page is open before it is filled in.
        setTimeout(() => void fillIn(url, GOOD), 300);
        return 'accept';
      });
      try {
        const { content, structuredContent, isError } = await call({ q: newTask() });
        expect([isError ?? false, content[0]?.text]).toEqual([
          false,
          expect.stringContaining('Created on n8n'),
        ]);
        expect(matchOf(structuredContent)?.score).toBe(TEAM);
        expect(page).toMatch(/\/app\/credentials\/[\w-]{43}$/);
        expect(shown).toMatch(
          /On n8n, for: .*>An API key of n8n .*autoplatformapikey.*>The id of a project .*autoplatformteamid/s,
        );
        expect((await fetch(page)).status).toBe(401);
        expect((await fetch(page, { method: 'POST', body: new URLSearchParams(GOOD) })).status).toBe(401);
      } finally {
        await client.close();
      }
    },
  );

  test('a user who declines, and a client that opens no pages, get an explanation', async () => {
    const declining = await connect('http', true, async () => 'decline');
    const refused = await declining.call({ q: newTask() });
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('the user did not give it'),
    ]);
    const plain = await connect('http', true);
    const missing = await plain.call({ q: newTask() });
    expect(missing.content[0]?.text).toContain('autoplatformapikey and autoplatformteamid are required');
    const given = await plain.call({ q: newTask(), ...GOOD });
    expect(given.isError ?? false).toBe(false);
    await Promise.all([declining.client.close(), plain.client.close()]);
  });

  test('headers of the client supply credentials, and an empty field of the page is asked for again', async () => {
    const headers = { 'X-Autoplatformapikey': KEY };
    const { call, client } = await connect(
      'http',
      true,
      async (url) => {
        expect((await fillIn(url, { autoplatformteamid: ' ' })).status).toBe(400);
        expect((await fillIn(url, { autoplatformteamid: TEAM })).status).toBe(200);
        return 'accept';
      },
      headers,
    );
    const { isError, content } = await call({ q: newTask() });
    expect([isError ?? false, content[0]?.text]).toEqual([false, expect.stringContaining('Created on n8n')]);
    await client.close();
  });

  test('the listing does not make a model bring credentials', async () => {
    const { client } = await connect('http', true);
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'automationrpa');
    expect(tool?.inputSchema.required).toEqual(['q']);
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(Object.keys(GOOD)),
    );
    await client.close();
  });
});

describe('a credential page', () => {
  const ada = { ...localCaller('ada', 'http'), credential: 'k1' };
  const asking = { caller: ada, title: 'T', purpose: 'on it', credentials: { a: 'an a' } };
  const never = new AbortController().signal;
  const ENDED = { code: 'bad_request', message: expect.stringContaining('has ended') };

  test('gives its values only to the caller who asked, and once', async () => {
    const desk = createCredentialPages();
    const ticket = desk.openPage(asking);
    await expect(desk.takeCredentials(ticket, localCaller('bob', 'http'), 10, never)).rejects.toMatchObject(
      ENDED,
    );
    expect(await desk.takeCredentials(ticket, ada, 1, never)).toBeUndefined();
    expect(await desk.giveCredentials(ticket, { a: '1' })).toBe(true);
    expect(await desk.giveCredentials(ticket, { a: '2' })).toBe(false);
    expect(await desk.findRequest(ticket)).toBeUndefined();
    expect(await desk.takeCredentials(ticket, ada, 1000, never)).toEqual({ a: '1' });
    await expect(desk.takeCredentials(ticket, ada, 10, never)).rejects.toMatchObject(ENDED);
  });

  test('expires after ten minutes, and the oldest is dropped past five hundred', async () => {
    let now = 0;
    const desk = createCredentialPages({ now: () => now });
    const first = desk.openPage(asking);
    const others = Array.from({ length: 500 }, () => desk.openPage(asking));
    expect(await desk.findRequest(first)).toBeUndefined();
    expect(await desk.findRequest(others[0] ?? '')).toEqual(asking);
    now = 600_001;
    expect(await desk.findRequest(others[499] ?? '')).toBeUndefined();
    expect(await desk.giveCredentials(others[498] ?? '', { a: '1' })).toBe(false);
  });

  test('ends when its caller gives up waiting', async () => {
    const desk = createCredentialPages();
    const gone = new AbortController();
    const ticket = desk.openPage(asking);
    const work = desk.takeCredentials(ticket, ada, 60_000, gone.signal);
    gone.abort(new Error('gone'));
    await expect(work).rejects.toThrow('gone');
    expect(await desk.giveCredentials(ticket, { a: '1' })).toBe(false);
  });

  test('ends with its values when the credential of the caller is revoked', async () => {
    const valid = new Set(['k1', 'k2']);
    const watch = createCredentialWatch({
      standingOf: ({ credential = '' }) => (valid.has(credential) ? 'valid' : 'revoked'),
      log: createLog('silent'),
      intervalMs: 20,
    });
    const desk = createCredentialPages({ watch });
    try {
      const [shown, given, passed] = [desk.openPage(asking), desk.openPage(asking), desk.openPage(asking)];
      expect(await desk.giveCredentials(given, { a: '1' })).toBe(true);
      // The same user with the next key: the page goes on with it.
      expect(await desk.takeCredentials(passed, { ...ada, credential: 'k2' }, 1, never)).toBeUndefined();
      const waiting = desk.takeCredentials(desk.openPage(asking), ada, 60_000, never);
      valid.delete('k1');
      await expect(waiting).rejects.toMatchObject(ENDED);
      expect(await desk.findRequest(shown)).toBeUndefined();
      expect(await desk.giveCredentials(shown, { a: '2' })).toBe(false);
      await expect(desk.takeCredentials(given, ada, 10, never)).rejects.toMatchObject(ENDED);
      expect(await desk.findRequest(passed)).toBeDefined();
    } finally {
      watch.close();
    }
  });
});

describe('a page of a user who may no longer call', () => {
  const own = temporaryFolder();
  let keyed: Running;
  let keyedEnv: Record<string, string>;
  beforeAll(async () => {
    keyedEnv = { ...env, MAGPIE_DATA: own.path };
    await makeKey();
    keyed = await startMagpie(keyedEnv);
  });
  afterAll(async () => {
    await keyed.stop();
    own.remove();
  });
  const makeKey = async () => {
    const made = await runMagpie(
      ['key', 'create', '--scope', 'read,write', '--user', 'ada', '--json'],
      keyedEnv,
    );
    return JSON.parse(made.stdout) as { readonly id: string; readonly key: string };
  };

  test.each([true, false])('ends when the key is revoked (2026 era: %s)', async (modern) => {
    const { id, key } = await makeKey();
    const opened = Promise.withResolvers<string>();
    const { call, client } = await connect(
      'http',
      modern,
      async (url) => {
        opened.resolve(url);
        return 'accept';
      },
      { authorization: `Bearer ${key}` },
      keyed.url,
    );
    const work = call({ q: newTask() }).catch((error: unknown) => String(error));
    const page = await opened.promise;
    expect((await fetch(page)).status).toBe(200);
    expect((await runMagpie(['key', 'revoke', id], keyedEnv)).code).toBe(0);
    expect((await fetch(page)).status).toBe(401);
    const asked = site.asked.length;
    expect((await fetch(page, { method: 'POST', body: new URLSearchParams(GOOD) })).status).toBe(401);
    expect(JSON.stringify(await work)).not.toContain('Created on');
    expect(site.asked).toHaveLength(asked);
    await client.close();
  });

  test('ends with its session', async () => {
    const { key } = await makeKey();
    const opened = Promise.withResolvers<string>();
    const { call, client, transport } = await connect(
      'http',
      false,
      (url) => {
        opened.resolve(url);
        return new Promise(() => {});
      },
      { authorization: `Bearer ${key}` },
      keyed.url,
    );
    const work = call({ q: newTask() }).catch(() => 'over');
    const page = await opened.promise;
    expect((await fetch(page)).status).toBe(200);
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
    await expect.poll(async () => (await fetch(page)).status, { timeout: 60_000 }).toBe(401);
    await client.close();
    await work;
  });

  test('ends when the user declines', async () => {
    const { key } = await makeKey();
    let page = '';
    const decline = async (url: string) => {
      page = url;
      return 'decline' as const;
    };
    const { call, client } = await connect(
      'http',
      true,
      decline,
      { authorization: `Bearer ${key}` },
      keyed.url,
    );
    expect((await call({ q: newTask() })).isError).toBe(true);
    expect((await fetch(page)).status).toBe(401);
    await client.close();
  });
});

test('no credential is in the log [automation.secret]', () => {
  expect(magpie.stderr()).toContain('automationrpa');
  for (const secret of [KEY, ...Object.values(BAD_KEYS)]) expect(magpie.stderr()).not.toContain(secret);
});
