import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** The knowledge base over REST; with the embedded model where its meaning matters. */

const folder = temporaryFolder();
let web: TestWeb;
let magpie: Running;

beforeAll(async () => {
  web = await startWeb();
  magpie = await startMagpie({ ...environment(folder.path, web), ...(await withoutModel()) });
});
afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});
beforeEach(async () => {
  expect((await get('/reset?q=')).status).toBe(200);
});

const get = (path: string, init?: RequestInit) => fetch(new URL(path, magpie.url), init);

const post = (path: string, body: unknown) =>
  get(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

interface Body {
  readonly error: string;
  readonly status: { readonly status: string };
  readonly id: string;
  readonly deleted: number;
  readonly trash?: { readonly id: string; readonly until: string };
  readonly passages: number;
  readonly rules: string;
  readonly matches: {
    readonly id: string;
    readonly score: number;
    readonly values: number[];
    readonly sparseValues: Record<string, number>;
    readonly metadata: Record<string, unknown> & { readonly text: string };
  }[];
  readonly results: {
    title: string;
    link: string;
    summary?: string;
    full_content?: string;
    snippet?: string;
  }[];
}

async function body(response: Response | Promise<Response>, status = 200): Promise<Body> {
  const answer = await response;
  expect(answer.status).toBe(status);
  return (await answer.json()) as Body;
}

const path = (name: string, parameters: Record<string, string>) =>
  `/${name}?${new URLSearchParams(parameters)}`;
const keep = (q: string, more: Record<string, string> = {}) => body(get(path('upsert', { q, ...more })));
const ask = async (q: string, more: Record<string, string> = {}) =>
  (await body(get(path('query', { q, ...more })))).matches;
const texts = async (...args: Parameters<typeof ask>) =>
  (await ask(...args)).map(({ metadata }) => metadata.text);
const metadata = async () => (await body(get('/metadatakb?q='))).matches[0]?.metadata ?? { text: '' };

test.each(['upsert', 'insert', 'upsertToUsersKnowledgeBase'])(
  'GET /%s stores a text [path.upsert]',
  async (name) => {
    const kept = await body(get(path(name, { q: `${name} keeps magpies` })));
    expect(kept.status.status).toBe(`Kept in the knowledge base as ${kept.id}.`);
    expect(await texts('magpies')).toEqual([`${name} keeps magpies`]);
  },
);

test('POST /upsertjson stores a text of any length, in separate passages [path.upsertjson] [knowledge.passages]', async () => {
  const paragraphs = Array.from(
    { length: 40 },
    (_, i) => `${`Section ${i} of the report is about subject ${i}. `.repeat(8)}Its marker is zq${i}x.`,
  );
  const kept = await body(post('/upsertjson', { q: paragraphs.join('\n\n'), title: 'The long report' }));
  expect(kept.passages).toBeGreaterThan(10);
  const [best] = await ask('zq31x');
  expect(best?.id).toBe(kept.id);
  expect(best?.metadata.text).toContain('zq31x');
  expect(best?.metadata.text.length).toBeLessThan(paragraphs.join('').length / 5);
  expect(best?.metadata.title).toContain('The long report');
  expect((await metadata()).records).toBe(1);
});

test('collections are separate, and an entry replaces the entry with its key [knowledge.collections]', async () => {
  const blue = await keep('Blue is what I like.', { key: 'favourite-colour' });
  await keep('Grey is what the office likes.', { key: 'favourite-colour', collection: 'Work' });
  const green = await keep('Green is what I like.', { key: 'favourite-colour' });
  expect(green.id).toBe(blue.id);
  expect(green.status.status).toBe(
    `Replaced in the knowledge base as ${green.id}. deleteEntry with this id and restore true brings back the text before.`,
  );
  expect(await texts('what is liked')).toHaveLength(2);
  expect(await texts('what is liked', { collection: 'work' })).toEqual(['Grey is what the office likes.']);
  const [match] = await ask('what does the office like', { collection: 'work' });
  expect(match?.metadata).toMatchObject({ collection: 'work', key: 'favourite-colour' });
  expect(await metadata()).toMatchObject({
    records: 2,
    collections: [
      { name: 'default', records: 1 },
      { name: 'work', records: 1 },
    ],
  });
  const counted = await body(get(path('metadatakb', { q: '', collection: 'work' })));
  expect(counted.matches[0]?.metadata).toMatchObject({ records: 1, collection: 'work' });
  const back = await body(post('/deleteEntry', { id: green.id, restore: true }));
  expect(back.status.status).toBe('Restored 1 entry.');
  expect(await texts('what do I like', { collection: 'default' })).toEqual(['Blue is what I like.']);
  const wiped = await body(get(path('reset', { q: '', collection: 'work' })));
  expect(wiped.status.status).toMatch(/^Deleted 1 entry: the collection "work" is empty\. Until/);
  expect((await metadata()).records).toBe(1);
  const refusal = (await body(get(path('query', { q: 'x', collection: 'a/b' })), 400)).error;
  expect(refusal).toMatch(/^collection is "a\/b": it takes a name of 1 to 60 letters/);
  expect((await body(get(path('reset', { q: '', collection: 'a/b' })), 400)).error).toBe(refusal);
});

interface Listed {
  readonly error?: string;
  readonly entries: {
    id: string;
    text: string;
    more?: boolean;
    key?: string;
    updatedAt?: string;
    collection: string;
  }[];
  readonly next?: string;
}

const list = async (parameters: Record<string, string> = {}, status = 200) =>
  (await body(get(path('listEntries', parameters)), status)) as unknown as Listed;

test('entries are listed newest first, in pages, filtered by their metadata [knowledge.list]', async () => {
  expect(await list()).toEqual({ entries: [] });
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const tags = JSON.stringify(n % 2 ? ['odd'] : ['even', 'x']);
    const more = {
      source: `https://site${n}.example/`,
      ...(n === 3 && { collection: 'work', key: 'three' }),
    };
    ids.push(
      (await body(post('/upsertjson', { q: `Entry Number ${n}`, tags: JSON.parse(tags), ...more }))).id,
    );
  }
  const long = await keep(`A café in the ${'very '.repeat(100)}old town`);
  const listed = async (parameters: Record<string, string>) =>
    (await list(parameters)).entries.map(({ text }) => text.slice(-1));
  const [first] = (await list({ limit: '1' })).entries;
  expect(first).toMatchObject({ id: long.id, more: true, collection: 'default' });
  expect(first?.text.length).toBe(300);
  expect((await list({ id: long.id })).entries[0]?.text).toHaveLength(522);
  expect((await list({ id: 'tester-1' })).entries).toEqual([]);
  expect((await list({ whole: 'true', limit: '1' })).entries[0]?.more).toBeUndefined();
  expect(await listed({ tags: '["even"]' })).toEqual(['4', '2', '0']);
  expect(await listed({ source: 'https://site2.example/' })).toEqual(['2']);
  expect(await listed({ source: 'https://site*' })).toEqual(['4', '3', '2', '1', '0']);
  expect((await list({ collection: 'Work' })).entries).toMatchObject([{ id: ids[3], key: 'three' }]);
  expect(await listed({ text: '  entry   NUMBER ' })).toEqual(['4', '3', '2', '1', '0']);
  expect((await list({ text: 'cafe in THE' })).entries).toHaveLength(1);
  expect(await listed({ until: '2020-01-01' })).toEqual([]);
  expect(await listed({ since: '2020-01-01', tags: '["odd"]' })).toEqual(['3', '1']);

  for (const asked of [{}, { text: 'entry' }, { tags: '["x"]' }] as Record<string, string>[]) {
    const all = (await list({ ...asked, limit: '100' })).entries.map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Listed = await list({ ...asked, limit: '2', ...(cursor && { cursor }) });
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.next;
    }
    expect(seen).toEqual(all);
  }
  expect((await list({ cursor: 'nonsense' }, 400)).error).toContain('cursor is "nonsense"');
  expect((await list({ collection: '/' }, 400)).error).toContain('collection is "/"');
});

test('an entry is edited by its id: named fields change, and the rest stays [knowledge.edit]', async () => {
  const { id } = await body(post('/upsertjson', { q: 'A heron', tags: ['birds'], source: 'a walk' }));
  const edit = (change: Record<string, unknown>, status = 200) =>
    body(post('/updateEntry', { id, ...change }), status);
  expect((await edit({ title: 'Seen today', tags: ['herons'] })).status.status).toBe(`Changed ${id}.`);
  expect((await list({ id })).entries).toMatchObject([
    { text: 'A heron', title: 'Seen today', tags: ['herons'], source: 'a walk' },
  ]);
  expect(
    (await edit({ text: 'An egret', collection: 'birds', key: 'seen', source: ' ' })).status.status,
  ).toBe(`Changed ${id}. deleteEntry with this id and restore true brings back the text before.`);
  const [changed] = (await list({ id })).entries;
  expect(changed).toMatchObject({ text: 'An egret', collection: 'birds', key: 'seen', tags: ['herons'] });
  expect(changed).not.toHaveProperty('source');
  await body(post('/deleteEntry', { id, restore: true }));
  expect((await list({ id })).entries).toMatchObject([{ text: 'A heron', collection: 'default' }]);
  const other = await keep('A stork', { collection: 'birds', key: 'seen' });
  expect((await edit({ key: 'seen', collection: 'birds' }, 400)).error).toBe(
    `the entry ${other.id} has this key already: choose another key`,
  );
  expect((await edit({ text: 'A stork', key: ' ' })).status.status).toContain('Changed');
  expect((await body(post('/updateEntry', { id: 'tester-1', text: 'x' }), 404)).error).toContain('no entry');
  expect((await edit({ text: ' ' }, 400)).error).toContain('text');
});

test('a query for one speaker finds only the turns of that speaker in a chat [knowledge.speaker]', async () => {
  await keep('[2026-03-01 10:15] Anna: The apples are for the cake.\n\n[2026-03-01 10:16] Carl: Good.');
  await keep('Bob: Anna, which apples are for the cake?');
  await keep('Anna says that apples are red.');
  expect(await texts('apples for the cake', { speaker: 'anna' })).toEqual([
    '[2026-03-01 10:15] Anna: The apples are for the cake.',
  ]);
  expect(await texts('apples', { speaker: 'Bob', tags: 'fruit' })).toEqual([]);
  expect(await texts('apples', { speaker: 'Melanie' })).toEqual([]);
});

test('an id consists of the user and microseconds, is unique and increases [knowledge.id]', async () => {
  const before = Date.now() * 1000;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await keep(`fact number ${i}`)).id);
  const numbers = ids.map((id) => Number(/^tester-(\d{16})$/.exec(id)?.[1]));
  expect(numbers[0]).toBeGreaterThanOrEqual(before);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test('an identical text does not create a second entry [knowledge.once]', async () => {
  const first = await keep('once and only once');
  const again = await body(post('/upsertjson', { q: 'once and only once' }));
  expect(again.id).toBe(first.id);
  expect(again.status.status).toBe(`The knowledge base has this text already, as ${first.id}.`);
  expect((await metadata()).records).toBe(1);
});

test('an entry is changed and deleted by its id', async () => {
  const { id } = await keep('the meeting is on Monday', { tags: 'work' });
  await keep('the meeting is on Tuesday', { id });
  expect(await texts('meeting')).toEqual(['the meeting is on Tuesday']);
  expect((await ask('meeting'))[0]).toMatchObject({ id, metadata: { tags: ['work'] } });
  const gone = await body(post('/deleteEntry', { id }));
  expect(gone).toMatchObject({
    status: { status: expect.stringContaining(`Deleted ${id}. Until `) },
    deleted: 1,
  });
  expect(await texts('meeting')).toEqual([]);
  expect((await body(post('/deleteEntry', { id }))).deleted).toBe(0);
  const { error } = await body(get(path('upsert', { q: 'x', id })), 404);
  expect(error).toContain(id);
});

test('queries filter by tags, source and time, and count matches', async () => {
  await keep('red apples', { tags: 'fruit,red', source: 'https://a.example/one' });
  await keep('green apples', { tags: 'fruit', source: 'https://b.example/two' });
  await keep('apples in winter');
  expect(await texts('apples', { tags: 'fruit,red' })).toEqual(['red apples']);
  expect(await texts('apples', { tags: '["fruit", "red"]' })).toEqual(['red apples']);
  expect(await texts('apples', { source: 'https://b.example/*' })).toEqual(['green apples']);
  expect(await texts('apples', { until: '2020-01-01' })).toEqual([]);
  expect(await texts('apples', { since: '2020-01-01T00:00:00Z' })).toHaveLength(3);
  expect(await texts('apples', { topK: '2' })).toHaveLength(2);
  const [match] = await ask('red apples', { topK: '1', tags: 'red' });
  expect(match?.metadata).toMatchObject({
    source: 'https://a.example/one',
    tags: ['fruit', 'red'],
    passage: 1,
  });
});

test('values and neighbours are returned on request', async () => {
  const paragraphs = Array.from(
    { length: 12 },
    (_, i) => `${`Words of chapter ${i}. `.repeat(30)}Key k${i}k.`,
  );
  await body(post('/upsertjson', { q: paragraphs.join('\n\n') }));
  await expect.poll(async () => (await metadata()).pending, { timeout: 60_000 }).toBe(0);
  const [match] = await ask('k5k', { includeValues: 'true', neighbours: '1', topK: '1' });
  expect(match?.values).toHaveLength(64);
  expect(Object.keys(match?.sparseValues ?? {}).length).toBeGreaterThan(0);
  expect(match?.metadata.text).toContain('k5k');
  expect(match?.metadata.before).toContain('Words of chapter');
  expect(match?.metadata.after).toContain('Words of chapter');
});

test('metadatakb counts records and returns the newest as a sample [path.metadatakb] [knowledge.metadata]', async () => {
  expect((await body(get('/metadatakb?q='))).matches).toHaveLength(1);
  expect(await metadata()).toMatchObject({ text: '', records: 0, passages: 0, bytes: 0 });
  await keep('the older one');
  const { id } = await keep('the newer one');
  const { matches } = await body(get('/metadatakb?q='));
  expect(matches).toHaveLength(1);
  expect(matches[0]).toMatchObject({
    id,
    metadata: {
      text: 'the newer one',
      records: 2,
      passages: 2,
      bytes: 26,
      model: 'openai:words@64',
      oldest: expect.stringMatching(/^\d{4}-.*Z$/),
      newest: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  });
  expect(matches[0]?.metadata).not.toHaveProperty('title');
  await body(get(path('upsert', { q: 'the newest one', title: 'Nests' })));
  expect((await metadata()).title).toBe('Nests');
});

test.each(['reset', 'resetKnowledgeBase', 'resetUsersKnowledgeBase'])(
  'GET /%s deletes every entry [path.reset] [knowledge.reset]',
  async (name) => {
    await keep('one');
    await keep('two');
    const { status, deleted } = await body(get(`/${name}?q=`));
    expect(status.status).toMatch(/^Deleted all 2 entries: the knowledge base is empty\./);
    expect(deleted).toBe(2);
    expect(await texts('one two')).toEqual([]);
    expect((await metadata()).records).toBe(0);
  },
);

test.each(['reset', 'resetKnowledgeBase', 'resetUsersKnowledgeBase'])(
  'GET /%s names the way to undo it, and can be undone once [knowledge.trash]',
  async (name) => {
    const { id } = await keep('the magpie of one nest');
    await keep('two');
    const { status, trash } = await body(get(`/${name}?q=`));
    expect(Date.parse(trash?.until ?? '') - Number(trash?.id) / 1000).toBeCloseTo(7 * 86_400_000, -1);
    expect(status.status).toContain(
      `Until ${trash?.until} this can be undone: reset with restore ${trash?.id} brings all of it back.`,
    );
    const restore = (which: string) => body(get(`/${name}?q=&restore=${which}`));
    expect(await restore('17')).toMatchObject({ restored: 0, deleted: 0 });
    expect(await restore(trash?.id ?? '')).toEqual({
      status: { status: 'Restored 2 entries.' },
      deleted: 0,
      restored: 2,
    });
    expect((await ask('magpie nest'))[0]?.id).toBe(id);
    expect(await restore(trash?.id ?? '')).toMatchObject({
      restored: 0,
      status: { status: expect.stringContaining('Nothing was restored: it is kept already, or no longer') },
    });
    expect((await metadata()).records).toBe(2);
    const gone = await body(get(`/${name}?q=&permanent=true`));
    expect(gone.status.status).toMatch(/^Deleted all 2 entries: the knowledge base is empty\./);
    expect(gone).not.toHaveProperty('trash');
    expect(await restore('all')).toMatchObject({ restored: 0 });
  },
);

test('a deleted entry is restored by its id, unless its text is stored again by then [knowledge.trash]', async () => {
  const { id } = await keep('the magpie of one nest', { tags: 'first' });
  const { id: other } = await keep('another');
  const remove = (more = {}) => body(post('/deleteEntry', { id, ...more }));
  const { status } = await remove();
  expect(status.status).toMatch(
    /Until \S+Z this can be undone: deleteEntry with restore true brings it back\.$/,
  );
  expect(await remove({ restore: true })).toMatchObject({
    restored: 1,
    status: { status: 'Restored 1 entry.' },
  });
  expect(await remove({ restore: true })).toMatchObject({ restored: 0 });
  expect((await ask('magpie'))[0]).toMatchObject({ id, metadata: { tags: ['first'] } });
  await remove();
  const { id: later } = await keep('the magpie of one nest');
  expect(await remove({ restore: true })).toMatchObject({
    restored: 0,
    status: { status: '1 entry not: the same text is kept by now.' },
  });
  expect((await ask('magpie'))[0]).toMatchObject({ id: later, metadata: { tags: ['first'] } });
  await body(post('/deleteEntry', { id: other }));
  const unknown = await get('/reset?q=&restore=abc');
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { error: expect.stringMatching(/no trash id "abc": restore takes latest, all, or the number/) },
  ]);
  expect(await body(get('/reset?q=&restore=77'))).toMatchObject({
    status: { status: expect.stringMatching(/In the trash, newest first: \d+ \(1 entry, deleted \S+Z\)/) },
  });
  expect(await body(post('/deleteEntry', { id: other, permanent: true }))).toEqual({
    status: { status: `Deleted ${other}.` },
    deleted: 1,
  });
  expect(await body(post('/deleteEntry', { id: other, restore: true }))).toMatchObject({ restored: 0 });
});

test.each(['metadatakb', 'reset', 'resetKnowledgeBase'])(
  '/%s requires q, which may be empty [parameter.empty]',
  async (name) => {
    const { error } = await body(get(`/${name}`), 400);
    expect(error).toContain('no query was provided');
  },
);

test.each([
  ['/upsert?q=', 'no query was provided'],
  ['/upsert?q=%20', 'no query was provided'],
  ['/query', 'no query was provided'],
  ['/query?q=x&topK=101', 'topK is "101": it takes a whole number from 1 to 100'],
  [
    '/query?q=x&since=soon',
    'since is "soon": it takes a value such as 2026-01-31, 2026-01-31T09:30:00Z, last week',
  ],
  ['/query?q=x&since=2026-13-01', 'since is "2026-13-01"'],
  ['/query?q=x&includeValues=perhaps', 'includeValues is "perhaps": it takes true or false'],
])('%s is refused with an explanation', async (asked, words) => {
  const { error } = await body(get(asked), 400);
  expect(error).toContain(words);
});

test.each([[{ 'sec-purpose': 'prefetch' }], [{ purpose: 'preview' }], [{ 'sec-fetch-site': 'cross-site' }]])(
  'writing by GET is refused with %j [knowledge.unintended]',
  async (headers) => {
    await keep('stays');
    for (const asked of ['/upsert?q=sneaky', '/insert?q=sneaky', '/reset?q=', '/resetKnowledgeBase?q=']) {
      await body(get(asked, { headers: headers as Record<string, string> }), 403);
    }
    expect(await metadata()).toMatchObject({ text: 'stays', records: 1 });
  },
);

test('HEAD changes no entry, and no answer is cached [knowledge.unintended]', async () => {
  await keep('stays');
  expect((await get('/reset?q=', { method: 'HEAD' })).status).toBe(200);
  expect((await get('/upsert?q=sneaky', { method: 'HEAD' })).status).toBe(200);
  expect((await metadata()).records).toBe(1);
  expect((await get('/query?q=stays')).headers.get('cache-control')).toBe('no-store');
});

test('hybrid returns pages and stored texts in one list [path.hybrid] [hybrid.fused]', async () => {
  const q = 'how do magpies build a nest';
  const hybrid = () => body(get(path('hybrid', { q, percentile: '3', numofpages: '4' })));
  // On a busy machine pages may come too late for a first answer; once they are read, they are kept.
  const read = async () => (await hybrid()).results.filter(({ full_content }) => full_content).length;
  await expect.poll(read, { timeout: 60_000 }).toBe(3);
  const alone = await hybrid();
  expect(alone.results.every(({ link }) => link.startsWith('http'))).toBe(true);
  const { id } = await keep(
    'My note: how magpies build a nest, seen from the kitchen window in April, twig by twig.',
  );
  await expect.poll(async () => (await metadata()).pending, { timeout: 60_000 }).toBe(0);
  const { results, rules } = await hybrid();
  expect(results).toHaveLength(4);
  const own = results.findIndex(({ link }) => link === `kb://entries/${id}`);
  expect(own).toBeLessThan(3);
  expect(results[own]).toMatchObject({
    title: 'My note: how magpies build a nest, seen from the …',
    full_content: expect.stringContaining('twig by twig'),
  });
  results.forEach(({ summary, full_content }, place) => {
    expect(full_content !== undefined).toBe(place < 3);
    expect(summary !== undefined).toBe(place < 5);
  });
  expect(rules).toContain('Cite the links');
});

describe('with the embedded model', () => {
  const own = temporaryFolder();
  let other: Running;
  beforeAll(async () => {
    other = magpie;
    magpie = await startMagpie(environment(own.path, web));
  });
  afterAll(async () => {
    await magpie.stop();
    magpie = other;
    own.remove();
  });

  test('the nearest texts are returned by meaning and by words [path.query] [knowledge.score]', async () => {
    await keep('Steps to recover account access are on page nine.');
    await keep('Magpies build domed nests.');
    await expect.poll(async () => (await metadata()).pending, { timeout: 60_000 }).toBe(0);
    expect((await metadata()).model).toBe('all-minilm-l6-v2-int8');
    for (const name of ['query', 'pdfsearch', 'queryUsersKnowledgeBase']) {
      const { matches } = await body(get(path(name, { q: 'how do I get back into my login' })));
      expect(matches[0]?.metadata.text).toContain('recover account access');
      expect(matches.map(({ score }) => score)).toEqual(
        matches.map(({ score }) => score).sort((a, b) => b - a),
      );
      for (const { score, values, sparseValues } of matches) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect([values, sparseValues]).toEqual([[], {}]);
      }
      const byWords = await body(get(path(name, { q: 'domed nests' })));
      expect(byWords.matches[0]?.metadata.text).toBe('Magpies build domed nests.');
    }
    expect((await ask('domed nests', { includeValues: 'true', topK: '1' }))[0]?.values).toHaveLength(384);
  });

  test('hybrid with an empty web result returns stored texts, and does not report an empty result [hybrid.fused]', async () => {
    const hybrid = (q: string) => body(get(path('hybrid', { q, percentile: '3', numofpages: '3' })));
    expect((await hybrid('nothing: herons')).rules).toMatch(/^Nothing was found/);
    const { id } = await keep('Herons stand in the shallow river and wait for fish.');
    await expect.poll(async () => (await metadata()).pending, { timeout: 60_000 }).toBe(0);
    const near = await hybrid('nothing: herons, shallow');
    expect(near.results.map(({ link }) => link)).toEqual([`kb://entries/${id}`]);
    expect(near.rules).toMatch(/^The web has nothing on this\. Save the previous/);
    const far = await hybrid('nothing: piano tuning');
    expect(far.results.map(({ link }) => link)).toEqual([`kb://entries/${id}`]);
    const note = expect.stringMatching(/^No close match: .* No searched text says .*"piano tuning"\.$/);
    expect(far).toMatchObject({ results: [{ weak: true }], note });
    expect(far.rules).toContain('Of the knowledge base: No close match');
    expect(near).not.toHaveProperty('note');
    // Beside pages of the web, what is far off has no place.
    const beside = await body(get(path('hybrid', { q: 'piano tuning', percentile: '3', numofpages: '9' })));
    expect(beside.results.length).toBeGreaterThan(3);
    expect(beside.results.filter(({ link }) => link.startsWith('kb:'))).toEqual([]);
    expect(beside).toMatchObject({ note });
  });

  test('a weak match is marked as weak, and a close match is not [knowledge.score]', async () => {
    await keep('Herons stand in the shallow river and wait for fish.');
    await expect.poll(async () => (await metadata()).pending, { timeout: 60_000 }).toBe(0);
    const env = environment(own.path, web);
    const far = await runMagpie(['query', 'piano tuning'], env);
    expect(far.stdout).toMatch(
      /^No close match: the nearest texts.* No searched text says "piano tuning"\.\n\n## 1\.\ncloseness 0\.\d\d \(weak\)/,
    );
    const saidOf = (q: string) => body(get(path('query', { q })));
    expect(await saidOf('piano tuning')).toMatchObject({ note: expect.stringMatching(/^No close match/) });
    expect(await saidOf('which birds fish in a stream')).not.toHaveProperty('note');
    const near = await runMagpie(['query', 'which birds fish in a stream'], env);
    expect(near.stdout).toMatch(/^## 1\.\ncloseness 0\.\d\d · /);
  });

  test('times are understood in words, also in a question about the time of a note [knowledge.times]', async () => {
    await keep('Apples are red.');
    expect(await texts('apples', { since: 'yesterday' })).toEqual(['Apples are red.']);
    expect(await texts('apples', { since: 'seit gestern', until: 'today' })).toEqual([]);
    expect(await texts('apples', { until: 'last week' })).toEqual([]);
    expect((await list({ since: 'this week' })).entries).toHaveLength(1);
    const asked = (q: string) =>
      body(get(path('query', { q }))) as Promise<Body & { period?: { found: boolean } }>;
    const today = await asked('What did I note today about apples?');
    expect(today).toMatchObject({
      period: { found: true },
      matches: [{ metadata: { text: 'Apples are red.' } }],
    });
    // A question about a time alone asks for all of its entries, whatever they are about.
    await keep('The moon is far away.');
    const all = await asked('What did I write down today?');
    expect(all.matches.map(({ metadata: { text } }) => text)).toEqual([
      'The moon is far away.',
      'Apples are red.',
    ]);
    const lastYear = await asked('What did I note last year about apples?');
    expect(lastYear.period?.found).toBe(false);
    expect(lastYear.matches).toHaveLength(2);
    expect(await asked('What did I note about apples yesterday?')).not.toHaveProperty('period');
    expect((await body(get(path('query', { q: 'apples', since: 'noen uker' })), 400)).error).toContain(
      'last week, letzte Woche (words in fourteen languages)',
    );
    expect(await texts('apples', { since: 'la semaine dernière' })).toContain('Apples are red.');
  });

  test('a changed value is named, comes first, and the older text is marked and kept [knowledge.conflicts]', async () => {
    const old = await keep('The rent of the flat is 820 euros.');
    expect(old).not.toHaveProperty('conflicts');
    const young = await keep('From May the rent of the flat is 865 euros.');
    const conflict = { id: old.id, text: 'The rent of the flat is 820 euros.', differs: '820 → 865' };
    expect(young).toMatchObject({ conflicts: [conflict] });
    expect(young.status.status).not.toContain('Nearly the same');
    expect(young.status.status).toContain(
      `It says something else than ${old.id} ("${conflict.text}": 820 → 865).`,
    );
    const marks = { first: { replaces: [old.id] }, second: { supersededBy: young.id } };
    expect(await ask('rent of the flat 820')).toMatchObject([
      { id: young.id, ...marks.first },
      { id: old.id, ...marks.second },
    ]);
    const hybrid = { q: 'nothing: rent of the flat 820', percentile: '3', numofpages: '5' };
    const { results } = await body(get(path('hybrid', hybrid)));
    expect(results.filter(({ link }) => link.startsWith('kb:'))).toMatchObject([marks.first, marks.second]);
    const { stdout } = await runMagpie(['query', 'rent of the flat 820'], environment(own.path, web));
    expect(stdout).toMatch(
      new RegExp(`newer than ${old.id}, which says something else.*superseded by ${young.id}`, 's'),
    );
  });

  test('hybrid filters stored texts by collection, time and speaker [hybrid.fused]', async () => {
    const { id } = await keep('Anna: Herons stand in the shallow river.', { collection: 'birds' });
    await keep('Herons stand in the river, and wait.');
    await expect.poll(async () => (await metadata()).pending, { timeout: 60_000 }).toBe(0);
    const links = async (more: Record<string, string>) => {
      const asked = { q: 'nothing: herons, shallow', percentile: '3', numofpages: '5', ...more };
      return (await body(get(path('hybrid', asked)))).results.map(({ link }) => link);
    };
    expect(await links({})).toHaveLength(2);
    expect(await links({ collection: 'birds' })).toEqual([`kb://entries/${id}`]);
    expect(await links({ speaker: 'Anna' })).toEqual([`kb://entries/${id}`]);
    expect(await links({ since: 'today' })).toHaveLength(2);
    expect(await links({ until: 'last year' })).toEqual([]);
  });
});
