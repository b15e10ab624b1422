import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { CONNECTIONS } from '../helpers/clients.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** The filters of a search over REST and MCP, by an engine that answers what it likes. */

const folder = temporaryFolder();
let env: Record<string, string>;
/** What the engine was asked. */
const asked: URLSearchParams[] = [];
let server: Server;
let magpie: Running;

const HOSTS = ['nodejs.invalid', 'docs.nodejs.invalid', 'deno.invalid', 'bun.invalid'];

beforeAll(async () => {
  env = { ...environment(folder.path), ...(await withoutModel()), MAGPIE_ENGINES: 'searxng' };
  server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://x').searchParams);
    const { searchParams } = new URL(request.url ?? '/', 'http://x');
    const page = searchParams.get('pageno');
    if (Number(page) > 2) return response.end(JSON.stringify({ results: [] }));
    const results = HOSTS.map((host) => ({
      url: `https://${host}/guide${page ? `/${page}` : ''}`,
      title: `Guide of ${host}`,
      content: 'How streams are piped.',
      img_src: `https://pictures.invalid/${host}.png`,
    }));
    response.end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  magpie = await startMagpie({ ...env, MAGPIE_SEARXNG_URL: `http://${host}`, MAGPIE_ALLOW_HOSTS: host });
});
afterAll(async () => {
  await magpie.stop();
  server.close();
  server.closeAllConnections();
  folder.remove();
});

type Call = (operation: string, filters: Record<string, string>) => Promise<SearchBody & { error?: string }>;

/** Each question is another: answers are kept for some minutes. */
let questions = 0;
const question = () => `how streams are piped, ${++questions}`;

const rest: Call = async (operation, filters) => {
  const given = { q: question(), percentile: '3', numofpages: '10', ...filters };
  const response = await fetch(new URL(`/${operation}?${new URLSearchParams(given)}`, magpie.url));
  return (await response.json()) as SearchBody & { error?: string };
};

const mcp: Call = async (name, filters) => {
  const client = await CONNECTIONS['HTTP, 2026 era, v2 client']?.({ url: magpie.url, env });
  const answer = await client?.callTool({ name, arguments: { q: question(), numofpages: 10, ...filters } });
  await client?.close();
  const [content] = (answer?.content ?? []) as { text: string }[];
  return answer?.isError
    ? { results: [], rules: '', error: content?.text ?? '' }
    : (answer?.structuredContent as unknown as SearchBody);
};

const hostsOf = ({ results }: SearchBody) => results.map(({ link }) => new URL(link).host).sort();

for (const [surface, call] of Object.entries({ REST: rest, MCP: mcp })) {
  test.each(['search', 'ultrafastsearch', 'hybrid'])(`${surface}: %s filters by hosts`, async (operation) => {
    expect(hostsOf(await call(operation, {}))).toEqual([...HOSTS].sort());
    const without = await call(operation, { excludeSite: 'nodejs.invalid, bun.invalid' });
    expect(hostsOf(without)).toEqual(['deno.invalid']);
    expect(asked.at(-1)?.get('q')).toMatch(/^-site:nodejs\.invalid -site:bun\.invalid how streams/);
    const within = await call(operation, { site: 'nodejs.invalid', excludeSite: 'docs.nodejs.invalid' });
    expect(hostsOf(within)).toEqual(['nodejs.invalid']);
  });

  test.each(['search', 'ultrafastsearch', 'hybrid'])(
    `${surface}: %s filters by topic and time`,
    async (operation) => {
      const papers = await call(operation, { topic: 'papers', timeRange: 'month', language: 'de' });
      expect(papers.rules).toMatch(/papers/);
      expect(papers.results).toHaveLength(4);
      expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ time_range: 'month', language: 'de' });
      expect((await call(operation, { topic: 'general' })).rules).not.toMatch(/no engine/i);
      expect((await call(operation, { topic: 'gossip' })).error).toMatch(/one of general, news, papers/);
    },
  );
}

for (const [surface, call] of Object.entries({ REST: rest, MCP: mcp })) {
  test.each(['search', 'ultrafastsearch'])(`${surface}: %s returns further pages`, async (operation) => {
    const { results } = await call(operation, { paging: '2' });
    expect(asked.at(-1)?.get('pageno')).toBe('2');
    expect(results.map(({ link }) => link)).toContain('https://deno.invalid/guide/2');
    const none = await call(operation, { paging: '3' });
    expect([none.results, none.rules]).toEqual([[], expect.stringContaining('paging 3')]);
    expect((await call(operation, { paging: '11' })).error).toMatch(/paging/);
  });

  test(`${surface}: results have pictures`, async () => {
    const { results } = await call('ultrafastsearch', { topic: 'images' });
    expect(asked.at(-1)?.get('categories')).toBe('images');
    const [first] = results.filter(({ link }) => link.includes('deno'));
    expect(first).toMatchObject({ image: 'https://pictures.invalid/deno.invalid.png' });
    const [usual] = (await call('ultrafastsearch', {})).results;
    expect(usual?.image).toBeUndefined();
    expect((await call('search', { topic: 'images' })).error).toMatch(/one of general, news, papers/);
  });
}

test('hybrid filters web results only, and stored texts are listed beside them', async () => {
  await fetch(new URL(`/insert?q=${encodeURIComponent('Streams are piped with pipeline().')}`, magpie.url));
  const { results } = await rest('hybrid', { q: 'how are streams piped', excludeSite: HOSTS.join(',') });
  expect(results.map(({ full_content }) => full_content)).toEqual(['Streams are piped with pipeline().']);
});
