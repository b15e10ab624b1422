import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { runStdio } from '../helpers/stdio-run.ts';
import { followLink, linkOf } from '../helpers/uploads.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** What cites a passage, and where its link leads. */

const folder = temporaryFolder();
let web: TestWeb;
let magpie: Running;
let env: Record<string, string>;

const NAME = 'Mühlen & more.pdf';
const PAGES = ['Of wind and sails.', 'The tide mill turns\nby the moon.\nThe miller sleeps till noon.'];
const NOTE = `\n# The garden 🌷\n\n${Array.from({ length: 40 }, (_, i) => `Bed ${i} holds the tulip zt${i}x 🌷 and ${'more of them '.repeat(30)}.`).join('\n\n')}`;
let entry: string;

beforeAll(async () => {
  web = await startWeb();
  env = { ...environment(folder.path, web), ...(await withoutModel()) };
  magpie = await startMagpie(env);
  const { put } = await followLink(await linkOf(magpie.url));
  expect((await put(NAME, makePdf(PAGES))).status).toBe(201);
  const response = await fetch(new URL('/upsertjson', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ q: NOTE, title: 'Garden' }),
  });
  ({ id: entry } = (await response.json()) as { id: string });
});
afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});

interface Cited {
  readonly text: string;
  readonly citation: {
    entry?: string;
    fileName?: string;
    page?: number;
    passage: number;
    start: number;
    end: number;
    link: string;
  };
}

async function rest(name: string, parameters: Record<string, string>): Promise<Cited[]> {
  const response = await fetch(new URL(`/${name}?${new URLSearchParams(parameters)}`, magpie.url));
  const { matches } = (await response.json()) as { matches: { metadata: Cited }[] };
  return matches.map(({ metadata }) => metadata);
}

/** The text that is marked on the page behind a link. */
async function markedAt(link: string): Promise<string | undefined> {
  const answer = await fetch(link);
  expect(answer.status).toBe(200);
  return /<mark id="passage">([^<]*)<\/mark>/.exec(await answer.text())?.[1];
}

const letters = (text: string) => text.replace(/[^\p{L}]+/gu, ' ').trim();

test.each(['query', 'pdfsearch', 'queryUsersKnowledgeBase'])(
  '%s cites an entry by its id, passage and characters, and a file also by its page [knowledge.cited]',
  async (name) => {
    const [bed] = await rest(name, { q: 'zt33x', topK: '1' });
    expect(bed?.citation).toMatchObject({ entry, link: `kb://entries/${entry}` });
    expect(bed?.citation.passage).toBeGreaterThan(3);
    const { start = 0, end = 0 } = bed?.citation ?? {};
    expect([...NOTE].slice(start, end).join('')).toBe(bed?.text);
    expect(bed?.text).toContain('zt33x');

    const [mill] = await rest(name, { q: 'what does the tide mill turn by', topK: '1', source: NAME });
    expect(mill?.citation).toMatchObject({ fileName: NAME, page: 2, passage: 2, start: 0 });
    expect(mill?.citation.link).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/app\/files\/[^?]+\?pass=[\w.-]+&page=2&mark=0-\d+-[\da-f]{8}$/,
    );
    expect(letters((await markedAt(mill?.citation.link ?? '')) ?? '')).toBe(letters(mill?.text ?? '-'));
  },
);

test.each(['document', 'pdfpro'])(
  '%s cites pages, and each link opens the cited file only [knowledge.cited]',
  async (name) => {
    const [mill] = await rest(name, { q: 'who sleeps till noon', fileName: NAME, partId: '*' });
    const link = mill?.citation.link ?? '';
    expect(mill?.citation).toMatchObject({ fileName: NAME, page: 2, passage: 2 });
    expect(letters((await markedAt(link)) ?? '')).toContain('The miller sleeps till noon');
    // The picture is marked by the same word.
    const page = await (await fetch(link)).text();
    const picture = /<img src="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(picture).toMatch(/[?&]mark=0-\d+-[\da-f]{8}/);
    expect((await fetch(new URL(picture, link))).headers.get('content-type')).toBe('image/png');
    expect((await fetch(link.replace(/files\/[^?]+/, 'files/other.pdf'))).status).toBe(401);
    // An open server shows its local user the page without the link too, as the rest of the console.
    expect((await fetch(link.replace(/pass=[^&]+&/, ''))).status).toBe(200);
    // Another file of the name, or a mark that is not of this page: the page opens, and nothing is marked.
    expect(await markedAt(link.replace(/mark=.*/, 'mark=3-9-00000000'))).toBeUndefined();
    expect(await markedAt(link.replace(/mark=.*/, 'mark=x'))).toBeUndefined();
  },
);

test('hybrid cites results from the knowledge base [knowledge.cited]', async () => {
  const q = 'nothing: the tide mill turns by the moon';
  const response = await fetch(
    new URL(`/hybrid?${new URLSearchParams({ q, percentile: '3', numofpages: '3' })}`, magpie.url),
  );
  const { results } = (await response.json()) as { results: (Cited & { link: string })[] };
  expect(results[0]?.link).toBe(`doc://${encodeURIComponent(NAME)}`);
  expect(results[0]?.citation).toMatchObject({ fileName: NAME, page: 2, passage: 2, start: 0 });
  expect(await markedAt(results[0]?.citation.link ?? '')).toContain('tide mill');
});

test.each([
  ['2025', {}],
  ['2026', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
] as const)('over stdio, era %s, links open a page of the same run', async (_era, era) => {
  const client = new Client({ name: 'citing', version: '1' }, era);
  await client.connect(runStdio(env).transport);
  try {
    const { structuredContent, content } = await client.callTool({
      name: 'query',
      arguments: { q: 'what does the tide mill turn by', topK: 1, source: NAME },
    });
    const { matches } = structuredContent as { matches: { metadata: Cited }[] };
    const link = matches[0]?.metadata.citation.link ?? '';
    expect(link).not.toContain(magpie.url);
    expect(await markedAt(link)).toContain('tide mill');
    expect(JSON.stringify(content)).toContain(link);
  } finally {
    await client.close();
  }
});

test('a file is cited by the resource of its part where no pages are served', async () => {
  const { path, remove } = temporaryFolder();
  const alone = { ...environment(path), ...(await withoutModel()) };
  try {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(`${path}/mills.pdf`, makePdf(PAGES));
    expect((await runMagpie(['upload', `${path}/mills.pdf`], alone)).code).toBe(0);
    const { stdout } = await runMagpie(['call', 'query', '--json', 'the tide mill'], alone);
    const { matches } = JSON.parse(stdout) as { matches: { metadata: Cited }[] };
    const mill = matches.find(({ metadata }) => metadata.text.includes('tide'));
    expect(mill?.metadata.citation).toMatchObject({
      fileName: 'mills.pdf',
      page: 2,
      link: 'doc://mills.pdf/parts/1',
    });
  } finally {
    remove();
  }
});
