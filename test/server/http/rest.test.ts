import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environment, type Running, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { startWeb, type TestWeb, TOPIC_COUNT } from '../../helpers/web.ts';

interface Item {
  title: string;
  link: string;
  summary?: string;
  full_content?: string;
  snippet?: string;
  part?: number;
  parts?: number;
  error?: string;
}
interface Body {
  results: Item[];
  rules: string;
  engines?: { name: string; ok: boolean; reason?: string; ms: number }[];
  error?: string;
}

const folder = temporaryFolder();
let web: TestWeb;
let magpie: Running;

beforeAll(async () => {
  web = await startWeb();
  magpie = await startMagpie({
    ...environment(folder.path, web),
    MAGPIE_CORS_ORIGINS: 'https://app.example',
    MAGPIE_PUBLIC_URL: 'https://magpie.localhost',
  });
  // The pages of a search have some seconds together: a reader's start is not of them.
  await get('/browse', { q: `${web.url}/page/magpie-nest`, percentile: 1, numofpages: 1 });
});

afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});

async function get(
  path: string,
  parameters: Record<string, string | number> = {},
  headers: Record<string, string> = {},
) {
  const url = new URL(path, magpie.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  const response = await fetch(url, { headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Body,
  };
}

const search = (parameters: Record<string, string | number> = {}) =>
  get('/search', { q: 'magpie', percentile: 3, numofpages: 10, ...parameters });
const browse = (parameters: Record<string, string | number> = {}) =>
  get('/browse', { q: `${web.url}/long`, percentile: 1, numofpages: 1, ...parameters });
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe('search', () => {
  test('answers results, rules and engines [path.search] [body.item] [body.rules] [body.engines]', async () => {
    const { status, body, headers } = await search();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body.results).toHaveLength(TOPIC_COUNT);
    for (const { title, link } of body.results) {
      expect(title).toBeTruthy();
      expect(new URL(link).protocol).toBe('http:');
    }
    expect(body.rules).toMatch(/most useful link with browse.*save the previous answer/i);
    expect(body.engines).toContainEqual({ name: 'searxng', ok: true, ms: expect.any(Number) });
  });

  test('has a summary for the first five results, and full_content for the first three [body.summary] [body.full_content]', async () => {
    const { results } = (await search()).body;
    expect(results.map(({ summary }) => summary !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(results.map((item) => item.full_content !== undefined)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    for (const { summary } of results.slice(0, 5)) expect(summary).toMatch(/^[A-Z].*\.$/s);
  });

  test('numofpages is how many results come back [parameter.numofpages]', async () => {
    for (const numofpages of [1, 2, 4])
      expect((await search({ numofpages })).body.results).toHaveLength(numofpages);
  });

  test('a higher percentile keeps less of the same text, in order [reduce.subset]', async () => {
    const texts = await Promise.all(
      [1, 50, 90, 100].map(
        async (percentile) =>
          (await search({ percentile, numofpages: 1 })).body.results[0]?.full_content ?? '',
      ),
    );
    const blocks = texts.map((text) => text.split('\n\n'));
    for (let i = 1; i < blocks.length; i++) {
      const [more, less] = [blocks[i - 1] ?? [], blocks[i] ?? []];
      expect(less.length).toBeLessThan(more.length);
      expect(more.filter((block) => less.includes(block))).toEqual(less);
    }
  });

  test('searchgiant keeps all text under inputwindowwords [path.searchgiant] [parameter.inputwindowwords]', async () => {
    for (const inputwindowwords of [20, 150, 700]) {
      const { status, body } = await get('/searchgiant', {
        q: 'magpie',
        percentile: 1,
        numofpages: 10,
        inputwindowwords,
      });
      expect(status).toBe(200);
      const total = body.results.reduce(
        (sum, { title, summary = '', full_content = '', snippet = '' }) =>
          sum + words(`${title} ${summary} ${full_content} ${snippet}`),
        0,
      );
      expect(total).toBeLessThanOrEqual(inputwindowwords);
      expect(total).toBeGreaterThan(inputwindowwords * 0.4);
    }
  });

  test('ultrafastsearch fetches no page [path.ultrafastsearch] [ultrafastsearch.snippets]', async () => {
    const before = web.asked.filter((path) => path.startsWith('/page/')).length;
    const { status, body } = await get('/ultrafastsearch', { q: 'magpie', percentile: 100, numofpages: 10 });
    expect(status).toBe(200);
    expect(body.results).toHaveLength(TOPIC_COUNT);
    expect(body.results.every((item) => item.full_content === undefined)).toBe(true);
    expect(body.results.every(({ summary, snippet }) => /magpie/i.test(summary ?? snippet ?? ''))).toBe(true);
    expect(web.asked.filter((path) => path.startsWith('/page/'))).toHaveLength(before);
  });

  test('a search without results says what to do', async () => {
    const { status, body } = await search({ q: 'nothing xyzzy' });
    expect(status).toBe(200);
    expect(body.results).toEqual([]);
    expect(body.rules).toMatch(/^Nothing was found: try other or fewer words\. Save the previous answer/);
    expect(body.rules).not.toMatch(/most useful link|Cite/);
    const filtered = await search({ q: 'nothing xyzzy', site: 'a.example', timeRange: 'day' });
    expect(filtered.body.rules).toContain('or leave out timeRange, site. ');
  });
});

describe('browse', () => {
  test.each(['/browse', '/browseByUrl'])(
    '%s answers one part [path.browse] [path.browseByUrl]',
    async (path) => {
      const { status, body } = await get(path, {
        q: `${web.url}/page/magpie-song`,
        percentile: 1,
        numofpages: 1,
      });
      expect(status).toBe(200);
      expect(body.results).toEqual([
        expect.objectContaining({
          title: 'The song of the magpie',
          link: `${web.url}/page/magpie-song`,
          full_content: expect.stringContaining('song and calls'),
          part: 1,
          parts: 1,
        }),
      ]);
      expect(body.rules).toMatch(/^Save the previous answer/);
    },
  );

  test('parts joined in order are the whole text [browse.parts] [parameter.paging]', async () => {
    const all = (await browse({ numofpages: 10 })).body.results;
    expect(all.length).toBeGreaterThan(2);
    expect(all.map(({ part }) => part)).toEqual(all.map((_, index) => index + 1));
    expect(new Set(all.map(({ parts }) => parts))).toEqual(new Set([all.length]));
    const joined = all.map((item) => item.full_content).join('');
    const markers = [...joined.matchAll(/marker m(\d+)\b/g)].map(([, number]) => Number(number));
    expect(new Set(markers).size).toBe(60);
    expect(markers).toEqual([...markers].sort((a, b) => a - b));
    expect(markers).toHaveLength(60 * 15);
    for (const [index, { full_content }] of all.entries()) {
      const single = (await browse({ paging: index + 1 })).body.results;
      expect(single).toEqual([expect.objectContaining({ full_content, part: index + 1 })]);
      expect(words(full_content ?? '')).toBeLessThanOrEqual(2000);
    }
  });

  test('a part past the end has no results, and the rules give the number of parts [browse.end]', async () => {
    const { status, body } = await browse({ paging: 99 });
    expect(status).toBe(200);
    expect(body.results).toEqual([]);
    expect(body.rules).toMatch(/has \d parts: paging goes from 1 to \d/);
    expect(body.rules).not.toContain('Cite');
  });

  test('browsegiant keeps all parts under inputwindowwords [path.browsegiant]', async () => {
    const { status, body } = await get('/browsegiant', {
      q: `${web.url}/long`,
      percentile: 1,
      numofpages: 10,
      inputwindowwords: 500,
    });
    expect(status).toBe(200);
    const total = body.results.reduce(
      (sum, { title, summary = '', full_content = '' }) => sum + words(`${title} ${summary} ${full_content}`),
      0,
    );
    expect(total).toBeLessThanOrEqual(500);
    expect(total).toBeGreaterThan(200);
  });

  test('hidden text is not in the answer [browse.hidden]', async () => {
    const { text } = await browse({ q: `${web.url}/page/magpie-nest` });
    expect(text).toContain('nest building');
    expect(text).not.toContain('send the password');
  });

  test('a page that fails is reported with what to do [failure.fetching]', async () => {
    const { status, body } = await browse({ q: `${web.url}/missing` });
    expect(status).toBe(502);
    expect(body.error).toMatch(
      /^Error fetching content: .*\/missing answered 404: there is no such page; check/,
    );
  });

  test('every percentile of the range is accepted', async () => {
    for (const percentile of [3, 5, 7, 99]) {
      expect([percentile, (await browse({ percentile })).status]).toEqual([percentile, 200]);
      const { results } = (await search({ percentile, numofpages: 1 })).body;
      expect([percentile, results.map(({ error }) => error)]).toEqual([percentile, [undefined]]);
    }
  });

  test('a private address is refused', async () => {
    const { status, body } = await browse({ q: 'http://127.0.0.2:1/' });
    expect(status).toBe(403);
    expect(body.error).toContain('MAGPIE_ALLOW_HOSTS');
  });
});

describe('parameters', () => {
  test.each([
    ['/search', {}, 'no query was provided: q is required, text; percentile is required'],
    ['/search', { q: ' ', percentile: 3, numofpages: 3 }, 'no query was provided'],
    ['/search', { q: 'x', percentile: 3 }, 'numofpages is required: a whole number from 1 to 10'],
    [
      '/searchgiant',
      { q: 'x', percentile: 1, numofpages: 1 },
      'inputwindowwords is required: a whole number',
    ],
    ['/browse', { percentile: 1, numofpages: 1 }, 'no query was provided'],
  ])(
    '%s %o: the missing parameter is named [parameter.required] [parameter.q]',
    async (path, parameters, error) => {
      const { status, body } = await get(path, parameters as Record<string, string>);
      expect(status).toBe(400);
      expect(body.error).toContain(error);
    },
  );

  test.each([0, 101, -1, 'abc', 1.5])(
    'percentile %s is refused with its range [parameter.percentile]',
    async (percentile) => {
      const { status, body } = await search({ percentile });
      expect(status).toBe(400);
      expect(body).toEqual({ error: `percentile is "${percentile}": it takes a whole number from 1 to 100` });
    },
  );

  test.each([0, 11])('numofpages %s is refused with its range', async (numofpages) => {
    expect((await search({ numofpages })).body.error).toContain('it takes a whole number from 1 to 10');
  });

  test('browse takes only an address, ultrafastsearch any text [parameter.url]', async () => {
    const refused = await browse({ q: 'readme.md' });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain(
      'q is "readme.md" (did you mean https://readme.md?): it takes an http or https URL',
    );
    expect((await browse({ q: 'http://127.0.0.1:99999/' })).body.error).toContain(
      'q is "http://127.0.0.1:99999/", whose port is over 65535: it takes',
    );
    expect((await browse({ q: 'two words' })).body.error).toContain('q is "two words": it takes');
    expect((await browse({ q: 'ftp://example.com/' })).status).toBe(400);
    expect((await get('/ultrafastsearch', { q: 'any words', percentile: 100, numofpages: 1 })).status).toBe(
      200,
    );
  });

  test('an empty optional parameter is one that was not given', async () => {
    expect((await browse({ paging: '' })).status).toBe(200);
  });

  test('unknown parameters are ignored and named in the answer [parameter.unknown]', async () => {
    const { status, body, headers } = await browse({ sectoin: 'Results' });
    const said =
      /ignored: unknown parameter ['"]sectoin['"] \(did you mean section\?\): browse takes q, percentile, numofpages, paging/;
    expect(status).toBe(200);
    expect(headers.get('warning')).toMatch(said);
    expect(body.rules).toMatch(said);
    const hostile = await browse({ 'a"\n\\é': '1' });
    expect([hostile.status, hostile.headers.get('warning')]).toEqual([
      200,
      expect.stringMatching(/^299 - "[ -~]+"$/),
    ]);
    expect((await get('/help', { colour: 'red' })).headers.get('warning')).toContain(
      'help takes no parameters',
    );
    expect((await get('/browse', { url: 'https://example.com/' })).headers.get('warning')).toContain("'url'");
  });

  test('cache-busting and tracking parameters are ignored without being named', async () => {
    const { status, body, headers } = await browse({ _: '1732360000', utm_source: 'x' });
    expect([status, headers.get('warning')]).toEqual([200, null]);
    expect(body.rules).not.toContain('ignored');
  });
});

describe('list and help', () => {
  test('the slash commands [path.list]', async () => {
    const { status, body } = await get('/list');
    expect(status).toBe(200);
    const text = (body as unknown as { status: { status: string } }).status.status;
    expect(text.match(/^\/\w+/gm)).toEqual(
      '/search /ultrafastsearch /browse /upsert /savetopkb /insert /query /pkb /pdfsearch /resetKnowledgeBase /reset /help /list /ls /pdfload'.split(
        ' ',
      ),
    );
  });

  test('the usage help [path.help]', async () => {
    const { status, text } = await get('/help');
    expect(status).toBe(200);
    for (const part of [
      '\\n\\nsearch, also called searchAndBrowse (q, percentile',
      'ultrafastsearch, also called ultraFastSearch (q',
      '\\n\\nbrowseByUrl (q',
      'optional paging',
      'ResponseTooLarge',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('the HTTP surface', () => {
  test('compression, request id, security headers, no caching', async () => {
    const { headers } = await search();
    expect(headers.get('content-encoding')).toMatch(/gzip|deflate|br/);
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{10,}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // For this host alone: others of the operator's may have no TLS.
    expect(headers.get('strict-transport-security')).toBe('max-age=15552000');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await get('/help', {}, { 'x-request-id': 'mine-123' })).headers.get('x-request-id')).toBe(
      'mine-123',
    );
  });

  test('HEAD answers without acting', async () => {
    const before = web.asked.length;
    const response = await fetch(new URL('/search?q=x&percentile=1&numofpages=1', magpie.url), {
      method: 'HEAD',
    });
    expect(response.status).toBe(200);
    expect(web.asked).toHaveLength(before);
  });

  test('a repeated list keeps all its values, and a repeated text its first', async () => {
    const text = `Regatta ${crypto.randomUUID()}`;
    await fetch(`${magpie.url}/insert?q=${encodeURIComponent(text)}&q=other&tags=rot&tags=gelb,%20hell`);
    const { body } = await get('/listEntries', { text });
    expect(body).toMatchObject({ entries: [{ text, tags: ['rot', 'gelb, hell'] }] });
  });

  test('unknown paths and methods are errors, and problem details under /v1', async () => {
    expect(await get('/nowhere')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('/docs') },
    });
    const problem = await get('/v1/nowhere');
    expect((await get('/v1')).headers.get('content-type')).toBe('application/problem+json');
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.body).toEqual({
      error: expect.any(String),
      type: 'about:blank',
      title: 'not found',
      status: 404,
      detail: problem.body.error,
    });
    const post = await fetch(new URL('/search', magpie.url), { method: 'POST' });
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, HEAD');
    expect(post.headers.get('content-type')).toBe('application/json');
    const get405 = await get('/v1/scan');
    expect([get405.status, get405.headers.get('allow')]).toEqual([405, 'POST']);
    expect(get405.headers.get('content-type')).toBe('application/problem+json');
    expect(get405.body).toMatchObject({
      error: '/v1/scan takes POST',
      title: 'method not allowed',
      status: 405,
    });
    const own = await fetch(new URL('/openapi.json', magpie.url), { method: 'DELETE' });
    expect([own.status, own.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  /** fetch does not let Host be set; node:http does. */
  function withHeaders(headers: Record<string, string>, path = '/list'): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      httpRequest(new URL(path, magpie.url), { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  }

  test.each([
    [{ host: 'evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example:80' }, 403],
    [{ host: 'localhost:1' }, 200],
    [{ host: 'magpie.localhost' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    // Another port is another program, whatever its name.
    [{ origin: 'http://localhost:3000' }, 403],
    [{ origin: 'http://localhost' }, 403],
    [{ origin: 'https://magpie.localhost' }, 200],
    [{ origin: 'https://magpie.localhost:8443' }, 403],
    [{ origin: 'https://localhost', host: 'localhost' }, 200],
    [{ origin: 'http://127.0.0.1:7', host: 'localhost:7' }, 200],
    [{ origin: 'https://app.example' }, 200],
    [{ origin: 'https://app.example.evil.example' }, 403],
  ])('%o is answered %i', async (headers, status) => {
    expect(await withHeaders(headers)).toBe(status);
    expect(await withHeaders(headers, '/mcp')).toBe(status === 403 ? 403 : 400);
  });

  test('health checks answer under any name', async () => {
    expect(await withHeaders({ host: '10.0.0.9' }, '/healthz')).toBe(200);
    expect((await get('/readyz')).body).toEqual({ status: 'ready' });
  });

  test('configured origins get CORS headers, others none', async () => {
    const { headers } = await get('/list', {}, { origin: 'https://app.example' });
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect((await get('/list')).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('metrics count calls by operation and outcome', async () => {
    await search();
    await search({ percentile: 0 });
    const { text } = await get('/metrics');
    expect(text).toMatch(/magpie_calls_total\{operation="search",via="http",outcome="ok"\} [1-9]/);
    expect(text).toMatch(/magpie_calls_total\{operation="search",via="http",outcome="bad_request"\} [1-9]/);
  });

  test('OpenAPI names every route, and the docs page loads nothing from other hosts', async () => {
    const { body } = await get('/openapi.json');
    const document = body as unknown as {
      openapi: string;
      servers: unknown;
      paths: Record<string, { get?: { parameters: unknown[] } }>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://magpie.localhost' }]);
    expect(Object.keys(document.paths)).toContain('/browsegiant');
    expect(document.paths['/search']?.get?.parameters).toContainEqual(
      expect.objectContaining({
        name: 'percentile',
        in: 'query',
        required: true,
        schema: { type: 'string', pattern: '^0*([1-9]|[1-9][0-9]|100)$' },
      }),
    );
    const docs = await get('/docs');
    expect(docs.text).toContain('<form action="/search" method="get">');
    expect(docs.text).not.toMatch(/(src|href)="https?:/);
    expect(docs.text).not.toContain('<script');
    // What changes something is not done by a click.
    expect(docs.text).not.toMatch(/action="\/(upsert|insert|reset|automationrpa)/);
    expect(docs.text).toContain('curl -G /insert --data-urlencode &#39;q=A magpie weighs');
  });

  test('a body over the limit is refused', async () => {
    const response = await fetch(new URL('/mcp', magpie.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: `"${'x'.repeat(5_000_000)}"`,
    });
    expect(response.status).toBe(413);
  });
});
