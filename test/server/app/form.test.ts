import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseSubmittedForm } from '../../../src/server/app/form.ts';

const MAX_BYTES = 30_000_000;

function request(type: string, pieces: Iterable<Uint8Array>): Request {
  const source = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await setImmediate();
      const next = source.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
  return new Request('http://127.0.0.1/app/files', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    duplex: 'half',
  } as RequestInit);
}

const part = (disposition: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
const multipart = (text: string, size = 65_536) => {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return request('multipart/form-data; boundary=b', pieces);
};

async function textOf(file: { stream(): AsyncIterable<Uint8Array> } | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file?.stream() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.each([1, 7, 100_000])('fields and files are read correctly from pieces of %i bytes', async (size) => {
  const long = `%PDF ${'\r\n--a\r\n-'.repeat(3000)}`;
  const form = await parseSubmittedForm(
    multipart(
      part('name="form"', 'ünïcode') +
        part('name="form"', 'a second one') +
        part('name="files"; filename=""', '') +
        part('name="files"; filename="a/dänisch.pdf"', long) +
        part('name="other"; filename="b.pdf"', 'not asked for') +
        part('name="files"; filename="empty %22new%22.pdf"', '') +
        '--b--\r\n',
      size,
    ),
    MAX_BYTES,
  );
  expect(form.field('form')).toBe('ünïcode');
  expect(form.field('none')).toBe('');
  expect(form.files.map(({ name }) => name)).toEqual(['a/dänisch.pdf', 'empty "new".pdf']);
  expect(await textOf(form.files[0])).toBe(long);
  expect(await textOf(form.files[1])).toBe('');
});

/** Turns of the event loop that others have while the work is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false];
  const watch = (async () => {
    for (; !done; turns++) await setImmediate();
  })();
  await work();
  done = true;
  await watch;
  return turns;
}

test('other calls proceed while a large form is read, whatever its bytes are', async () => {
  for (const piece of ['x', '\r\n', '\r\n--']) {
    const body = `${part('name="files"; filename="a.pdf"', piece.repeat(20_000_000 / piece.length))}--b--\r\n`;
    const read = async () =>
      expect((await parseSubmittedForm(multipart(body), MAX_BYTES)).files).toHaveLength(1);
    // It comes in 306 pieces.
    expect(await turnsOf(read)).toBeGreaterThan(200);
  }
});

test('a truncated form, or a body that is not a form, is refused', async () => {
  const whole = `${part('name="files"; filename="a.pdf"', 'x'.repeat(100_000))}--b--\r\n`;
  const bad = { code: 'bad_request', message: expect.stringContaining('not a form of the upload page') };
  await expect(parseSubmittedForm(multipart(whole.slice(0, 50_000)), MAX_BYTES)).rejects.toMatchObject(bad);
  await expect(parseSubmittedForm(multipart('no form at all'), MAX_BYTES)).rejects.toMatchObject(bad);
  for (const type of ['text/plain', 'multipart/form-data', '']) {
    await expect(parseSubmittedForm(request(type, [Buffer.from(whole)]), MAX_BYTES)).rejects.toMatchObject(
      bad,
    );
  }
  await expect(parseSubmittedForm(multipart(whole), 1)).resolves.toBeDefined();
  const large = `${part('name="files"; filename="a.pdf"', 'x'.repeat(1_100_000))}--b--\r\n`;
  await expect(parseSubmittedForm(multipart(large), 1)).rejects.toMatchObject({ code: 'too_large' });
});
