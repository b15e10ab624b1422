import { expect, test } from 'vitest';
import { createBrowse } from '../../../src/browse/browse.ts';
import { guessNeedsScripts } from '../../../src/browse/rendering/needs-scripts.ts';
import { createRenderer } from '../../../src/browse/rendering/renderer.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';
import { startCounted } from '../../helpers/scripted-site.ts';
import { sharedReaders } from '../../helpers/shared-readers.ts';

const SCRIPT = '<script src=/app.js></script>';
const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

test.each([
  ['an empty root of React', `<div id="root"></div>${SCRIPT}`, '', 'surely'],
  ['an empty root of Next', `<div id="__next"> </div>${SCRIPT}`, 'Menu', 'surely'],
  ['an element of its own', `<app-root></app-root>${SCRIPT}`, 'Loading', 'surely'],
  [
    'a notice',
    `<noscript>You need to enable JavaScript to run this app.</noscript>${SCRIPT}`,
    'You need it',
    'surely',
  ],
  [
    'another notice',
    `<p>This site requires JavaScript.</p>${SCRIPT}`,
    'This site requires JavaScript.',
    'surely',
  ],
  [
    'a notice the other way round',
    `<p>JavaScript is disabled</p>${SCRIPT}`,
    'JavaScript is disabled',
    'surely',
  ],
  ['a frame of words around an empty root', `<div id=app></div>${SCRIPT}`, words(30), 'perhaps'],
  ['an article with an empty root beside', `<div id=app></div>${SCRIPT}`, words(80), 'no'],
  ['an article in Chinese', `<div id=app></div>${SCRIPT}`, '潮汐磨坊利用海水的涨落来磨面粉'.repeat(10), 'no'],
  ['a short page with a script', `<p>It works!</p>${SCRIPT}`, 'It works!', 'no'],
  ['nothing at all', '', '', 'no'],
  ['no words and a script', `<canvas></canvas>${SCRIPT}`, '', 'surely'],
  ['an empty root and no script', '<div id=root></div>', '', 'no'],
])('%s', (_name, html, markdown, expected) => {
  expect(guessNeedsScripts(Buffer.from(html), markdown)).toBe(expected);
});

test('markup designed to be slow is judged in little time', () => {
  for (const part of ['<div id=root ', '<a-a ', 'enable ', 'javascript a ', '<div id="root">\n\n\n']) {
    const page = Buffer.from(part.repeat(200_000) + SCRIPT);
    expect(processorSeconds(() => guessNeedsScripts(page, ''))).toBeLessThan(3);
  }
});

test('without a browser the error says what to enable and what is missing, and pages with words need no browser', async () => {
  const site = await startCounted((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/app' ? `<div id=root></div>${SCRIPT}` : `<p>It works!</p>${SCRIPT}`);
  });
  const fetch = createGuardedFetch({ allowHosts: [site.host], userAgent: 'test' });
  const [readers, limits] = [sharedReaders(), { maxBytes: 100_000, timeoutMs: 5000 }];
  const off = createBrowse({ fetch, readers, ...limits });
  const executable = '/no/such/browser';
  const renderer = createRenderer({ executable, allowHosts: [site.host], ...limits });
  const missing = createBrowse({ fetch, readers, ...limits, renderer });
  const { signal } = new AbortController();
  await expect(off.readPage(`http://${site.host}/app`, { signal })).rejects.toMatchObject({
    code: 'upstream',
    message: expect.stringMatching(/^Error fetching content: .*MAGPIE_BROWSER=auto/),
  });
  await expect(missing.readPage(`http://${site.host}/app`, { signal })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('there is no browser at /no/such/browser'),
  });
  for (const browse of [off, missing]) {
    expect((await browse.readPage(`http://${site.host}/page`, { signal })).markdown).toBe('It works!');
    await browse.close();
  }
  await renderer.close();
  await fetch.close();
  await site.close();
});
