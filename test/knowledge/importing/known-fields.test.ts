import { expect, test } from 'vitest';
import { readNote } from '../../../src/knowledge/importing/note.ts';
import { jsonl } from '../../../src/knowledge/imports/jsonl.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf } from '../../contracts/import-kind.ts';

/** The names under which programs write times, titles and tags are the same in every format. */

const AT = Date.UTC(2026, 0, 9, 6, 40) * 1000;
const WRITTEN = ['2026-01-09T06:40:00Z', '1767940800', '1767940800000', '9 January 2026 06:40'];
const MADE = ['created', 'created_at', 'createdAt', 'Date Added', 'timestamp', 'date', 'dateCreated', 'time'];
const CHANGED = ['updated', 'updated_at', 'lastmod', 'modified', 'Last edited time'];

async function entryOf(kindName: string, file: string, content: string) {
  const items = await itemsOf(IMPORT_KINDS.find(({ name }) => name === kindName) ?? jsonl, {
    [file]: content,
  });
  return items.flatMap((item) => ('entry' in item ? [item.entry] : []))[0];
}

/** By format: an entry with a field. */
const FORMATS: Readonly<Record<string, (name: string, value: string) => ReturnType<typeof entryOf>>> = {
  'JSON lines with text': (name, value) =>
    entryOf('jsonl', 'a.jsonl', JSON.stringify({ text: 'Heron', [name]: value })),
  'JSON lines with content': (name, value) =>
    entryOf('jsonl', 'a.jsonl', JSON.stringify({ content: 'Heron', metadata: { [name]: value } })),
  'JSON of memories': (name, value) =>
    entryOf('mem0', 'a.json', JSON.stringify([{ memory: 'Heron', [name]: value }])),
  CSV: (name, value) => entryOf('csv', 'a.csv', `what,${name}\nHeron,${value}\n`),
  'YAML front matter': async (name, value) => readNote(`---\n${name}: ${value}\n---\nHeron`, 'a.md'),
  'TOML front matter': async (name, value) =>
    readNote(`+++\n${/ /.test(name) ? `"${name}"` : name} = "${value}"\n+++\nHeron`, 'a.md'),
  'JSON front matter': async (name, value) => readNote(`{\n"${name}": "${value}"\n}\n\nHeron`, 'a.md'),
};

test.each(Object.keys(FORMATS))('%s: every usual name and form of a time is a time', async (format) => {
  for (const name of MADE)
    for (const value of WRITTEN) {
      const entry = await FORMATS[format]?.(name, value);
      expect({ name, value, at: entry?.createdAt }).toEqual({ name, value, at: AT });
    }
  for (const name of CHANGED) expect((await FORMATS[format]?.(name, WRITTEN[0] ?? ''))?.updatedAt).toBe(AT);
});

test.each(Object.keys(FORMATS))('%s: what may be no time or two times stays text', async (format) => {
  for (const value of ['3/4/2026', '10:15', '45321', 'soon', '3600']) {
    const entry = await FORMATS[format]?.('date', value);
    expect({ value, at: entry?.createdAt }).toEqual({ value, at: undefined });
    expect(entry?.text).toContain(value);
  }
  const [due, note] = [await FORMATS[format]?.('due', WRITTEN[0] ?? ''), await FORMATS[format]?.('x', '1')];
  expect([due?.createdAt, note?.createdAt]).toEqual([undefined, undefined]);
});

test.each(Object.keys(FORMATS))('%s: labels and categories are tags', async (format) => {
  for (const name of ['tags', 'labels', 'Categories', 'keywords'])
    expect((await FORMATS[format]?.(name, 'rope'))?.tags).toEqual(['rope']);
});

test('the surest name of a time is taken, and a name whose value is none is passed over', async () => {
  const line = { text: 'a', date: '2026-02-02', timestamp: 'at noon', created: '2026-01-09T06:40:00Z' };
  expect(await entryOf('jsonl', 'a.jsonl', JSON.stringify(line))).toMatchObject({
    createdAt: AT,
    text: expect.stringMatching(/date: 2026-02-02[\s\S]*timestamp: at noon/),
  });
  const late = { text: 'a', created: 'soon', date: '2026-01-09T06:40:00Z' };
  expect(await entryOf('jsonl', 'a.jsonl', JSON.stringify(late))).toMatchObject({ createdAt: AT });
});

// microsoft/graphrag#2424
test('a line of text with a foreign id and time is of another program, and keeps both', async () => {
  const line =
    '{"id":"m-7","text":"Heron seen","created_at":"2026-01-09T06:40:00Z","collection":"birds","key":"k"}';
  expect(await entryOf('jsonl', 'a.jsonl', line)).toEqual({
    text: 'Heron seen\n\nid: m-7',
    title: '',
    source: '',
    tags: [],
    createdAt: AT,
    updatedAt: undefined,
    collection: 'birds',
    key: 'k',
  });
});
