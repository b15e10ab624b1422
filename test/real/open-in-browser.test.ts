import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowserOpener } from '../../src/browse/rendering/open-in-browser.ts';
import { createRenderer, type PageRenderer } from '../../src/browse/rendering/renderer.ts';
import type { OpenInBrowser } from '../../src/lib/network/fetch.ts';
import { type Counted, startCounted } from '../helpers/scripted-site.ts';

/** Result pages in a real Chromium, as a search asks for them: .ci/run installs it and names it in MAGPIE_TEST_BROWSER. */

/** Its rows are there only once its script has fetched them. */
const RESULT_PAGE = `<!doctype html><title>Results</title><form><input name=q></form><ol id=rows></ol><script>
(async () => {
  const { rows } = await (await fetch('/rows' + location.search)).json();
  for (const { title, url } of rows) {
    const row = document.createElement('li');
    row.innerHTML = '<h3><a></a></h3>';
    row.querySelector('a').href = url;
    row.querySelector('a').textContent = title;
    document.getElementById('rows').append(row);
  }
})();</script>`;
const { signal: never } = new AbortController();

let site: Counted;
let renderer: PageRenderer;
let open: OpenInBrowser;

beforeAll(async () => {
  site = await startCounted((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site.test');
    if (pathname === '/rows') {
      const rows = [1, 2, 3].map((at) => ({
        title: `${searchParams.get('q')} ${at}`,
        url: `https://mills.test/${at}`,
      }));
      return void response.end(JSON.stringify({ rows }));
    }
    // Never answered: the test decides how the waiting ends.
    if (pathname === '/endless') return;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(RESULT_PAGE);
  });
  renderer = createRenderer({
    executable: process.env.MAGPIE_TEST_BROWSER ?? '',
    allowHosts: [site.host],
    timeoutMs: 60_000,
    maxBytes: 2_000_000,
  });
  open = createBrowserOpener(renderer);
});
afterAll(async () => {
  await renderer.close();
  await site.close();
});

const asked = (path: string) => site.asked.filter((one) => one.startsWith(path)).length;

test('an opened result page contains the rows that its script adds, and each opening has its own browser', async () => {
  const opened = await Promise.all(
    ['tide+mill', 'wind+mill', 'water+mill'].map((q) =>
      open(`http://${site.host}/results?q=${q}`, { signal: never, timeoutMs: 60_000 }),
    ),
  );
  for (const [at, html] of opened.entries()) {
    const kind = ['tide', 'wind', 'water'][at];
    expect([...html.matchAll(/<li><h3><a href="([^"]+)">([^<]+)</g)].map(([, ...row]) => row)).toEqual(
      [1, 2, 3].map((row) => [`https://mills.test/${row}`, `${kind} mill ${row}`]),
    );
  }
});

test('a cancelled or late opening is given up, and errors do not show the question', async () => {
  const stop = new AbortController();
  const url = `http://${site.host}/endless?q=private+words`;
  const cancelled = open(url, { signal: stop.signal, timeoutMs: 60_000 });
  cancelled.catch(() => {});
  await expect.poll(() => asked('/endless'), { timeout: 30_000 }).toBe(1);
  stop.abort(new Error('enough'));
  await expect(cancelled).rejects.toThrow('enough');
  await expect(open(url, { signal: never, timeoutMs: 300 })).rejects.toMatchObject({
    code: 'timeout',
    message: `the browser did not show ${site.host} within 300 ms`,
  });
  // Their places are free again.
  expect(await open(`http://${site.host}/results?q=a`, { signal: never, timeoutMs: 60_000 })).toContain(
    'a 3',
  );
});

test('a forbidden address is refused', async () => {
  const url = 'http://169.254.169.254/latest/meta-data?q=private+words';
  const refusal = await open(url, { signal: never, timeoutMs: 60_000 }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'forbidden' });
  expect(String(refusal)).not.toContain('private');
});
