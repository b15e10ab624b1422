import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import {
  EngineError,
  type EngineOptions,
  type SearchCategory,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
} from '../../src/search/engine.ts';
import { createSearch } from '../../src/search/search.ts';

/** An answer as the engine's own server gives it. */
export interface Answer {
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What reached the server. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A part of an engine's site that is asked when the caller names its category. */
export interface Part {
  readonly found: Answer & { readonly hits: readonly SearchHit[] };
  readonly nothing: Answer;
  readonly changed: Answer;
  /** The page that is visited first. */
  readonly visit?: Answer;
  /** Path of the request. */
  readonly path: string;
}

export interface EngineSuite {
  make(options: EngineOptions): SearchEngine;
  readonly key?: string;
  /** The engine answers without its key too: a suite of its own tests that. */
  readonly keyIsOptional?: true;
  /** The service takes its key in the address alone. */
  readonly keyInAddress?: true;
  /** A page of results: tracked links, an advertisement and odd entries included where the engine has such. */
  readonly found: Answer & { readonly hits: readonly SearchHit[] };
  /** The engine's own word that it found nothing. */
  readonly nothing: Answer;
  /** Every known form of "prove that you are human", and of "too often"; the engine is then left alone. */
  readonly paused: Readonly<Record<string, Answer>>;
  /** Answers that no longer fit: each must be an error that says so, never an empty success. */
  readonly changed: Readonly<Record<string, Answer>>;
  /** Other refusals (a wrong key, an engine that is switched off), with a part of the reason given. */
  readonly refused?: Readonly<Record<string, Answer & { readonly says: string }>>;
  /** The page that is visited before the question, where the engine has such, with the token in it. */
  readonly visit?: Answer & { readonly token: string };
  /** The parts that a general engine has for categories that a caller names. */
  readonly parts?: Partial<Record<SearchCategory, Part>>;
  /** Checks what was sent for a query with every filter that the engine takes. */
  checkRequest(asked: Asked, query: SearchQuery): void;
}

const QUERY: SearchQuery = { text: 'magpie nest & "tail feathers" é', limit: 10 };
const FILTERS = { language: 'de', region: 'AT', timeRange: 'week', site: ['nodejs.org'] } as const;
const HOSTS = {
  sites: { site: ['nodejs.org', 'deno.example'] },
  excludeSite: { excludeSite: ['bun.example'] },
};

/** Long hosts, as many as a caller may name. */
const MANY = Array.from({ length: 10 }, (_, at) => `${'long-'.repeat(18)}${at}.example`);

/**
 * What every engine does, over real HTTP and through the search room: the request, the hits, its empty
 * answer, its captcha and 429, its changed markup, and that no key appears where it should not.
 */
export function describeSearchEngine(name: string, suite: EngineSuite): void {
  const how = suite.keyIsOptional ? ' with its key' : '';
  describe(`${name}${how} follows the engine contract`, () => {
    let answer: Answer = suite.found;
    let visit: Answer | undefined = suite.visit;
    let visited = '';
    const asked: Asked[] = [];
    let base = '';
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      asked.push({
        method: request.method ?? '',
        url: new URL(request.url ?? '/', base),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const first = visit !== undefined && visited === `${request.method} ${request.url}`;
      const { body, status, headers }: Answer = first ? (visit ?? answer) : answer;
      const type = /^\s*[[{]/.test(body) ? 'application/json' : 'text/html; charset=utf-8';
      response.writeHead(status ?? 200, { 'content-type': type, ...headers }).end(body);
    });
    const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(async () => {
      await fetch.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    const engine = () => suite.make({ baseUrl: base, ...(suite.key !== undefined && { key: suite.key }) });
    const parsed = (given: Answer) => engine().parse(given.body, QUERY);
    /** A search room of its own, so that no suspension is left over. */
    const ask = async (given: Answer, query: Partial<SearchQuery> = {}) => {
      answer = given;
      const seen = engine().visit?.request({ ...QUERY, ...query });
      visited = seen ? `${seen.method ?? 'GET'} ${seen.url.slice(base.length)}` : '';
      const room = createSearch({
        fetch,
        engines: [engine()],
        trusted: [],
        askLocal: false,
        timeoutMs: 5000,
        log: createLog('silent'),
      });
      const { text, limit, ...filters } = { ...QUERY, ...query };
      const find = () =>
        room.findPages(text, { owner: 'u', limit, signal: AbortSignal.timeout(10_000), ...filters });
      return { first: await find().catch((error: unknown) => error as AppError), find };
    };
    const failure = (result: unknown) => {
      expect(result).toBeInstanceOf(AppError);
      return (result as AppError).message;
    };

    test('describes itself', () => {
      const { name: own, about } = engine();
      expect(own).toBe(name);
      expect(own).toMatch(/^[a-z0-9-]+$/);
      expect(about.website).toMatch(/^https:\/\//);
      expect(about.needsKey ?? false).toBe(suite.key !== undefined && !suite.keyIsOptional);
      expect(about.categories.length).toBeGreaterThan(0);
      for (const source of about.facts.sources) expect(source).toMatch(/^https:\/\//);
      expect(about.facts.checked).toMatch(/^2\d{3}-[01]\d-[0-3]\d$/);
    });

    test('sends the question and each filter that it supports', async () => {
      asked.length = 0;
      const query = { ...QUERY, ...FILTERS };
      await ask(suite.found, query);
      const one = asked.at(-1);
      if (!one) throw new Error('nothing was asked');
      expect(asked).toHaveLength(suite.visit ? 2 : 1);
      expect(`${decodeURIComponent(one.url.href.replaceAll('+', ' '))}\n${one.body}`).toContain('magpie');
      suite.checkRequest(one, query);
      if (suite.key !== undefined) {
        // Addresses end up in the logs of proxies.
        const inHeaders = JSON.stringify({ ...one.headers, referer: '' }).includes(suite.key);
        const inAddress = `${one.url.href} ${one.headers.referer}`.includes(suite.key);
        expect([inHeaders, inAddress]).toEqual([!suite.keyInAddress, suite.keyInAddress ?? false]);
      }
    });

    test('a filter changes the request exactly where the engine declares support for it', () => {
      const spelled = (query: SearchQuery) => JSON.stringify(engine().request(query));
      const plain = spelled(QUERY);
      const takes = (filter: string) => engine().about.takes.some((one) => one === filter);
      for (const [filter, value] of Object.entries(FILTERS)) {
        expect(spelled({ ...QUERY, [filter]: value }) !== plain, filter).toBe(takes(filter));
      }
      if (takes('sites')) expect(spelled({ ...QUERY, ...HOSTS.sites })).toContain('deno.example');
      expect(spelled({ ...QUERY, ...HOSTS.excludeSite }) !== plain, 'excludeSite').toBe(takes('excludeSite'));
      if (takes('excludeSite')) expect(spelled({ ...QUERY, ...HOSTS.excludeSite })).toContain('bun.example');
      expect(spelled({ ...QUERY, page: 2 }) !== plain, 'page').toBe((engine().about.pages ?? 1) > 1);
    });

    test('result pages are requested with browser headers, and services with the name of Magpie', async () => {
      asked.length = 0;
      await ask(suite.found);
      expect(asked.length).toBeGreaterThan(0);
      const { resultPage } = engine().about;
      for (const { headers } of asked) {
        expect(headers['user-agent']).toMatch(resultPage ? /^[A-Z]\w+\/\d.*\(/ : /^Magpie\/test$/);
        if (!resultPage) expect(Object.keys(headers).filter((name) => name.startsWith('sec-'))).toEqual([]);
      }
    });

    test('the token of a first visit is sent with the search, and a page without a token is an error', async () => {
      if (!suite.visit) return;
      expect(engine().visit?.read(suite.visit.body)).toBe(suite.visit.token);
      asked.length = 0;
      await ask(suite.found);
      expect(JSON.stringify(asked.at(-1))).toContain(suite.visit.token);
      for (const body of ['', '<html>', '{"a": 1}', '<input name="'.repeat(10_000)]) {
        expect(() => engine().visit?.read(body)).toThrow(EngineError);
      }
    });

    describe.each(Object.entries(suite.parts ?? {}))('%s', (name, part) => {
      const category = name as SearchCategory;

      test('reads its results, and reports none for another markup', async () => {
        expect(engine().about.categories).toContain(category);
        visit = part.visit ?? suite.visit;
        asked.length = 0;
        const { first } = await ask(part.found, { category });
        expect(first).toMatchObject({ engines: [{ ok: true, hits: part.found.hits.length }] });
        expect(asked.at(-1)?.url.pathname).toBe(part.path);
        expect(engine().parse(part.found.body, { ...QUERY, category })).toEqual(part.found.hits);
        expect((await ask(part.nothing, { category })).first).toMatchObject({
          pages: [],
          engines: [{ ok: true }],
        });
        expect(failure((await ask(part.changed, { category })).first)).toMatch(/changed|not what|no JSON/i);
        visit = suite.visit;
      });
    });

    test('any question makes a request that can be sent', () => {
      for (const text of ['x'.repeat(2000), '🐦'.repeat(1000), '\\', '!!', '%00%', '"', "');--", ' a\tb ']) {
        for (const hosts of [{}, { site: MANY, excludeSite: MANY }]) {
          const { url } = engine().request({ text, limit: 1, ...hosts });
          expect(URL.canParse(url), text).toBe(true);
          expect(url.length).toBeLessThan(8000);
        }
      }
    });

    test('reads its results', async () => {
      expect(parsed(suite.found)).toEqual(suite.found.hits);
      for (const { url } of suite.found.hits) expect(url).toMatch(/^https?:\/\//);
      const { first } = await ask(suite.found);
      expect(first).toMatchObject({ engines: [{ name, ok: true, hits: suite.found.hits.length }] });
    });

    test('an empty result is a success without hits', async () => {
      expect((await ask(suite.nothing)).first).toMatchObject({ pages: [], engines: [{ name, ok: true }] });
    });

    test.each(Object.entries(suite.changed))('reports a changed answer: %s', async (_, given) => {
      const message = failure((await ask(given)).first);
      expect(message).toContain(`${name}: `);
      expect(message).toMatch(/changed|not what|cannot be read|no JSON/i);
    });

    test.each(Object.entries(suite.paused))('suspends the engine after: %s', async (_, given) => {
      const { first, find } = await ask(given);
      expect(failure(first)).toContain('left alone until');
      const before = asked.length;
      await expect(find()).rejects.toThrow('left alone until');
      expect(asked.length).toBe(before);
    });

    test.each(Object.entries(suite.refused ?? {}))('reports a refusal: %s', async (_, given) => {
      expect(failure((await ask(given)).first)).toContain(given.says);
    });

    test('error messages never show the key', async () => {
      if (suite.key === undefined) return;
      for (const given of [
        ...Object.values(suite.changed),
        ...Object.values(suite.paused),
        { body: `{"error": "bad key ${suite.key}"}`, status: 401 },
        { body: `bad key ${suite.key}`, status: 500 },
      ]) {
        expect(failure((await ask(given)).first)).not.toContain(suite.key);
      }
    });

    test('hostile bodies give safe hits or an error, and never another exception', () => {
      const cut = suite.found.body.slice(0, suite.found.body.length >> 1);
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      const lists = ['error', 'results', 'data', 'organic', 'items', 'channels'];
      const nested = lists.map((name) => `{"${name}": [${deep}]}`);
      for (const body of [
        ...nested,
        deep,
        '',
        ' ',
        'null',
        '[]',
        '{}',
        '<',
        '\u0000',
        cut,
        '<a>'.repeat(12_000),
      ]) {
        try {
          for (const { url } of engine().parse(body, QUERY)) expect(url).toMatch(/^https?:\/\//);
        } catch (error) {
          expect((error as Error).name, body.slice(0, 40)).toBe('EngineError');
        }
      }
    });
  });
}
