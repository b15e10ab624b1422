import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localCaller } from '../../../src/caller.ts';
import { invokeOperation, type OperationPipeline } from '../../../src/server/invoke.ts';
import { epub, openDocument, pptx, xlsx } from '../../helpers/archives.ts';
import { SAMPLES, WORDS } from '../../helpers/kinds.ts';
import { makePdf } from '../../helpers/pdf.ts';
import { type RoomsStack, startRooms } from '../../helpers/rooms-stack.ts';
import type { Stack } from '../../helpers/stack.ts';
import { followLink, type Visitor } from '../../helpers/uploads.ts';

/** Files of every kind on the upload page: added, listed, asked, shown and deleted as PDF files are. */

let running: RoomsStack;
let stack: Stack;
let pipe: OperationPipeline;
let visitor: Visitor;

beforeAll(async () => {
  running = await startRooms();
  ({ stack, pipe } = running);
  const { status } = (await call('pdfload')) as { status: { status: string } };
  visitor = await followLink(/http\S+/.exec(status.status)?.[0] ?? '');
});
afterAll(() => running.close());

async function call(operation: string, input: Record<string, unknown> = {}) {
  const { output } = await invokeOperation(pipe, {
    operation,
    input,
    caller: localCaller('ada', 'http'),
    signal: new AbortController().signal,
    unknown: 'reject',
  });
  return output;
}
interface Match {
  readonly metadata: Readonly<Record<string, unknown>>;
}
const matches = async (operation: string, input: Record<string, unknown> = {}) =>
  ((await call(operation, input)) as { matches: Match[] }).matches.map(({ metadata }) => metadata);
const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? Buffer.from(body) : body);
const get = (path: string) =>
  fetch(new URL(path, stack.url), { headers: { cookie: visitor.cookie }, redirect: 'manual' });
const remove = (name: string) => {
  const body = new FormData();
  body.set('form', visitor.form);
  body.set('name', name);
  return fetch(new URL('/app/file/delete', stack.url), {
    method: 'POST',
    headers: { cookie: visitor.cookie },
    body,
    redirect: 'manual',
  });
};

/** A file's name as people have it, for each kind. */
const NAMES = {
  html: 'page.html',
  pdf: 'paper.pdf',
  markdown: 'notes.md',
  text: 'plain.txt',
  code: 'script.py',
  json: 'data.json',
  notebook: 'work.ipynb',
  csv: 'table.csv',
  xml: 'data.xml',
  feed: 'news.rss',
  email: 'letter.eml',
  mbox: 'letters.mbox',
  calendar: 'harbour.ics',
  epub: 'book.epub',
  docx: 'report.docx',
  xlsx: 'sheet.xlsx',
  pptx: 'talk.pptx',
  odt: 'letter.odt',
  ods: 'sheet.ods',
  odp: 'talk.odp',
  rtf: 'old.rtf',
} as const satisfies Record<keyof typeof SAMPLES, string>;

test.each(Object.entries(NAMES))('%s: %s is uploaded and listed like any other file', async (kind, name) => {
  const body = bytesOf(SAMPLES[kind as keyof typeof NAMES].body);
  const added = await visitor.put(name, body);
  expect([added.status, await added.json()]).toEqual([
    201,
    expect.objectContaining({ name, kind, pages: 1, parts: 1, words: expect.stringMatching(/^1 [a-z]+$/) }),
  ]);
  const [listed] = (await matches('listpdfs')).filter(({ fileName }) => fileName === name);
  expect(listed).toMatchObject({ pages: 1, parts: 1, bytes: body.length });
  expect(listed?.kind).toBe(kind === 'pdf' ? undefined : kind);
  const [asked] = await matches('document', { q: 'tide mill', fileName: name, partId: 1 });
  expect(asked).toMatchObject({ fileName: name, page: 1, text: expect.stringContaining(WORDS) });
  const [found] = await matches('pdfsearch', { q: 'tide mill', source: `doc://${name}` });
  expect(found).toMatchObject({ fileName: name, page: 1, part: 1 });
  expect(await (await get(`/app/file?name=${name}`)).text()).toContain(WORDS);
  const download = await get(`/app/files/${name}`);
  expect(Buffer.from(await download.arrayBuffer()).equals(body)).toBe(true);
  expect(download.headers.get('content-disposition')).toContain(`filename="${name}"`);
  expect(download.headers.get('content-security-policy')).toContain('sandbox');
  expect((await remove(name)).status).toBe(303);
  expect(await matches('listpdfs')).toEqual([]);
});

test('a file goes into the collection of its upload link, from the page or a script, and is found and listed there', async () => {
  const { status } = (await call('pdfload', { collection: 'The Garden' })) as { status: { status: string } };
  const link = /http\S+/.exec(status.status)?.[0] ?? '';
  expect(link).toMatch(/&collection=the%20garden$/);
  // The page that continues by itself keeps it, and so does the form.
  const opened = await (await fetch(link, { redirect: 'manual' })).text();
  expect(opened).toContain('<a href="/app/files?collection=the+garden">');
  expect(await (await get('/app/files?collection=the+garden')).text()).toContain('value="the garden"');
  expect(await (await get('/app/files?collection=%22%3E%3Cscript%3E')).text()).not.toContain('"><script>');
  const script = await fetch(link.replace('/app?', '/app/files/script.md?'), {
    method: 'PUT',
    body: '# Herons',
  });
  expect(script.status).toBe(201);
  const form = new FormData();
  for (const [name, value] of [
    ['form', visitor.form],
    ['collection', 'the garden'],
  ] as const)
    form.set(name, value);
  form.set('files', new Blob(['# Of herons and mills']), 'form.md');
  const sent = await fetch(new URL('/app/file/add', stack.url), {
    method: 'POST',
    headers: { cookie: visitor.cookie },
    body: form,
    redirect: 'manual',
  });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/app/files?collection=the+garden']);
  await visitor.put('other.md', bytesOf('# Of herons elsewhere'));
  // A search keeps it, and so does a form of which a file was refused.
  const hidden = '<input type="hidden" name="collection" value="the garden">';
  const searched = await (await get('/app/files?q=herons&collection=the+garden')).text();
  expect([searched.includes(hidden), searched.includes('value="the garden" placeholder')]).toEqual([
    true,
    true,
  ]);
  expect(await (await get('/app/files')).text()).not.toContain('type="hidden" name="collection"');
  form.set('files', new Blob(['']), 'nothing.pdf');
  const refused = await fetch(new URL('/app/file/add', stack.url), {
    method: 'POST',
    headers: { cookie: visitor.cookie },
    body: form,
  });
  expect([refused.ok, (await refused.text()).includes(hidden)]).toEqual([false, true]);
  const listed = await matches('listpdfs', { collection: 'the garden' });
  expect(listed.map(({ fileName, collection }) => [fileName, collection])).toEqual([
    ['form.md', 'the garden'],
    ['script.md', 'the garden'],
  ]);
  const found = await matches('query', { q: 'herons', collection: 'the garden' });
  expect(new Set(found.map(({ fileName }) => fileName))).toEqual(new Set(['form.md', 'script.md']));
  expect(found[0]?.collection).toBe('the garden');
  const wrong = await fetch(link.replace('/app?', '/app/files/x.md?').replace('the%20garden', '%2F'), {
    method: 'PUT',
    body: '# x',
  });
  expect([wrong.status, await wrong.json()]).toEqual([
    400,
    { error: expect.stringContaining('collection is "/": it takes') },
  ]);
  for (const name of ['form.md', 'script.md', 'other.md']) await remove(name);
});

describe('the kind of a file', () => {
  const put = async (name: string, body: string | Uint8Array) => {
    const answer = await visitor.put(name, bytesOf(body));
    return (await answer.json()) as Record<string, unknown>;
  };

  test('is determined by its bytes, and its name is kept', async () => {
    expect(await put('scan.docx', makePdf(['A PDF.']))).toMatchObject({ name: 'scan.docx', kind: 'pdf' });
    expect(await put('wrong.pdf', SAMPLES.docx.body)).toMatchObject({ name: 'wrong.pdf', kind: 'docx' });
    expect(await put('Vol. 2', makePdf(['A PDF.']))).toMatchObject({ name: 'Vol. 2.pdf', kind: 'pdf' });
    expect(await put('README', '# Of PDF\n\nIt begins with %PDF-1.7.')).toMatchObject({
      name: 'README',
      kind: 'text',
    });
    expect(await put('saved.html.pdf', '<!doctype html><p>Please sign in')).toEqual({
      error: expect.stringContaining('"saved.html.pdf" is not a PDF, as its name says it is'),
    });
  });

  test.each([
    ['film.mp4', '\0\0\0\x18ftypmp42', '"film.mp4" is an MP4 film; PDF, Word (.docx), PowerPoint'],
    ['old.doc', `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${[...'WordDocument'].join('\0')}\0`, 'save it as .docx'],
    ['nothing.md', '', '"nothing.md" is empty'],
    ['blank.txt', ' \n ', '"blank.txt" has no text'],
    [
      'photo.png',
      '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
      '"photo.png" is a picture, and OCR is off: set MAGPIE_OCR=eng',
    ],
    ['broken.docx', 'PK\x03\x04\0\0', '"broken.docx" is a broken ZIP archive'],
  ])('%s is refused with the reason and the accepted kinds', async (name, text, why) => {
    expect(await put(name, Buffer.from(text, 'latin1'))).toEqual({ error: expect.stringContaining(why) });
  });
});

describe('pages', () => {
  const put = async (name: string, body: string | Uint8Array) =>
    ((await (await visitor.put(name, bytesOf(body))).json()) as { words: string }).words;
  const row = (...cells: string[]) =>
    `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

  test('are slides, sheets, chapters or messages where a file has such units', async () => {
    const slide = (text: string) =>
      `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    expect(await put('a.pptx', pptx([slide('Wind'), slide('Tide'), slide('Steam')]))).toBe('3 slides');
    expect(await put('a.xlsx', xlsx({ Wind: row('a', 'b'), Tide: row('c', 'd') }))).toBe('2 sheets');
    const table = (name: string) =>
      `<table:table table:name="${name}"><table:table-row><table:table-cell><text:p>${name} mill</text:p></table:table-cell></table:table-row></table:table>`;
    expect(await put('a.ods', openDocument('spreadsheet', table('Wind') + table('Tide')))).toBe('2 sheets');
    const chapter = (text: string) =>
      `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>${text}</h1><p>Of ${text}.</p></body></html>`;
    expect(await put('a.epub', epub({ 'a.xhtml': chapter('Wind'), 'b.xhtml': chapter('Tide') }))).toBe(
      '2 chapters',
    );
    const [match] = await matches('document', { q: 'Tide', fileName: 'a.pptx', partId: '*' });
    expect(match).toMatchObject({ page: 2, text: expect.stringContaining('Tide') });
  });

  test('are sections of some 500 words in other files, and each part of a table repeats the header', async () => {
    const section = (at: number) => `# Chapter ${at}\n\n${`Words of chapter ${at}. `.repeat(75)}`;
    expect(await put('long.md', [1, 2, 3, 4].map(section).join('\n\n'))).toMatch(/^[3-5] sections$/);
    const rows = Array.from({ length: 1500 }, (_, at) => row(`mill ${at}`, `${at} sacks`));
    expect(await put('big.xlsx', xlsx({ A: row('Name', 'Yield') + rows.join('') }))).toMatch(/^\d+ sheets$/);
    const second = await (await get('/app/file?name=big.xlsx&page=2')).text();
    expect(second).toContain('| Name | Yield |\n| --- | --- |\n| mill ');
  });
});

describe('an encrypted PDF', () => {
  const locked = async () => {
    const document = new PDFDocument({ pdfVersion: '1.7ext3', userPassword: 'pässword', ownerPassword: 'o' });
    document.text('Words under lock and key.');
    document.end();
    return Buffer.concat(await document.toArray());
  };
  const put = async (name: string, password?: string) => {
    const headers: Record<string, string> = { cookie: visitor.cookie, 'x-form': visitor.form };
    if (password !== undefined) headers['x-password'] = encodeURIComponent(password);
    const body = new Uint8Array(await locked());
    const answer = await fetch(new URL(`/app/files/${name}`, stack.url), { method: 'PUT', headers, body });
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  test('is read with its password, and the password is in no answer and nowhere on the disk', async () => {
    expect(await put('locked.pdf')).toEqual({
      status: 415,
      error: '"locked.pdf" is an encrypted PDF and needs a password',
    });
    expect(await put('locked.pdf', 'wrong')).toEqual({
      status: 415,
      error: '"locked.pdf" is an encrypted PDF and does not open with this password',
    });
    expect(await put('locked.pdf', 'pässword')).toMatchObject({ status: 201, pages: 1 });
    const [match] = await matches('document', { q: 'lock', fileName: 'locked.pdf', partId: 1 });
    expect(match?.text).toBe('Words under lock and key.');
    expect(JSON.stringify(await matches('listpdfs'))).not.toContain('pässword');
    const { readdirSync, readFileSync } = await import('node:fs');
    const files = readdirSync(running.folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    for (const { parentPath, name } of files) {
      expect(readFileSync(`${parentPath}/${name}`).includes('pässword')).toBe(false);
    }
  });

  test('is accepted by the form of the page without scripts', async () => {
    const send = async (password: string) => {
      const body = new FormData();
      body.set('form', visitor.form);
      body.append('files', new File([new Uint8Array(await locked())], 'form.pdf'));
      body.set('password', password);
      const headers = { cookie: visitor.cookie };
      const answer = await fetch(new URL('/app/file/add', stack.url), {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
      });
      return [answer.status, await answer.text()] as const;
    };
    const [status, text] = await send('not-this');
    expect([status, text]).toEqual([422, expect.stringContaining('does not open with this password')]);
    expect(text).not.toContain('not-this');
    expect((await send('pässword'))[0]).toBe(303);
  });
});
