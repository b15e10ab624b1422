import { afterAll, beforeAll, expect, test } from 'vitest';
import { visitConsole as visit } from '../../../helpers/console-visit.ts';
import { withoutModel } from '../../../helpers/embeddings-api.ts';
import {
  environment,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../../../helpers/magpie.ts';
import { makePdf } from '../../../helpers/pdf.ts';

/** Files in the console over HTTP, without scripts. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
const url = () => magpie.url;

beforeAll(async () => {
  env = { ...environment(folder.path), ...(await withoutModel()) };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

async function upload(browser: ReturnType<typeof visit>, name: string, bytes: BlobPart) {
  const body = new FormData();
  body.set('form', await browser.token('/app/files'));
  body.append('files', new File([bytes], name));
  return browser.get('/app/file/add', { method: 'POST', body });
}

test('a file is uploaded by the form, listed, searched, queried with its page, previewed and deleted', async () => {
  const browser = visit(url);
  expect(await browser.page('/app/files')).toContain('No files yet');
  const pdf = makePdf([
    'Rooks nest in colonies on tall trees.',
    'Magpies build a domed nest of thorny twigs.',
  ]);
  expect((await upload(browser, 'Corvids.pdf', new Uint8Array(pdf))).headers.get('location')).toBe(
    '/app/files',
  );
  const listed = await browser.page('/app/files');
  expect(listed).toContain('1 file added.');
  expect(listed).toMatch(/Corvids\.pdf[\s\S]*2 pages/);
  expect(await browser.page('/app/files?q=thorny')).toMatch(/page=2">Page 2<\/a>: [^<]*thorny/);
  expect(await browser.page('/app/files?q=ostrich')).toContain('No file has “ostrich”');

  const asked = await browser.page('/app/file?name=Corvids.pdf&q=how+do+magpies+build+a+nest');
  const [, answer = ''] = /<h2><a href="([^"]+)">Page 2<\/a>/.exec(asked) ?? [];
  const marked = await browser.page(answer.replaceAll('&amp;', '&'));
  expect(marked).toMatch(/Page 2 of 2[\s\S]*<mark id="passage">Magpies build a domed nest/);
  const picture = await browser.get('/app/file/picture?name=Corvids.pdf&page=2');
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('content-security-policy')).toContain('sandbox');
  const file = await browser.get('/app/files/Corvids.pdf');
  expect(file.headers.get('content-disposition')).toContain('attachment');
  expect(new Uint8Array(await file.arrayBuffer()).length).toBe(pdf.length);

  await browser.post('/app/file/delete', { name: 'Corvids.pdf' });
  expect(await browser.page('/app/files')).toContain('Corvids.pdf is deleted.');
  expect((await browser.get('/app/file?name=Corvids.pdf')).status).toBe(404);
});

test('an unreadable file is reported on the page, and a name from outside is escaped', async () => {
  const browser = visit(url);
  const refused = await upload(browser, 'broken.pdf', '%PDF-1.7 and nothing else');
  expect(refused.status).toBe(422);
  expect(await refused.text()).toMatch(/role="alert">[^<]*broken\.pdf/);
  const none = await browser.get('/app/file/add', {
    method: 'POST',
    body: new URLSearchParams({ form: await browser.token('/app/files') }),
  });
  expect(await none.text()).toContain('No file was chosen.');
  await upload(browser, '<img src=x>.txt', 'A text.');
  const listed = await browser.page('/app/files');
  expect(listed).toContain('&lt;img src=x&gt;.txt');
  expect(listed).not.toContain('<img src=x>');
  await browser.post('/app/file/delete', { name: '<img src=x>.txt' });
});

test('a long list of files is shown page by page', async () => {
  const browser = visit(url);
  const form = await browser.token('/app/files');
  for (let at = 0; at < 27; at++) {
    const path = `/app/files/${encodeURIComponent(`note ${at}.txt`)}`;
    const sent = await browser.get(path, { method: 'PUT', body: `Text ${at}.`, headers: { 'x-form': form } });
    expect(sent.status).toBe(201);
  }
  expect(await browser.page('/app/files')).toContain('Page 1 of 2');
  const second = await browser.page('/app/files?page=2');
  expect(second).toContain('note 0.txt');
  expect(second).not.toContain('note 26.txt');
  expect(await browser.page('/app/files?page=99')).toContain('Page 2 of 2');
});

test('a script of another page cannot upload', async () => {
  const browser = visit(url);
  const form = await browser.token('/app/files');
  const put = (headers: Record<string, string>) =>
    browser.get('/app/files/planted.txt', { method: 'PUT', body: 'Planted.', headers });
  const answers = [
    await put({}),
    await put({ 'x-form': `${form}x` }),
    await put({ 'x-form': form, 'sec-fetch-site': 'cross-site' }),
    await put({ 'x-form': form, origin: 'https://evil.example' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(await answers[0]?.json()).toMatchObject({ error: expect.stringContaining('form') });
  expect(await browser.page('/app/files?q=planted')).toContain('0 files');
});

test('/app opens the console; a link of pdfload opens only the files of its user; a read-only key changes nothing', async () => {
  const open = visit(url);
  expect((await open.get('/app')).headers.get('location')).toBe('/app/ask');
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], env);
  const key = /magpie_\w+/.exec(made.stdout)?.[0] ?? '';
  await expect.poll(async () => (await open.get('/app')).status).toBe(401);

  const { stdout } = await runMagpie(['call', 'pdfload'], env);
  const link = /http:\S+\?pass=[\w.-]+\w/.exec(stdout)?.[0] ?? '';
  const guest = visit(url);
  const opening = await (await guest.get(new URL(link).pathname + new URL(link).search)).text();
  expect(opening).toContain('url=/app/files');
  const files = await guest.page('/app/files');
  expect(files).toContain('note 26.txt');
  expect(files).not.toContain('href="/app/notes"');
  expect((await upload(guest, 'guest.txt', 'By a link.')).status).toBe(303);
  for (const path of ['/app/ask', '/app/notes', '/app/notes/export']) {
    const refused = await guest.get(path);
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('Your link opens your files alone.');
  }
  const form = /name="form" value="([^"]+)"/.exec(files)?.[1] ?? '';
  const planted = new URLSearchParams({ form, text: 'By a link.' });
  expect((await guest.get('/app/notes/add', { method: 'POST', body: planted })).status).toBe(403);

  const reader = visit(url);
  await reader.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
  const read = await reader.page('/app/files');
  expect(read).toContain('adding and deleting takes the scope write');
  expect(read).not.toContain('Delete');
  expect((await reader.post('/app/file/delete', { name: 'guest.txt' })).status).toBe(403);
  const sent = await reader.get('/app/files/reader.txt', {
    method: 'PUT',
    body: 'No.',
    headers: { 'x-form': await reader.token('/app/files') },
  });
  expect(sent.status).toBe(403);
});
