import { request as httpRequest } from 'node:http';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localCaller } from '../../../src/caller.ts';
import { createLoopbackPage } from '../../../src/server/app/loopback.ts';
import { invokeOperation, type OperationPipeline } from '../../../src/server/invoke.ts';
import { docx } from '../../helpers/archives.ts';
import { makePdf } from '../../helpers/pdf.ts';
import { type RoomsStack, startRooms } from '../../helpers/rooms-stack.ts';
import { type Stack, startStack } from '../../helpers/stack.ts';
import { followLink } from '../../helpers/uploads.ts';

let running: RoomsStack;
let stack: Stack;
let pipe: OperationPipeline;

beforeAll(async () => {
  running = await startRooms({ MAGPIE_DOCUMENT_BYTES: '200000' }, { http: { isOpen: async () => false } });
  ({ stack, pipe } = running);
});
afterAll(() => running.close());

/** An operation as the given user calls it. */
async function call(user: string, operation: string, input: Record<string, unknown> = {}) {
  const { output } = await invokeOperation(pipe, {
    operation,
    input,
    caller: localCaller(user, 'http'),
    signal: new AbortController().signal,
    unknown: 'reject',
  });
  return output as {
    status: { status: string };
    matches: { metadata: Record<string, string> }[];
    whole?: boolean;
  };
}

/** What a model reads of it. */
async function say(user: string, operation: string, input: Record<string, unknown>) {
  const answer = await invokeOperation(pipe, {
    operation,
    input,
    caller: localCaller(user, 'http'),
    signal: new AbortController().signal,
    unknown: 'reject',
  });
  return { text: answer.text('model') };
}

async function linkOf(user: string): Promise<string> {
  const { status } = await call(user, 'pdfload');
  return /http\S+/.exec(status.status)?.[0] ?? '';
}

/** A browser without scripts: a cookie, and what the page's hidden field says. */
async function visit(user: string) {
  const opened = await fetch(await linkOf(user), { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const get = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, stack.url), {
      redirect: 'manual',
      ...init,
      headers: { cookie, ...(init.headers as Record<string, string>) },
    });
  const html = async (path = '/app/files') => (await get(path)).text();
  const form = /name="form" value="([^"]+)"/.exec(await html())?.[1] ?? '';
  const post = (path: string, fields: Record<string, string | File>, token = form) => {
    const body = new FormData();
    body.set('form', token);
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return get(path, { method: 'POST', body });
  };
  const put = (name: string, body: BodyInit, headers: Record<string, string> = {}) =>
    get(`/app/files/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body,
      headers: { 'x-form': form, ...headers },
    });
  return { opened, cookie, form, get, html, post, put };
}
const pdf = (...pages: string[]) => new Uint8Array(makePdf(pages));
const file = (name: string, ...pages: string[]) => new File([pdf(...pages)], name);

describe('the link', () => {
  test('opens the page for its user, and the link disappears from the address [path.pdfload]', async () => {
    const { opened, html } = await visit('ada');
    expect(opened.status).toBe(200);
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).toMatch(/Path=\/app/);
    const text = await opened.text();
    expect(text).toContain('content="0;url=/app/files"');
    expect(text).not.toContain('pass=');
    expect(await html()).toContain('Signed in as <b title="ada">');
  });

  test('opens nothing when it is altered, expired or issued for another purpose', async () => {
    const link = await linkOf('ada');
    const [, pass = ''] = link.split('pass=');
    const [owner, expiry, mac] = pass.split('.');
    const bob = Buffer.from('bob').toString('base64url');
    const file = await (await pipe.services.passes()).issuePass('file', 'ada', 'a.pdf');
    const session = await (await pipe.services.passes()).issuePass('session', 'ada');
    for (const bad of [
      '',
      'x',
      `${bob}.${expiry}.${mac}`,
      `${owner}.${Number(expiry) + 1}.${mac}`,
      `${owner}.${expiry}.${'A'.repeat(43)}`,
      file,
      session,
    ]) {
      const response = await fetch(`${stack.url}/app?pass=${encodeURIComponent(bad)}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(await response.text()).toContain('This link has expired or is incomplete');
    }
  });

  test('is required: without a session every page and action is refused', async () => {
    for (const [method, path] of [
      ['GET', '/app/file?name=a.pdf'],
      ['GET', '/app/files/a.pdf'],
      ['GET', '/app/file/reading'],
      ['PUT', '/app/files/a.pdf'],
      ['POST', '/app/file/add'],
      ['POST', '/app/end'],
      ['POST', '/app/file/delete'],
    ] as const) {
      const body = method === 'PUT' ? pdf('a') : method === 'POST' ? new FormData() : undefined;
      const response = await fetch(new URL(path, stack.url), { method, ...(body && { body }) });
      expect([path, response.status]).toEqual([path, 401]);
    }
  });
});

describe('without scripts', () => {
  test('files are uploaded by the form, listed, read, searched, downloaded and deleted', async () => {
    const { post, get, html } = await visit('cy');
    expect(
      (await post('/app/file/add', { files: file('Mühlen 🐦.pdf', 'Of tide mills.', 'Second.') })).status,
    ).toBe(303);
    const page = await html();
    expect(page).toContain('Mühlen 🐦.pdf');
    expect(page).toMatch(/2 pages<\/span> <small>1 part<\/small><\/td><td class="num">\d/);
    const path = encodeURIComponent('Mühlen 🐦.pdf');
    expect(await html(`/app/file?name=${path}&page=2`)).toContain('Second.');
    expect(await html('/app/files?q=TIDE')).toMatch(
      /1 file of 1 with “TIDE”[\s\S]*Page 1<\/a>: Of tide mills/,
    );
    expect(await html('/app/files?q=nowhere')).toContain('0 files of 1 with');
    const download = await get(`/app/files/${path}`);
    expect(Buffer.from(await download.arrayBuffer()).equals(makePdf(['Of tide mills.', 'Second.']))).toBe(
      true,
    );
    expect(download.headers.get('content-disposition')).toBe(
      'attachment; filename="M_hlen __.pdf"; filename*=UTF-8\'\'M%C3%BChlen%20%F0%9F%90%A6.pdf',
    );
    expect(download.headers.get('content-security-policy')).toContain('sandbox');
    expect(download.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await post('/app/file/delete', { name: 'Mühlen 🐦.pdf' })).status).toBe(303);
    expect(await html()).toContain('No files yet');
  });

  test('a problem with a file is shown on the page, and the valid files are kept', async () => {
    const { post, form, get, html } = await visit('dora');
    const body = new FormData();
    body.set('form', form);
    body.append('files', file('good.pdf', 'words'));
    body.append('files', new File(['PK\x03\x04 zip'], 'packed.pdf'));
    const response = await get('/app/file/add', { method: 'POST', body });
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toMatch(/role="alert">&quot;packed.pdf&quot; is a broken ZIP archive/);
    expect(text).toContain('good.pdf');
    expect((await post('/app/file/add', {})).status).toBe(422);
    const large = await post('/app/file/add', { files: new File([new Uint8Array(1_300_000)], 'big.pdf') });
    expect(large.status).toBe(413);
    expect(await large.text()).toContain('These files are over');
    expect(await html()).toContain('1 file ·');
  });

  test('names and texts are escaped, whatever their content', async () => {
    const { post, html } = await visit('eve');
    const name = '"><script>alert(1)</script>.pdf';
    await post('/app/file/add', { files: file(name, '<img src=x onerror=alert(1)>') });
    for (const path of ['/app/files', '/app/files?q=%3Cimg', `/app/file?name=${encodeURIComponent(name)}`]) {
      const page = await html(path);
      expect(page).not.toMatch(/<script>|<img src=x/);
      expect(page).toContain('&lt;');
    }
  });

  test('closing the page ends the session', async () => {
    const { post } = await visit('ada');
    const left = await post('/app/close', {});
    expect(left.headers.get('set-cookie')).toMatch(/magpie_app_\d+=;.*Max-Age=0/);
  });
});

describe('the script', () => {
  test('uploads by PUT and gets facts or the error as JSON', async () => {
    const { put } = await visit('fay');
    const added = await put('a/b.pdf', pdf('one', 'two'));
    expect(added.status).toBe(201);
    expect(await added.json()).toMatchObject({ name: 'a/b.pdf', pages: 2, parts: 1 });
    const locked = await put('x.pdf', 'no pdf at all');
    expect(locked.status).toBe(415);
    expect(await locked.json()).toEqual({
      error: expect.stringMatching(/^"x\.pdf" is not a PDF, as its name says it is: PDF, Word .* are read$/),
    });
    expect((await put('empty.pdf', '')).status).toBe(415);
  });

  test('is refused two gigabytes by their declared size, before it sends them', async () => {
    const { cookie, form } = await visit('fay');
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest(new URL('/app/files/huge.pdf', stack.url), {
        method: 'PUT',
        headers: { cookie, 'x-form': form, 'content-length': 2_000_000_000 },
      });
      request.on('response', async (response) => {
        const text = (await response.toArray()).join('');
        resolve({ status: response.statusCode ?? 0, text });
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('"huge.pdf\\" is over 200000 bytes');
  });

  test('is served with a policy that allows no other script', async () => {
    const { get } = await visit('fay');
    const page = await get('/app/files');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).not.toMatch(/<style|style=|onclick|<script>/);
    const [, address = ''] = /type="module" src="([^"]+)"/.exec(text) ?? [];
    const script = await fetch(new URL(address, stack.url));
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const source = await script.text();
    expect(source).toMatch(/\nfollowForm\(\);\n$/);
    // It is complete in itself: a module that parses.
    expect(() => new Script(source)).not.toThrow();
  });
});

describe('safety', () => {
  test('a form of another session, or of none, does nothing', async () => {
    const [ada, other] = [await visit('gus'), await visit('gus')];
    await ada.post('/app/file/add', { files: file('a.pdf', 'text') });
    for (const token of ['', 'x', (await visit('mallory')).form]) {
      expect((await ada.post('/app/file/delete', { name: 'a.pdf' }, token)).status).toBe(403);
      expect((await ada.put('b.pdf', pdf('b'), { 'x-form': token })).status).toBe(403);
    }
    expect((await ada.html()).match(/<tr><td>/g)).toHaveLength(1);
    const foreign = await ada.get('/app/file/delete', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new FormData(),
    });
    expect(foreign.status).toBe(403);
    expect(await other.html()).toContain('a.pdf');
  });

  test('an unfinished form delays no other: without a session none is read, and small forms take no slot', async () => {
    const hal = await visit('hal');
    const begin = async (cookie?: string) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '10000' };
      const sent = httpRequest(new URL('/app/file/add', stack.url), {
        method: 'POST',
        headers: { ...headers, ...(cookie !== undefined && { cookie }) },
      });
      const status = new Promise<number | undefined>((resolve, reject) => {
        sent.once('response', (answer) => resolve(answer.resume().statusCode));
        sent.once('error', reject);
      });
      sent.write('--x\r\n');
      return { sent, status };
    };
    const strangers = await Promise.all([begin(), begin(), begin()]);
    for (const { status } of strangers) expect(await status).toBe(401);
    expect((await hal.post('/app/file/add', { files: file('a.pdf', 'text') })).status).toBe(303);
    const slow = await Promise.all([begin(hal.cookie), begin(hal.cookie)]);
    const full = async () => (await hal.post('/app/file/add', { files: file('b.pdf', 'text') })).status;
    await expect.poll(full).toBe(503);
    expect((await hal.post('/app/file/delete', { name: 'a.pdf' })).status).toBe(303);
    for (const { sent, status } of [...strangers, ...slow]) {
      status.catch(() => {});
      sent.destroy();
    }
    await expect.poll(full).toBe(303);
  });

  test("no user sees another's files, names or counts", async () => {
    const [hal, ivy] = [await visit('hal'), await visit('ivy')];
    await hal.post('/app/file/add', { files: file('diary of hal.pdf', 'secret words of hal') });
    await ivy.post('/app/file/add', { files: file('plan.pdf', 'words') });
    for (const path of ['/app/files', '/app/files?q=secret', '/app/files?page=2']) {
      const text = await ivy.html(path);
      expect(text).not.toMatch(/secret words|diary|2 files/);
    }
    const missing = await ivy.html('/app/file?name=diary%20of%20hal.pdf');
    expect(missing).toMatch(
      /There is no uploaded file &quot;diary of hal.pdf&quot;: the nearest names are &quot;plan.pdf&quot;\./,
    );
    expect((await ivy.get('/app/files/diary%20of%20hal.pdf')).status).toBe(404);
    expect((await ivy.post('/app/file/delete', { name: 'diary of hal.pdf' })).status).toBe(404);
    expect((await call('ivy', 'listpdfs')).matches.map(({ metadata }) => metadata.fileName)).toEqual([
      'plan.pdf',
    ]);
    await expect(
      call('ivy', 'document', { q: 'secret', fileName: 'diary of hal', partId: 1 }),
    ).rejects.toMatchObject({ code: 'not_found', message: expect.not.stringContaining('.pdf", "') });
    expect(await hal.html()).toContain('diary of hal.pdf');
  });

  test('a request under a foreign host name is refused', async () => {
    const status = await new Promise((resolve) =>
      httpRequest(new URL('/app', stack.url), { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.resume().statusCode),
      ).end(),
    );
    expect(status).toBe(403);
  });
});

describe('operations', () => {
  test('listpdfs names each file with an address that gives its bytes [path.listpdfs]', async () => {
    const { put } = await visit('jo');
    await put('naïve plan.pdf', pdf('Of plans.', 'And more.'));
    const { matches } = await call('jo', 'listpdfs');
    expect(matches).toEqual([
      {
        id: expect.stringMatching(/^jo-\d{16}$/),
        metadata: {
          text: expect.stringContaining(`naïve plan.pdf: ${stack.url}/app/files/na%C3%AFve%20plan.pdf?pass=`),
          fileName: 'naïve plan.pdf',
          url: expect.stringContaining('/app/files/'),
          pages: 2,
          parts: 1,
          bytes: expect.any(Number),
          uploadedAt: expect.stringMatching(/^\d{4}-/),
        },
        score: 1,
        sparseValues: {},
        values: [],
      },
    ]);
    const url = matches[0]?.metadata.url ?? '';
    const bytes = await (await fetch(url)).arrayBuffer();
    expect(Buffer.from(bytes).equals(makePdf(['Of plans.', 'And more.']))).toBe(true);
    expect((await fetch(url.replace('plan', 'plot'))).status).toBe(401);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  test.each(['document', 'pdfpro'])('%s searches the whole file with * as partId', async (name) => {
    const { put } = await visit('lea');
    const pages = Array.from({ length: 12 }, (_, at) => [
      `Mills of page ${at + 1}.`,
      ...Array.from({ length: 50 }, () => 'of grain and of wind and water and of sails'),
    ]);
    pages[8]?.unshift('Tide mills stand by the sea.');
    await put('mills.pdf', pdf(...pages.map((lines) => lines.join('\n'))));
    const ask = (input: Record<string, unknown>) =>
      call('lea', name, { q: 'tide mills', fileName: 'MILLS.pdf', ...input });
    const { matches, whole } = await ask({ partId: '*' });
    expect(whole).toBe(true);
    expect(matches[0]).toMatchObject({
      metadata: { fileName: 'mills.pdf', page: 9, part: 2, parts: 2, pages: 12 },
    });
    const first = await ask({ partId: '1' });
    expect(first.matches.every(({ metadata: { part } }) => Number(part) === 1)).toBe(true);
    expect(first.whole).toBeUndefined();
    for (const partId of ['1,2', '1-2', '2, 1', '2-1,1']) {
      const both = await ask({ partId });
      expect(both.whole).toBeUndefined();
      expect(both.matches[0]).toMatchObject({ metadata: { page: 9, part: 2, parts: 2 } });
      expect(new Set(both.matches.map(({ metadata: { part } }) => part))).toEqual(new Set([1, 2]));
    }
    await expect(ask({ partId: '1-3' })).rejects.toMatchObject({
      status: 404,
      message: 'partId is 3, and "mills.pdf" has 2 parts: it takes 1 to 2',
    });
    const { text: several } = await say('lea', name, {
      q: 'tide mills',
      fileName: 'mills.pdf',
      partId: '1-2',
    });
    expect(several).toContain('# mills.pdf, parts 1, 2 of 2.');
    for (const partId of ['0', '**', 'all', 1.5, '1,', '2-', '1-0']) {
      await expect(ask({ partId })).rejects.toMatchObject({
        status: 400,
        message: `partId is ${JSON.stringify(partId)}: it takes a whole number from 1, or a value such as *, 1,3, 2-5`,
      });
    }
    const { text } = await say('lea', name, { q: 'tide mills', fileName: 'mills.pdf', partId: '*' });
    expect(text).toContain(
      '# mills.pdf, all of its 2 parts and 12 pages. To read on, give the part as partId.',
    );
    expect(text).toContain('## Page 9, part 2 · closeness');
    const part = await say('lea', name, { q: 'tide mills', fileName: 'mills.pdf', partId: 1 });
    expect(part.text).toContain('partId 2 is the next. partId * searches the whole file.');
  });

  test.each(['query', 'pdfsearch'])('%s searches one file with its name as source', async (name) => {
    const { put } = await visit('max');
    await put('Größen.pdf', pdf('Wind mills are tall.', 'Tide mills are small.'));
    await put('other.pdf', pdf('Tide mills are old.'));
    await put('notes.docx', Buffer.from(docx('<w:p><w:r><w:t>Tide mills are quiet.</w:t></w:r></w:p>')));
    await put('visit.html', '<!doctype html><title>A visit</title><p>Tide mills are worth a visit.</p>');
    await call('max', 'upsert', { q: 'A note on tide mills.', source: 'GRÖSSEN notes' });
    await call('max', 'upsert', { q: 'Mill stones weigh a ton.', source: 'stones.md' });
    const ask = (source: string) => call('max', name, { q: 'tide mills', source });
    for (const file of ['notes.docx', 'visit.html']) {
      expect((await ask(file)).matches.map(({ metadata }) => metadata.fileName)).toEqual([file]);
    }
    // A text was kept with it: that says what there is, though it may have nothing on the question.
    const { matches: ofStones } = await call('max', name, {
      q: 'tide mills',
      source: 'stones.md',
      until: '1990-01-01',
    });
    expect(ofStones).toEqual([]);
    for (const source of [
      'Größen.pdf',
      'größen.PDF',
      'gro\u0308ßen',
      'doc://Größen.pdf',
      'doc://Gr%C3%B6%C3%9Fen.pdf',
    ]) {
      const { matches } = await ask(source);
      expect(matches.map(({ metadata }) => metadata.fileName)).toEqual(['Größen.pdf', 'Größen.pdf']);
      expect(matches[0]?.metadata).toMatchObject({ page: 2, part: 1, text: 'Tide mills are small.' });
    }
    expect((await ask('oth*')).matches.map(({ metadata }) => metadata.fileName)).toEqual(['other.pdf']);
    expect((await ask('GRÖSSEN notes')).matches.map(({ metadata }) => metadata.text)).toEqual([
      'A note on tide mills.',
    ]);
    expect((await ask('elsewhere')).matches).toEqual([]);
    for (const [source, nearest] of [
      ['Grosen.pdf', '"Größen.pdf"'],
      ['doc://Grosen', '"Größen.pdf"'],
      ['note.docx', '"notes.docx"'],
      ['visits.html', '"visit.html"'],
    ] as const) {
      await expect(ask(source)).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining(`the nearest names are ${nearest}`),
      });
    }
    // What another user has of that name is not searched.
    await expect(call('nele', name, { q: 'tide mills', source: 'other.pdf' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test.each(['document', 'pdfpro'])(
    '%s answers passages with their page [path.document] [path.pdfpro]',
    async (name) => {
      const { put } = await visit('kim');
      await put('mills.pdf', pdf('Wind mills stand on hills.', 'Tide mills stand by the sea.'));
      const { matches } = await call('kim', name, {
        q: 'where are tide mills?',
        fileName: 'mills.pdf',
        partId: '1',
      });
      expect(matches[0]).toMatchObject({
        metadata: { text: 'Tide mills stand by the sea.', fileName: 'mills.pdf', page: 2, part: 1, parts: 1 },
        score: expect.any(Number),
      });
      const asked = (q: string) => call('kim', name, { q, fileName: 'mills.pdf', partId: '*' });
      expect(await asked('where are the tide mills of Lisbon?')).toMatchObject({
        matches: [{ weak: true }, { weak: true }],
        note: 'No close match: the nearest texts may have nothing to do with the question. No searched text says "Lisbon".',
      });
      // A question about the whole file has no better answer than its passages.
      for (const q of ['What is it about?', 'where are tide mills?'])
        expect(await asked(q)).not.toMatchObject({ note: expect.anything() });
      await expect(call('kim', name, { q: 'a', fileName: 'mills.pdf', partId: 2 })).rejects.toMatchObject({
        status: 404,
        message: 'partId is 2, and "mills.pdf" has 1 part: it takes 1 to 1',
      });
      await expect(call('kim', name, { q: 'a', fileName: 'mils', partId: 1 })).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining('the nearest names are "mills.pdf"'),
      });
    },
  );
});

describe('pages that have nothing to show', () => {
  const linksOf = (text: string) =>
    [...text.matchAll(/<a class="button" href="([^"]*)">([^<]*)</g)].map(([, href, words]) => [href, words]);
  const CLOSED = 'ask your assistant for one with /pdfload, or run <code>magpie call pdfload</code>.';

  test('a page without a session says how to get a link and how to sign in, and shows no markup of commands', async () => {
    for (const path of ['/app', '/app/file?name=x.pdf', '/app/files/x.pdf', '/app/file/reading']) {
      const answer = await fetch(new URL(path, stack.url));
      const text = await answer.text();
      expect([path, answer.status, linksOf(text)]).toEqual([path, 401, []]);
      expect(text).not.toContain('`');
      expect(text).toContain(CLOSED);
      expect(text).toContain('action="/app/sign-in"');
    }
  });

  test('an open server shows the files of its user, and a link to the files of another user those', async () => {
    const open = await startStack({ pipe });
    const get = (path: string, cookie = '') =>
      fetch(new URL(path, open.url), { redirect: 'manual', headers: { cookie } });
    expect(await (await get('/app/files')).text()).toContain('Signed in as <b title="ada">');
    expect((await get('/app')).headers.get('location')).toBe('/app/ask');
    const pass = await (await pipe.services.passes()).issuePass('link', 'zoe');
    const cookie = (await get(`/app?pass=${pass}`)).headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await get('/app', cookie)).headers.get('location')).toBe('/app/files');
    const list = await (await get('/app/files', cookie)).text();
    expect(list).toContain('Signed in as <b title="zoe">');
    expect(list).toContain('A link opened the files of <b><bdi>zoe</bdi></b>, who can read all');
    expect(list).toContain('You are signed in as <b><bdi>ada</bdi></b>.');
    expect(list).not.toContain('href="/app/notes"');
    expect(await (await get('/app/notes', cookie)).text()).toContain('Signed in as <b title="ada">');
    const [, form = ''] =
      /action="\/app\/close"><input type="hidden" name="form" value="([^"]+)"/.exec(list) ?? [];
    const [headers, body] = [{ cookie }, new URLSearchParams({ form })];
    const closed = await fetch(new URL('/app/close', open.url), {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
    });
    expect([closed.status, closed.headers.get('location')]).toEqual([303, '/app/files']);
    expect(closed.headers.get('set-cookie')).toMatch(/magpie_app_\d+=;.*Max-Age=0/);
    expect(await (await get('/app/files')).text()).not.toContain('A link opened');
    await open.close();
  });

  test('a link opens by following it, not in a picture or frame of another page, nor ahead of time', async () => {
    const link = new URL(await linkOf('lin'));
    // A client without the headers that `fetch` adds, as a browser's request has its own.
    const open = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        httpRequest(link, { headers }, (answer) => {
          answer.resume();
          resolve([answer.statusCode, answer.headers['set-cookie'] !== undefined]);
        }).end();
      });
    for (const from of ['same-site', 'cross-site']) {
      const embedded = (mode: string, dest: string) =>
        open({ 'sec-fetch-site': from, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest });
      expect(await embedded('no-cors', 'image')).toEqual([403, false]);
      expect(await embedded('navigate', 'iframe')).toEqual([403, false]);
      expect(await embedded('navigate', 'document')).toEqual([200, true]);
    }
    expect(await open({ 'sec-purpose': 'prefetch' })).toEqual([403, false]);
    expect(await open({})).toEqual([200, true]);
  });

  test('an unknown address, and a GET of a form address, show an error with a link to the list', async () => {
    const { get, post } = await visit('lin');
    for (const [path, status] of [
      ['/app/nothing', 404],
      ['/app/file?name=none.pdf', 404],
      ['/app/file/delete', 405],
      ['/app/close', 405],
    ] as const) {
      const answer = await get(path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([path, answer.status, linksOf(await answer.text())]).toEqual([
        path,
        status,
        [['/app/files', 'To the list of files']],
      ]);
    }
    expect((await get('/app/file/delete')).headers.get('allow')).toBe('POST');
    const slash = await get('/app/?q=x');
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/app?q=x']);
    const left = await post('/app/close', {});
    const closed = await left.text();
    expect([left.status, linksOf(closed)]).toEqual([200, []]);
    expect(closed).toContain('A new link opens it again: ask your assistant for one with /pdfload.');
  });
});

describe('over stdio', () => {
  let loopback: ReturnType<typeof createLoopbackPage>;
  let url = '';
  beforeAll(async () => {
    loopback = createLoopbackPage(pipe);
    url = await loopback.url();
  });
  afterAll(() => loopback.close());
  const get = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), { redirect: 'manual', ...init });

  test('a link alone opens the files on a port of its own, and nothing else of the console is there', async () => {
    for (const path of ['/app', '/app/files', '/app/file?name=a.pdf', '/app/files/a.pdf']) {
      const closed = await get(path, { headers: { cookie: 'magpie_console_1=e30~x' } });
      expect([path, closed.status]).toEqual([path, 401]);
      expect(await closed.text()).toMatch(
        /<h1>Closed<[\s\S]*This page is closed: ask your assistant for a new link/,
      );
    }
    for (const path of ['/app/ask', '/app/notes', '/app/keys', '/app/settings', '/app/oidc/login']) {
      expect((await get(path)).status).toBe(404);
    }
    for (const path of ['/app/sign-in', '/app/end', '/app/close', '/app/file/add', '/app/file/delete']) {
      const refused = await get(path, { method: 'POST', body: new FormData() });
      expect([path, refused.status]).toEqual([path, path === '/app/sign-in' ? 404 : 401]);
    }
    const pass = await (await pipe.services.passes()).issuePass('link', 'ada');
    const page = await followLink(`${url}/app?pass=${pass}`);
    expect((await page.put('by stdio.md', Buffer.from('# Of terns'))).status).toBe(201);
    const headers = { cookie: page.cookie };
    const list = await (await get('/app/files', { headers })).text();
    expect(list).toContain('by stdio.md');
    expect(list).not.toContain('/app/ask');
    const form = new URLSearchParams({ form: page.form, name: 'by stdio.md' });
    const strange = new URLSearchParams({ form: 'x', name: 'by stdio.md' });
    const remove = (body: URLSearchParams) => get('/app/file/delete', { method: 'POST', headers, body });
    expect((await remove(strange)).status).toBe(403);
    expect((await remove(form)).status).toBe(303);
    const left = await get('/app/close', { method: 'POST', headers, body: form });
    expect(await left.text()).toContain('The page is closed. A new link opens it again');
    expect(left.headers.get('set-cookie')).toMatch(/magpie_app_\d+=;.*Max-Age=0/);
  });
});

describe('a form with very many fields', () => {
  test.each(['multipart', 'urlencoded'])('is refused while it is received, as %s', async (kind) => {
    const { get, form } = await visit('may');
    const send = (count: number) => {
      const fields = Array.from({ length: count }, (_, at) => [`f${at}`, 'x'] as const);
      const body = kind === 'multipart' ? new FormData() : new URLSearchParams();
      for (const [name, value] of [...fields, ['form', form] as const]) body.append(name, value);
      return get('/app/file/delete', { method: 'POST', body });
    };
    const refused = await send(1200);
    expect([refused.status, await refused.text()]).toEqual([
      413,
      expect.stringContaining('over 1000 fields and files'),
    ]);
    // Within the bound it is read: that there is no such file is what is wrong.
    expect((await send(900)).status).toBe(404);
  });
});
