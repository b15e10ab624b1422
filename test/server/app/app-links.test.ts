import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { makePdf } from '../../helpers/pdf.ts';
import { startRooms } from '../../helpers/rooms-stack.ts';
import { followLink, linkOf, type Visitor } from '../../helpers/uploads.ts';

/** Links of the upload page in a running server: found from a terminal, used by scripts, ended by their user. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
beforeAll(async () => {
  const settings = { MAGPIE_DOCUMENT_BYTES: '300000', MAGPIE_PORT: '8787' };
  env = { ...environment(folder.path), ...(await withoutModel()), ...settings };
  magpie = await startMagpie(env, ['--port', '0']);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

const upload = (link: string, name: string) =>
  link.replace('/app?', `/app/files/${encodeURIComponent(name)}?`);
const files = async () => {
  const answer = await fetch(new URL('/listpdfs', magpie.url));
  const { matches } = (await answer.json()) as { matches: { metadata: { fileName: string; url: string } }[] };
  return matches.map(({ metadata }) => metadata);
};

describe('in a terminal', () => {
  test('pdfload and listpdfs name the address of the running server, not of the settings', async () => {
    const { stdout } = await runMagpie(['call', 'pdfload'], env);
    expect(stdout).toContain(`${magpie.url}/app?pass=`);
    expect(magpie.url).not.toContain(':8787');
    const link = /http\S+/.exec(stdout)?.[0] ?? '';
    expect((await fetch(link)).status).toBe(200);
    await fetch(upload(link, 'told.pdf'), { method: 'PUT', body: new Uint8Array(makePdf(['text'])) });
    expect((await runMagpie(['call', 'listpdfs'], env)).stdout).toContain(
      `${magpie.url}/app/files/told.pdf?pass=`,
    );
  });

  test('pdfload without a server names the public address, or says to start a server', async () => {
    const other = { ...env, MAGPIE_DATA: join(folder.path, 'other') };
    const away = { ...other, MAGPIE_PUBLIC_URL: 'https://magpie.example' };
    expect((await runMagpie(['call', 'pdfload'], away)).stdout).toContain('https://magpie.example/app?pass=');
    const { code, stderr } = await runMagpie(['call', 'pdfload'], { ...other, MAGPIE_PORT: '8787' });
    expect(code).toBe(1);
    expect(stderr).toContain('start it, then ask again, or name the files: magpie upload report.pdf');
    writeFileSync(join(folder.path, 'plan.txt'), 'Of plans.');
    await runMagpie(['upload', join(folder.path, 'plan.txt')], other);
    const { stdout } = await runMagpie(['listpdfs'], { ...other, MAGPIE_PORT: '8787' });
    expect(stdout).toContain('plan.txt');
    expect(stdout).not.toContain('http');
  });
});

describe('a script', () => {
  test('uploads with only the link, as the curl example of docs/uploads.md does', async () => {
    const body = new Uint8Array(makePdf(['Of plans.', 'And more.']));
    const answer = await fetch(upload(await linkOf(magpie.url), 'naïve plan.pdf'), { method: 'PUT', body });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ name: 'naïve plan.pdf', pages: 2, parts: 1 });
    expect((await files()).map(({ fileName }) => fileName)).toContain('naïve plan.pdf');
  });

  test('receives the reason and the status of an error', async () => {
    const link = await linkOf(magpie.url);
    const put = (url: string, body: string) => fetch(url, { method: 'PUT', body });
    const wrong = await put(upload(link, 'a.pdf'), 'PK\x03\x04');
    expect(wrong.status).toBe(415);
    expect(await wrong.json()).toEqual({
      error:
        '"a.pdf" is a broken ZIP archive, as Office documents and EPUB files are: it is damaged or cut short; try another copy',
    });
    // The last character of a signature has bits that say nothing: A and B are the same there, A and E are not.
    for (const bad of [
      upload(link, 'a.pdf').replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
      upload(link, 'a.pdf').replace(/pass=.*/, 'pass='),
      ((await files())[0]?.url ?? '').replace(/files\/[^?]*/, 'files/a.pdf'),
    ]) {
      const refused = await put(bad, '%PDF-1.4');
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({
        error: expect.stringContaining('this link has expired or is incomplete'),
      });
    }
  });

  test.each([
    ['POST', '/app', 'GET, HEAD'],
    ['PUT', '/app', 'GET, HEAD'],
    ['POST', '/app/files/a.pdf', 'GET, HEAD, PUT'],
    ['PATCH', '/app/files', 'GET, HEAD'],
    ['GET', '/app/file/delete', 'POST'],
  ])('%s %s is answered 405 with the allowed methods', async (method, path, allow) => {
    const answer = await fetch(new URL(path, magpie.url), { method, ...(method !== 'GET' && { body: 'x' }) });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(await answer.json()).toEqual({
      error: `${path} takes ${allow}: a file is uploaded by PUT /app/files/{name}`,
    });
  });
});

describe('two gigabytes without a length', () => {
  const SIZE = 2_000_000_000;
  const send = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string; sent: number }>((resolve, reject) => {
      let sent = 0;
      const request = httpRequest(new URL(path, magpie.url), {
        method: path.includes('?') ? 'PUT' : 'POST',
        headers,
      });
      const chunk = Buffer.alloc(65_536, 37);
      request.on('response', async (response) => {
        const text = (await response.toArray()).join('');
        resolve({ status: response.statusCode ?? 0, text, sent });
        request.destroy();
      });
      request.on('error', (error) => sent < SIZE && reject(error));
      const more = () => {
        while (sent < SIZE && !request.destroyed) {
          sent += chunk.length;
          if (!request.write(chunk)) return void request.once('drain', more);
        }
      };
      more();
    });

  test('a script is refused as soon as the upload is over the limit, and nothing is kept', async () => {
    const link = upload(await linkOf(magpie.url), 'huge.pdf');
    const { status, text, sent } = await send(link.slice(magpie.url.length), {});
    expect(status).toBe(413);
    expect(text).toContain('is over 0.3 MB, the maximum for one file');
    // What stands in the buffers of both ends comes on top of it.
    expect(sent).toBeLessThan(20_000_000);
    expect((await files()).map(({ fileName }) => fileName)).not.toContain('huge.pdf');
  });

  test('a form is refused as soon as the upload is over the limit', async () => {
    const { cookie } = await followLink(await linkOf(magpie.url));
    const type = 'multipart/form-data; boundary=x';
    const { status, text, sent } = await send('/app/file/add', { cookie, 'content-type': type });
    expect(status).toBe(413);
    expect(text).toContain('These files are over 0 MB together');
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('revoked by their user', () => {
  test('links, open pages, forms and file addresses end on all devices; new links work', async () => {
    const { stack, pipe, close } = await startRooms({}, { http: { isOpen: async () => false } });
    const passes = await pipe.services.passes();
    const linkTo = async (user: string) => `${stack.url}/app?pass=${await passes.issuePass('link', user)}`;
    const link = await linkTo('ada');
    const [desk, phone] = [await followLink(link), await followLink(link)];
    expect((await desk.put('kept.pdf', makePdf(['Of cranes.']))).status).toBe(201);
    const url = `${stack.url}/app/files/kept.pdf?pass=${await passes.issuePass('file', 'ada', 'kept.pdf')}`;
    expect((await fetch(url)).status).toBe(200);
    const end = (form: string) =>
      fetch(new URL('/app/end', stack.url), {
        method: 'POST',
        headers: { cookie: desk.cookie },
        body: new URLSearchParams({ form }),
      });
    const reading = ({ cookie }: Visitor) =>
      fetch(new URL('/app/file/reading', stack.url), { headers: { cookie } });
    expect((await end('x')).status).toBe(403);
    const seen = await Promise.all([desk, phone].map(reading));
    expect(await Promise.all(seen.map((answer) => answer.json()))).toEqual([[], []]);
    const ended = await end(desk.form);
    expect(await ended.text()).toContain('All links and open pages of ada are ended. A new link opens it');
    expect(ended.headers.get('set-cookie')).toMatch(/Max-Age=0/);
    for (const device of [desk, phone]) expect((await reading(device)).status).toBe(401);
    expect((await phone.put('more.pdf', makePdf(['x']))).status).toBe(401);
    expect((await fetch(link)).status).toBe(401);
    expect((await fetch(upload(link, 'a.pdf'), { method: 'PUT', body: '%PDF-1.4' })).status).toBe(401);
    expect((await fetch(url)).status).toBe(401);
    const again = await followLink(await linkTo('ada'));
    const list = await fetch(new URL('/app/files', stack.url), { headers: { cookie: again.cookie } });
    expect(await list.text()).toContain('kept.pdf');
    await close();
  });

  test('who is signed in stays signed in, and says so on the page of files', async () => {
    const link = await linkOf(magpie.url);
    const page = await (await fetch(new URL('/app/files', magpie.url))).text();
    expect(page).toContain('Sign out everywhere');
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ form });
    const ended = await fetch(new URL('/app/end', magpie.url), { method: 'POST', body, redirect: 'manual' });
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/app/files']);
    expect((await fetch(link)).status).toBe(401);
    expect((await fetch(new URL('/app/files', magpie.url))).status).toBe(200);
  });

  test('links end from a terminal while the server runs, and other users keep their links', async () => {
    const link = await linkOf(magpie.url);
    const done = await runMagpie(['app', 'revoke', '--user', 'somebody'], env);
    expect(done.stdout).toBe('All links and open upload pages of somebody are ended.\n');
    expect((await fetch(link)).status).toBe(200);
    expect((await runMagpie(['app', 'revoke', '--json'], env)).stdout).toBe('{"user":"tester"}\n');
    expect((await fetch(link)).status).toBe(401);
  });
});
