import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteCalls, startSiteCalls } from '../helpers/site-calls.ts';

/** What has changed on a page since it was read, from real pages over every surface. */

let calls: SiteCalls;
beforeAll(async () => {
  calls = await startSiteCalls();
});
afterAll(() => calls.close());

const SENTENCES: Readonly<Record<string, string>> = {
  bird: 'Birds of this garden come early in the year and leave it late, whatever the weather brings. ',
  seed: 'Sunflower seeds are eaten by finches first, who open each of them with their beaks. ',
  nest: 'Twigs, moss and feathers make up most of what a pair builds within nine days. ',
  beetle: 'Nobody had expected beetles under the old oak before rain fell again. ',
  worm: 'After dark, earthworms pull leaves down into narrow tunnels and feed on fungi there. ',
};
const sentence = (subject: string) => SENTENCES[subject] ?? '';

/** A page of sections, each with its paragraphs. */
function put(path: string, sections: Readonly<Record<string, readonly string[]>>): void {
  const body = Object.entries(sections)
    .map(([title, texts]) => `<h2>${title}</h2>${texts.map((text) => `<p>${text}</p>`).join('')}`)
    .join('');
  calls.site.pages.set(path, {
    headers: { 'cache-control': 'max-age=3600', 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><head><title>Birds</title></head><body><article><h1>Birds</h1><p>${sentence('bird').repeat(3)}</p>${body}</article></body></html>`,
  });
}

const changesOf = async (path: string, parameters: Record<string, string>, operation?: string) => {
  const { status, body } = await calls.browse(path, parameters, operation);
  expect(status).toBe(200);
  return { ...body.results[0], rules: body.rules };
};

describe('since', () => {
  test('returns and announces the full text first, and then the added, changed and removed text, freshly read', async () => {
    put('/a', { Food: [`${sentence('seed')} A bag costs 12 euros.`], Nests: [sentence('nest')] });
    const first = await changesOf('/a', { since: 'last' });
    expect(first.rules).toMatch(/^No earlier version of this page is kept for you, so this is its text/);
    expect(first.full_content).toContain('A bag costs 12 euros');
    expect(first.changes).toBeUndefined();

    const same = await changesOf('/a', { since: 'last' });
    expect(same.rules).toMatch(/^Nothing has changed on this page since it was read at 20\d\d-.*Z\. /);
    expect(same.changes).toMatchObject({ added: 0, removed: 0, changed: 0, list: [] });
    expect(same.full_content).toBeUndefined();

    put('/a', { Food: [`${sentence('seed')} A bag costs 14 euros.`, sentence('beetle')] });
    const { changes, rules, title } = await changesOf('/a', { since: 'last' });
    expect(title).toBe('Birds');
    expect(changes).toMatchObject({ added: 1, removed: 2, changed: 1 });
    expect(changes?.list).toEqual([
      {
        kind: 'changed',
        section: 'Food',
        before: expect.stringContaining('A bag costs 12 euros.'),
        text: expect.stringContaining('A bag costs 14 euros.'),
      },
      { kind: 'added', section: 'Food', text: sentence('beetle').trim() },
      { kind: 'removed', text: '## Nests' },
      { kind: 'removed', section: 'Nests', text: sentence('nest').trim() },
    ]);
    expect(rules).toMatch(/^4 changes on this page since it was read at 20\d\d-.*Z: leave out since/);
    expect((await changesOf('/a', { since: 'last' })).rules).toMatch(/^Nothing has changed/);
  });

  test('compares a date with the stored versions', async () => {
    put('/b', { Food: [sentence('seed')] });
    await changesOf('/b', {});
    put('/b', { Food: [sentence('beetle')] });
    await changesOf('/b', { since: 'last' });
    put('/b', { Food: [sentence('beetle'), sentence('worm')] });
    const old = await changesOf('/b', { since: 'last year' });
    expect(old.rules).toContain(
      'No version that was read by the time that you gave is kept: this is the oldest. ',
    );
    const { list = [] } = old.changes ?? {};
    expect(list).toContainEqual({ kind: 'added', section: 'Food', text: sentence('worm').trim() });
    expect(list).toContainEqual({ kind: 'removed', section: 'Food', text: sentence('seed').trim() });
    const ahead = await changesOf('/b', { since: '2999-01-01' });
    expect(ahead.rules).toContain(
      'The time that you gave is yet to come: this is against the last reading. ',
    );
    const now = await changesOf('/b', { since: new Date(Date.now() + 1000).toISOString() });
    expect(now.rules).toMatch(/^Nothing has changed/);
    expect(now.rules).not.toContain('oldest');
  });

  test('is limited to one section and a number of words', async () => {
    put('/c', { Food: [sentence('seed')], Nests: [sentence('nest')] });
    await changesOf('/c', {});
    put('/c', { Food: [sentence('beetle'), sentence('worm')], Nests: [sentence('nest')] });
    const nests = await changesOf('/c', { since: '2020-01-01', section: 'Nests' });
    expect(nests.rules).toMatch(/^Nothing has changed on this section/);
    const few = await changesOf('/c', { since: '2020-01-01', inputwindowwords: '25' }, 'browsegiant');
    expect(few.changes?.list).toHaveLength(1);
    expect(few.rules).toContain('of which the first 1 are listed');
    const fresh = await changesOf('/c', { since: '2020-01-01', section: 'Food' }, 'browseByUrl');
    expect(fresh.changes?.list.length).toBeGreaterThan(1);
    expect((await calls.browse('/c', { since: 'last', section: 'Feathers' })).status).toBe(404);
  });

  test('returns structure and text over MCP, and the changes in a terminal', async () => {
    put('/d', { Food: [`${sentence('seed')} A bag costs 12 euros.`] });
    const q = `${calls.site.url}/d`;
    expect((await calls.callTool({ q })).text).toContain('12 euros');
    put('/d', { Food: [`${sentence('seed')} A bag costs 14 euros.`] });
    const { body, text } = await calls.callTool({ q, since: 'last' });
    expect(body.results[0]?.changes).toMatchObject({ changed: 1 });
    expect(text).toMatch(
      /Since 20\S+Z: 0 new, 1 changed, 0 gone\n\nChanged, under Food:\n.*12 euros\.\n-> .*14 euros\./,
    );
    put('/d', { Food: [`${sentence('seed')} A bag costs 16 euros.`] });
    const { code, stdout } = await calls.run('browse', q, '--since', 'last');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Changed, under Food:\n.*14 euros\.\n-> .*16 euros\./);
  });

  test('refuses an unsupported value or source and names the supported ones', async () => {
    const wrong = await calls.browse('/d', { since: 'once upon a time' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).toMatch(/since.*last week/);
    const file = await calls.callTool({ q: 'file:///home/ann/x.md', since: 'last' });
    expect(file.isError).toBe(true);
    expect(file.text).toContain('since takes a page of the web');
  });
});

test('since says that no version is stored without the local index', async () => {
  const without = await startSiteCalls({ MAGPIE_LOCAL_INDEX: 'false' });
  try {
    without.site.pages.set('/', { body: `<h1>Birds</h1><p>${sentence('bird').repeat(5)}</p>` });
    const { status, body } = await without.browse('/', { since: 'last' });
    expect(status).toBe(503);
    expect(body.error).toContain('MAGPIE_LOCAL_INDEX');
  } finally {
    await without.close();
  }
});
