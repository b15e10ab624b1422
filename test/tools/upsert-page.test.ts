import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyClient, CONNECTIONS } from '../helpers/clients.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { startSite, type TestSite } from '../helpers/site.ts';

/** `upsert` of pages and files: real clients over stdio and HTTP, the terminal, and REST. */

const folder = temporaryFolder();
const outside = mkdtempSync(join(tmpdir(), 'magpie-outside-'));
let site: TestSite;
let magpie: Running;
let env: Record<string, string>;
let assistant: AnyClient;
let remote: AnyClient;

const page = (text: string) => ({
  body: `<!doctype html><html><head><title>The tide mill</title><meta name="author" content="Ada Lind"><meta property="article:published_time" content="2024-05-08"></head><body><article><h1>The tide mill</h1><p>${text} It stands at the harbour since 1602, and grinds for the whole town when the tide falls.</p><p>See <a href="/other">the other mill</a>.<img src="/p.jpg" alt="A wheel"></p></article></body></html>`,
});

beforeAll(async () => {
  site = await startSite();
  site.pages.set('/mill', page('The wheel turns twelve times a minute.'));
  env = {
    ...environment(folder.path),
    ...(await withoutModel()),
    MAGPIE_ENGINES: 'local',
    MAGPIE_ALLOW_HOSTS: site.host,
  };
  magpie = await startMagpie(env);
  const target = { url: magpie.url, env };
  // A process of its own, whose home folder is the test's.
  assistant = await connect('stdio, 2026 era, v2 client', target);
  remote = await connect('HTTP, 2026 era, v2 client', target);
});
afterAll(async () => {
  await assistant.close();
  await remote.close();
  await magpie.stop();
  await site.close();
  folder.remove();
  rmSync(outside, { recursive: true });
});

async function connect(
  name: string,
  target: { url: string; env: Record<string, string> },
): Promise<AnyClient> {
  const open = CONNECTIONS[name];
  if (!open) throw new Error(`${name}: there are ${Object.keys(CONNECTIONS).join('; ')}`);
  return open(target);
}

async function call(client: AnyClient, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name: 'upsert', arguments: input });
  return { isError: isError === true, text: (content as { text: string }[])[0]?.text ?? '' };
}
const exported = async () => {
  const { stdout } = await runMagpie(['kb', 'export'], env);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(
      (line) =>
        JSON.parse(line) as {
          id: string;
          text: string;
          title: string;
          source: string;
          key?: string;
          tags: string[];
        },
    );
};
const rest = async (path: string) => {
  const response = await fetch(new URL(path, magpie.url));
  return {
    status: response.status,
    body: (await response.json()) as { id: string; error: string; status: { status: string } },
  };
};

test('an address alone stores the page with its title, source, author and date, and updates it the next time', async () => {
  const url = `${site.url}/mill`;
  const first = await call(assistant, { q: `${url}#history` });
  expect(first.text).toMatch(
    new RegExp(`^Kept the page "The tide mill" of ${url} in the knowledge base as tester-\\d+`),
  );
  const [entry, ...none] = await exported();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({ title: 'The tide mill', source: url, key: url });
  expect(entry?.text).toMatch(/^By Ada Lind, .*published 2024-05-08\.\n\n[\s\S]*twelve times a minute/);
  expect(entry?.text).toContain(`[the other mill](${site.url}/other)`);
  expect(entry?.text).not.toContain('p.jpg');
  expect((await call(remote, { q: url })).text).toContain('has the page "The tide mill"');

  site.pages.set('/mill', page('The wheel stands still.'));
  const { stdout } = await runMagpie(['upsert', url], env);
  expect(stdout).toMatch(/^Replaced the page "The tide mill"/);
  const after = await exported();
  expect(after.map(({ id }) => id)).toEqual([entry?.id]);
  expect(after[0]?.text).toContain('The wheel stands still.');
});

test('url accepts a note and facts, also over REST, where q stays text', async () => {
  site.pages.set('/pdf', {
    headers: { 'content-type': 'application/pdf' },
    body: makePdf(['The wagtail report of the year.']),
  });
  const url = `${site.url}/pdf`;
  const noted = await call(assistant, {
    q: 'For the talk in June',
    url,
    title: 'Wagtails',
    tags: ['birds'],
    key: 'talk',
  });
  expect(noted.isError).toBe(false);
  expect((await exported()).find(({ key }) => key === 'talk')).toMatchObject({
    title: 'Wagtails',
    tags: ['birds'],
    source: url,
    text: expect.stringMatching(/^For the talk in June\n\n[\s\S]*wagtail report/),
  });
  const literal = await rest(`/upsert?q=${encodeURIComponent(`${site.url}/mill`)}`);
  expect(literal).toMatchObject({
    status: 200,
    body: { status: { status: expect.stringMatching(/^Kept in the/) } },
  });
  expect((await exported()).find(({ id }) => id === literal.body.id)?.text).toBe(`${site.url}/mill`);
  const asked = await rest(`/upsert?q=&url=${encodeURIComponent(url)}`);
  expect(asked).toMatchObject({
    status: 200,
    body: { status: { status: expect.stringContaining(`of ${url}`) } },
  });
  for (const path of ['/upsert', '/upsert?q=%20', '/upsert?q=']) {
    expect(await rest(path)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('no query was provided: q is required') },
    });
  }
});

test('the words of a link of Markdown stand above the text of its page', async () => {
  site.pages.set('/plan', page('The wheel is mended in May.'));
  const url = `${site.url}/plan`;
  const kept = async () => (await exported()).find(({ key }) => key === url)?.text;
  expect((await call(assistant, { q: `**[Plan, ask Bob](${url} "until June")**.` })).isError).toBe(false);
  expect(await kept()).toMatch(/^Plan, ask Bob\n\nuntil June\n\nBy Ada Lind, /);
  expect((await call(assistant, { q: `[${url}](${url})` })).isError).toBe(false);
  expect(await kept()).toMatch(/^By Ada Lind, /);
});

test('an unreadable page is reported for url, and for q its address is stored', async () => {
  const gone = `${site.url}/gone`;
  expect(await call(assistant, { url: gone, q: 'x' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Error fetching content'),
  });
  const kept = await call(assistant, { q: gone });
  expect(kept).toMatchObject({
    isError: false,
    text: expect.stringContaining('Only the address: the page was not read'),
  });
  expect((await exported()).some(({ text }) => text === gone)).toBe(true);
  // The guard holds: no page of this machine that the operator has not listed.
  const own = await rest(`/upsert?q=x&url=${encodeURIComponent(`${magpie.url}/metadatakb?q=`)}`);
  expect(own.status).toBe(403);
});

test('a terminal stores any file, an assistant stores visible files below the home folder, and HTTP stores no file', async () => {
  const note = join(folder.path, 'note.md');
  writeFileSync(note, '---\ntags: [garden]\n---\n# Seeds\n\nSow the leeks in March.');
  const first = await call(assistant, { q: '', path: note });
  expect(first.text).toMatch(new RegExp(`^Kept the file ${note} in the knowledge base`));
  expect((await exported()).find(({ key }) => key === note)).toMatchObject({
    title: 'Seeds',
    tags: ['garden'],
    source: note,
  });
  expect(await call(assistant, { q: '', path: '~/note.md' })).toMatchObject({
    text: expect.stringContaining(note),
  });
  writeFileSync(note, '# Seeds\n\nSow the leeks in April.');
  expect((await runMagpie(['upsert', '--path', note], env)).stdout).toMatch(/^Replaced the file/);
  expect((await exported()).filter(({ title }) => title === 'Seeds')).toMatchObject([
    { text: expect.stringContaining('April') },
  ]);

  mkdirSync(join(folder.path, '.ssh'));
  writeFileSync(join(folder.path, '.ssh', 'id.txt'), 'a private key');
  writeFileSync(join(outside, 'far.txt'), 'far away');
  symlinkSync(join(outside, 'far.txt'), join(folder.path, 'near.txt'));
  for (const path of ['.ssh/id.txt', 'near.txt', '../etc/passwd', '/etc/passwd'].map((name) =>
    name.startsWith('/') ? name : join(folder.path, name),
  )) {
    expect((await call(assistant, { q: '', path })).isError).toBe(true);
  }
  expect(await call(assistant, { q: '', path: join(folder.path, '.ssh/id.txt') })).toMatchObject({
    text: expect.stringContaining('is not a file that an assistant may keep'),
  });
  expect((await runMagpie(['upsert', '--path', join(outside, 'far.txt')], env)).code).toBe(0);
  expect(await call(remote, { q: '', path: note })).toMatchObject({
    isError: true,
    text: expect.stringContaining('not for callers over HTTP'),
  });
  expect((await rest(`/upsert?q=x&path=${encodeURIComponent(note)}`)).status).toBe(400);
  expect(await runMagpie(['upsert', '--path', join(outside, 'nowhere.txt')], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not exist'),
  });
});
