import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import type { KnowledgeEntry, NewEntry } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { createServices, type Services } from '../../../src/wiring/services.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, temporaryFolder } from '../../helpers/magpie.ts';

/** What an export becomes that is edited and then read again, by an import or a sync. */

const { signal } = new AbortController();
const folder = temporaryFolder();
let services: Services;
beforeAll(async () => {
  const env = { ...environment(join(folder.path, 'data')), ...(await withoutModel()) };
  services = createServices(loadConfig({}, env), createLog('error'));
});
afterAll(async () => {
  await services.lifecycle.close();
  folder.remove();
});

const NOTES: readonly NewEntry[] = [
  {
    text: 'The heron nests at the mill.',
    title: 'Heron',
    source: 'https://m.example/',
    tags: ['bird', 'two words'],
  },
  { text: 'The key lies below the pot.', title: 'Key', key: 'house: key', collection: 'my house' },
  { text: 'Neither title nor tags.' },
];
const [HERON = '', KEY = '', BARE = ''] = [
  'default/Heron.md',
  'my house/Key.md',
  'default/Neither title nor tags.md',
];

/** Puts entries into the base of an owner, and exports them. */
async function exportedOf(owner: string) {
  const knowledge = await services.knowledge();
  for (const entry of NOTES) await knowledge.insertEntry(owner, entry, signal);
  const root = join(folder.path, `out-${owner}`);
  const { exportFolder, importSource, syncFolder } = await services.intake();
  const { readBytes: read } = await services.browse();
  const options = { read, signal, progress() {} };
  await exportFolder(owner, root, { signal, progress() {} });
  const all = async (of = owner) => {
    const entries: KnowledgeEntry[] = [];
    for await (const entry of knowledge.exportEntries(of)) entries.push(entry);
    return entries;
  };
  return {
    ...{ knowledge, root, all },
    texts: async (of = owner) => (await all(of)).map(({ text }) => text),
    replaced: async () => (await knowledge.listTrash(owner, 10)).batches.map(({ text }) => text),
    edit(name: string, change: (text: string) => string) {
      writeFileSync(join(root, name), change(readFileSync(join(root, name), 'utf8')));
    },
    read: (from = root, more: { collection?: string; owner?: string } = {}) =>
      importSource(more.owner ?? owner, { path: from }, { ...options, collection: more.collection }),
    sync: (of = owner, from = root) => syncFolder(of, from, options),
    export: (more: { collection?: string } = {}) =>
      exportFolder(owner, root, { signal, progress() {}, ...more }),
  };
}

/** Front matter as an editor of properties writes it: in another order, lists below each other, without quotes. */
function rewritten(text: string): string {
  const [, front = '', rest = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const lines = front.split('\n').flatMap((line) => {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    const given = JSON.parse(/^["[]/.test(value) ? value : JSON.stringify(value)) as string | string[];
    return Array.isArray(given)
      ? [`${name}:\n${given.map((one) => `  - ${one}`).join('\n')}`]
      : [`${name}: ${/: |^\d/.test(given) && !/^\d{4}-/.test(given) ? `'${given}'` : given}`];
  });
  return `---\n${lines.reverse().join('\n')}\n---\n${rest}`;
}

const EDITED: readonly (readonly [string, string, string, string])[] = [
  [HERON, 'heron', 'at the mill', 'on the island'],
  [KEY, 'key', 'below the pot', 'at the neighbour'],
  [BARE, 'title', 'Neither title nor tags.', 'Wholly other words'],
];

test.each(['import', 'sync'] as const)(
  'by %s, an edited file changes its entry, again and again, and the text before is kept',
  async (how) => {
    for (const form of ['plain', 'rewritten']) {
      const base = await exportedOf(`${how}-${form}`);
      const before = await base.all();
      for (const [name, , from, to] of EDITED)
        base.edit(name, (text) => (form === 'plain' ? text : rewritten(text)).replace(from, to));
      await base[how === 'import' ? 'read' : 'sync']();
      const after = await base.all();
      const facts = ({ updatedAt: _, ...entry }: KnowledgeEntry) => entry;
      expect(after.map(facts)).toEqual(
        before.map((one, at) => ({
          ...facts(one),
          text: one.text.replace(EDITED[at]?.[2] ?? '', EDITED[at]?.[3] ?? ''),
        })),
      );
      expect((await base.replaced()).sort()).toEqual(before.map(({ text }) => text).sort());
      base.edit(HERON, (text) => text.replace('on the island', 'in the reeds'));
      await base[how === 'import' ? 'read' : 'sync']();
      expect(await base.texts()).toEqual([
        'The heron nests in the reeds.',
        ...after.slice(1).map(({ text }) => text),
      ]);
      expect(await base.read()).toMatchObject({ imported: 0, known: 3, failed: 0 });
    }
  },
);

test('an edit of title, tags or key alone is read', async () => {
  const base = await exportedOf('facts');
  base.edit(HERON, (text) => text.replace('title: "Heron"', 'title: "Grey heron"').replace('"bird", ', ''));
  base.edit(KEY, (text) => text.replace('key: "house: key"', 'key: "spare key"'));
  expect(await base.read()).toMatchObject({ failed: 0 });
  expect(await base.all()).toMatchObject([
    { title: 'Grey heron', tags: ['two words'], source: 'https://m.example/' },
    { key: 'spare key', collection: 'my house', text: NOTES[1]?.text },
    { text: NOTES[2]?.text },
  ]);
});

test.each(['import', 'sync'] as const)('by %s, a newer text of the base stays', async (how) => {
  const base = await exportedOf(`newer-${how}`);
  const [heron, key, bare] = (await base.all()).map(({ id }) => id);
  const long = new Date(Date.now() - 60_000);
  base.edit(KEY, (text) => text.replace('below the pot', 'edited long ago'));
  utimesSync(join(base.root, KEY), long, long);
  for (const [at, id] of [heron, key, bare].entries())
    await base.knowledge.updateEntry(
      base.root.split('out-')[1] ?? '',
      id ?? '',
      { text: `newer ${at}` },
      signal,
    );
  // A copy of an unedited file has a later time, and its text is still the earlier one.
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(base.root, HERON), later, later);
  await base[how === 'import' ? 'read' : 'sync']();
  expect(await base.texts()).toEqual(['newer 0', 'newer 1', 'newer 2']);
  base.edit(BARE, (text) => text.replace('Neither title nor tags', 'Edited since'));
  utimesSync(join(base.root, BARE), later, later);
  await base[how === 'import' ? 'read' : 'sync']();
  expect(await base.texts()).toEqual(['newer 0', 'newer 1', 'Edited since.']);
});

const later = (ms: number) => new Date(Date.now() + ms);

test.each(['import', 'sync'] as const)('by %s, an end is read, changed and removed', async (how) => {
  const base = await exportedOf(`end-${how}`);
  const owner = `end-${how}`;
  const [end, to] = [Date.UTC(2090, 4, 5) * 1000 + 1, Date.UTC(2091, 0, 1) * 1000];
  const { id } = await base.knowledge.insertEntry(
    owner,
    { text: 'A ticket.', title: 'Ticket', validUntil: end },
    signal,
  );
  await base.export();
  const run = () => base[how === 'import' ? 'read' : 'sync']();
  const read = () => base.knowledge.findEntry(owner, id);
  await run();
  expect(await read()).toMatchObject({ text: 'A ticket.', validUntil: end });
  base.edit('default/Ticket.md', (text) => text.replace(/until: .*/, 'until: 2091-01-01'));
  await run();
  expect(await read()).toMatchObject({ text: 'A ticket.', validUntil: to });
  base.edit('default/Ticket.md', (text) => text.replace(/until: .*\n/, ''));
  await run();
  expect(await read()).toMatchObject({ text: 'A ticket.' });
  expect(await read()).not.toHaveProperty('validUntil');
  expect(await base.read()).toMatchObject({ imported: 0, known: 4, failed: 0 });
});

test('a sync of files of another base keeps the ends of their entries', async () => {
  const base = await exportedOf('ends');
  await base.knowledge.insertEntry('ends', { text: 'A ticket.', title: 'Ticket', validUntil: 2e15 }, signal);
  await base.export();
  await base.sync('ends-other');
  const ends = async () => (await base.all('ends-other')).map(({ validUntil }) => validUntil).filter(Boolean);
  expect(await ends()).toEqual([2e15]);
  base.edit('default/Ticket.md', (text) => text.replace(/until: .*\n/, ''));
  await base.sync('ends-other');
  expect(await ends()).toEqual([]);
});

test('an unedited copy of an export, also without its log, never replaces a newer text', async () => {
  const base = await exportedOf('copied');
  const copy = `${base.root}-copy`;
  for (const name of ['default', 'my house'])
    cpSync(join(base.root, name), join(copy, name), { recursive: true });
  const entries = await base.all();
  for (const { id, title } of entries)
    await base.knowledge.updateEntry('copied', id, { text: `newer ${title}` }, signal);
  for (const root of [base.root, copy])
    for (const name of [HERON, KEY, BARE]) utimesSync(join(root, name), later(60_000), later(60_000));
  const sources = [copy, join(copy, HERON), base.root, join(base.root, 'default'), join(base.root, KEY)];
  for (const from of sources) expect(await base.read(from)).toMatchObject({ imported: 0, failed: 0 });
  await base.sync(undefined, copy);
  expect(await base.texts()).toEqual(entries.map(({ title }) => `newer ${title}`));
  // One file of an export, which has its log, still counts as edited.
  base.edit(HERON, (text) => text.replace('at the mill', 'on the island'));
  utimesSync(join(base.root, HERON), later(60_000), later(60_000));
  expect(await base.read(join(base.root, HERON))).toMatchObject({ imported: 1 });
  expect(await base.texts()).toContain('The heron nests on the island.');
});

test('a synced file that is set back to an earlier export does not replace a newer text', async () => {
  const base = await exportedOf('back');
  const [heron] = await base.all();
  const old = readFileSync(join(base.root, HERON), 'utf8');
  await base.sync();
  const put = (text: string) => base.knowledge.updateEntry('back', heron?.id ?? '', { text }, signal);
  await put('Text 1.');
  await base.export();
  await base.sync();
  await put('Text 2.');
  base.edit(HERON, () => old);
  utimesSync(join(base.root, HERON), later(-3_600_000), later(-3_600_000));
  expect(await base.sync()).toMatchObject({ changed: 1, failed: 0 });
  expect((await base.texts())[0]).toBe('Text 2.');
});

test('entries whose files an export moves or removes stay, in a sync of the folder', async () => {
  const base = await exportedOf('moved');
  await base.sync();
  const [heron, key, bare] = await base.all();
  const move = (id: string | undefined, collection: string) =>
    base.knowledge.updateEntry('moved', id ?? '', { collection }, signal);
  await move(key?.id, 'archive');
  await base.export({ collection: 'my house' });
  expect(await base.sync()).toMatchObject({ added: 0, removed: 0, trash: undefined });
  await move(heron?.id, 'archive');
  await base.export();
  expect(await base.sync()).toMatchObject({ removed: 0, failed: 0, trash: undefined });
  expect(await base.all()).toMatchObject([
    { id: heron?.id, collection: 'archive', key: '' },
    { id: key?.id, collection: 'archive', key: 'house: key' },
    { id: bare?.id },
  ]);
  // The files still belong to the entries.
  base.edit('archive/Key.md', (text) => text.replace('below the pot', 'in the shed'));
  expect(await base.sync()).toMatchObject({ changed: 1 });
  expect(await base.knowledge.findEntry('moved', key?.id ?? '')).toMatchObject({
    text: 'The key lies in the shed.',
  });
});

test('a file that becomes the export of another entry is not written into the entry before', async () => {
  const base = await exportedOf('reused');
  const put = (text: string, title: string) =>
    base.knowledge.insertEntry('reused', { text, title, key: text.toLowerCase() }, signal);
  const [a, b] = [await put('One.', 'Note'), await put('Two.', 'Note')];
  await base.export();
  await base.sync();
  await base.knowledge.updateEntry('reused', a.id, { title: 'Alpha' }, signal);
  await base.knowledge.updateEntry('reused', b.id, { text: 'Two, changed.' }, signal);
  await base.export();
  const before = await base.all();
  expect(await base.sync()).toMatchObject({ removed: 0, failed: 0, trash: undefined });
  expect(await base.all()).toEqual(before);
  // Two files that swap what they are the exports of, and change.
  const [one, two] = ['default/Alpha.md', 'default/Note.md'];
  const texts = [one, two].map((name) => readFileSync(join(base.root, name), 'utf8'));
  base.edit(one, () => (texts[1] ?? '').replace('Two, changed', 'Two again'));
  base.edit(two, () => (texts[0] ?? '').replace('One', 'One again'));
  for (const name of [one, two]) utimesSync(join(base.root, name), later(60_000), later(60_000));
  expect(await base.sync()).toMatchObject({ changed: 2, added: 0, failed: 0, trash: undefined });
  expect(await base.all()).toMatchObject(
    before.map(({ id, text, title }) => ({
      ...{ id, title },
      text: text.replace('One', 'One again').replace('Two, changed', 'Two again'),
    })),
  );
});

test('a time in the future does not come from a file', async () => {
  const base = await exportedOf('future');
  const [heron] = await base.all();
  base.edit(HERON, (text) => text.replace(/updated: .*/, 'updated: 2250-01-01T00:00:00.000000Z'));
  await base.read();
  const file = join(folder.path, 'future.jsonl');
  writeFileSync(file, `${JSON.stringify({ ...heron, text: 'later', updatedAt: 8_835_955_200_000_000 })}\n`);
  expect(await base.read(file)).toMatchObject({ imported: 0, failed: 1 });
  for (const { updatedAt } of await base.all())
    expect(updatedAt).toBeLessThan(later(90_000_000).getTime() * 1000);
});

test('what a restore leaves in the trash gives its end to the entry of the same text', async () => {
  const base = await exportedOf('merged');
  const twin = { text: 'A ticket.' };
  const { id } = await base.knowledge.insertEntry('merged', { ...twin, validUntil: 2e15 }, signal);
  await base.knowledge.removeEntries('merged', [id]);
  await base.knowledge.insertEntry('merged', twin, signal);
  await base.knowledge.restoreEntries('merged', 'latest');
  expect((await base.all()).at(-1)).toMatchObject({ ...twin, validUntil: 2e15 });
});

test('JSON lines: the later text of an id is kept, and that of the same time counts as changed', async () => {
  const { knowledge, all, read, texts } = await exportedOf('lines');
  const [first] = await all();
  const file = join(folder.path, 'lines.jsonl');
  const put = async (change: Partial<KnowledgeEntry>) => {
    writeFileSync(file, `${JSON.stringify({ ...first, ...change })}\n`);
    return read(file);
  };
  const { id = '', updatedAt = 0 } = first ?? {};
  expect(await put({ text: 'same time' })).toMatchObject({ imported: 1, known: 0 });
  expect(await put({ text: 'later', updatedAt: updatedAt + 9 })).toMatchObject({ imported: 1 });
  expect(await put({ text: 'earlier', updatedAt: updatedAt + 1 })).toMatchObject({ imported: 0, known: 1 });
  expect(await put({ text: 'earlier', updatedAt })).toMatchObject({ imported: 0, known: 1 });
  expect(await knowledge.findEntry('lines', id)).toMatchObject({
    text: 'later',
    updatedAt: updatedAt + 9,
    tags: first?.tags,
  });
  // What a line does not have stays.
  writeFileSync(
    file,
    `${JSON.stringify({ id, text: 'bare line', createdAt: first?.createdAt, updatedAt: updatedAt + 20 })}\n`,
  );
  await read(file);
  expect(await knowledge.findEntry('lines', id)).toMatchObject({
    text: 'bare line',
    tags: first?.tags,
    title: 'Heron',
  });
  expect(await texts()).toHaveLength(3);
});

test('another user, a copy of a file, and another collection get entries of their own', async () => {
  const base = await exportedOf('one');
  await base.read(base.root, { owner: 'other' });
  const [mine, theirs] = [await base.all(), await base.all('other')];
  base.edit(HERON, (text) => text.replace('at the mill', 'on the island'));
  await base.read(base.root, { owner: 'other' });
  expect(await base.texts()).toEqual(mine.map(({ text }) => text));
  expect(await base.texts('other')).toEqual(expect.arrayContaining(theirs.map(({ text }) => text)));

  await base.read(base.root, { collection: 'copies' });
  expect((await base.all()).filter(({ collection }) => collection === 'copies')).toHaveLength(3);
  expect(await base.all()).toEqual(expect.arrayContaining(mine));

  copyFileSync(join(base.root, KEY), join(base.root, 'my house/A copy.md'));
  base.edit('my house/A copy.md', (text) => text.replace('below the pot', 'in the shed'));
  await base.read();
  expect(await base.texts()).toEqual(
    expect.arrayContaining([
      'The key lies below the pot.',
      'The key lies in the shed.',
      'The heron nests on the island.',
    ]),
  );
});

test('an edit that gives an entry the text or the key of another is a failure with its reason', async () => {
  const base = await exportedOf('twins');
  base.edit(HERON, (text) => text.replace('The heron nests at the mill.', 'Neither title nor tags.'));
  const why = (what: string) => [{ why: expect.stringContaining(what) }];
  expect(await base.read()).toMatchObject({ known: 2, failures: why('has this text already') });
  await base.knowledge.insertEntry('twins', { text: 'Holder', key: 'taken', collection: 'my house' }, signal);
  base.edit(KEY, (text) => text.replace('house: key', 'taken').replace('below the pot', 'in the shed'));
  expect(await base.read()).toMatchObject({ failed: 2 });
  expect(await base.texts()).toEqual([...NOTES.map(({ text }) => text), 'Holder']);
});

test('a synced export keeps ids, keys and collections, follows renamed files, and gives copies their own entries', async () => {
  const base = await exportedOf('synced');
  const before = await base.all();
  expect(await base.sync()).toMatchObject({ added: 3, failed: 0 });
  expect(await base.all()).toEqual(before);
  const at = (name: string) => join(base.root, name);
  renameSync(at(HERON), at('default/x.md'));
  renameSync(at(KEY), at(HERON));
  renameSync(at('default/x.md'), at(KEY));
  expect(await base.sync()).toMatchObject({ moved: 2, failed: 0 });
  const facts = ({ id, text, key, collection }: KnowledgeEntry) => ({ id, text, key, collection });
  expect((await base.all()).map(facts)).toEqual(before.map(facts));

  copyFileSync(at(BARE), at('default/A copy.md'));
  base.edit('default/A copy.md', (text) => text.replace('Neither', 'No'));
  expect(await base.sync()).toMatchObject({ added: 1, failed: 0 });
  expect(await base.texts()).toEqual(
    expect.arrayContaining(['Neither title nor tags.', 'No title nor tags.']),
  );
  rmSync(at('default/A copy.md'));
  expect(await base.sync()).toMatchObject({ removed: 1 });
  expect((await base.all()).map(facts)).toEqual(before.map(facts));
});

test('an export that is synced into an empty base makes entries of the folder, which follow their files', async () => {
  const base = await exportedOf('empty');
  cpSync(base.root, `${base.root}-copy`, { recursive: true });
  await base.knowledge.removeAllEntries('empty', { permanent: true });
  expect(await base.sync()).toMatchObject({ added: 3, failed: 0 });
  base.edit(HERON, (text) => text.replace('at the mill', 'on the island'));
  expect(await base.sync()).toMatchObject({ changed: 1, failed: 0 });
  const [heron] = await base.all();
  expect(heron).toMatchObject({ text: 'The heron nests on the island.', key: join(base.root, HERON) });
  expect(await base.texts()).toHaveLength(3);
});
