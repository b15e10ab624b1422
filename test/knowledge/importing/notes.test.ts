import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutEmbeddedData } from '../../../src/knowledge/importing/notes/embedded-data.ts';
import {
  NOTE_FILE,
  PAGE_FILE,
  readNoteFile,
  readTextNote,
} from '../../../src/knowledge/importing/notes/note-file.ts';
import { obsidian as vault } from '../../../src/knowledge/imports/obsidian.ts';
import { itemsOf } from '../../contracts/import-kind.ts';

const BYTES = 'the bytes of a picture or another file in a text';
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 300 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
const data = fc.tuple(fc.constantFrom('image/png', 'image/svg+xml', 'image/jpeg;name="a.jpg"'), base64);
const word = fc.stringMatching(/^[a-zäé]{1,9}$/).map((text) => `w${text}`);

test('the bytes of pictures are left out and counted, and their words stay', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(data, word, fc.nat({ max: 6 })), { minLength: 1, maxLength: 5 }),
      (pictures) => {
        const ends: string[] = [];
        const parts = pictures.map(([[type, bytes], alt, form], at) => {
          const url = `data:${type};base64,${bytes}`;
          if (form < 2) return `![${alt}](${form === 0 ? url : `<${url}>`})`;
          if (form === 2) return `![${alt}](${url} "${alt} title")`;
          if (form === 3) return `<img src="${url}" alt="${alt}" width="3">`;
          if (form === 4) return `<img alt='${alt}'\nsrc='${url}'>`;
          ends.push(`[image${at}]: <${url}>`);
          return form === 5 ? `![${alt}][image${at}]` : `${alt} ![][Image${at}]`;
        });
        const text = `Before\n\n${parts.join(' between ')}\n\nAfter [a link][image]\n\n${ends.join('\n\n')}`;
        const { text: words, leftOut } = withoutEmbeddedData(text);
        expect(leftOut).toEqual({ [BYTES]: pictures.length });
        for (const [[, bytes], alt] of pictures) {
          expect(words).toContain(alt);
          if (bytes.length > 12) expect(words).not.toContain(bytes);
        }
        expect(words).toMatch(/^Before[\s\S]*After \[a link\]\[image\]$/);
        expect(words).not.toMatch(/data:|<img|!\[|\0/);
      },
    ),
  );
});

test.each([
  'A [file](data:text/plain,hello) and `data:image/png;base64,` in words',
  '![alt](pictures/a.png) ![alt][ref]\n\n[ref]: <pictures/b.png> "Title"',
  '## Drawing\n```json\n{}\n```',
])('a text without bytes stays as it is: %j', (text) => {
  expect(withoutEmbeddedData(text)).toEqual({ text, leftOut: {} });
});

test('the bytes behind a link are left out, and the link stays', () => {
  const { text, leftOut } = withoutEmbeddedData('See [plan](data:application/pdf;base64,JVBERi0xLjc=).');
  expect([text, leftOut]).toEqual(['See [plan](data:application/pdf;base64,).', { [BYTES]: 1 }]);
});

const drawing = (data: string) =>
  `---\nexcalidraw-plugin: parsed\n---\n# Excalidraw Data\n\n## Text Elements\nCrane 2 ^aB3\n\n%%\n## Drawing\n${data}\n%%`;

test.each([
  ['compressed', '```compressed-json\nN4KAkARALgngDgUw\n\nAYPguMwAFMw1GAuZ\n```'],
  ['plain', '```json\n{"elements":[{"text":"Crane `2`"}],"appState":{"x":77}}\n```'],
])('Excalidraw: the words of a %s drawing stay, and its data is counted', async (_, data) => {
  const read = async () => {
    throw new Error('is not read as a page');
  };
  const note = await readNoteFile('Plan.excalidraw.md', Buffer.from(drawing(data)), {
    read,
    signal: new AbortController().signal,
  });
  expect(note).toMatchObject({ leftOut: { 'the data of a drawing': 1 } });
  expect(note.text).toContain('Crane 2');
  expect(note.text).toMatch(/## Drawing\n\n%%$/);
});

test('pictures whose bytes are in a page are counted', async () => {
  const html =
    '<p><img src="data:image/png;base64,iVBORw0" alt="Plan"><img src=a.png><img src=data:image/gif;base64,R0></p>';
  const read = async () => ({ title: '', markdown: 'Plan', reduced: undefined });
  const note = await readNoteFile('a.html', Buffer.from(html), {
    read,
    signal: new AbortController().signal,
  });
  expect(note).toMatchObject({ text: 'Plan', leftOut: { [BYTES]: 2 } });
  const [item] = await itemsOf(vault, { 'a.html': html });
  expect(item).toMatchObject({ skipped: BYTES, count: 2 });
});

test('a file of Excalidraw has its texts and links', () => {
  const elements = [
    { type: 'text', text: 'Crane 2\nnorth', id: 'a' },
    { type: 'rectangle', link: 'https://port.example/' },
  ];
  expect(readTextNote(JSON.stringify({ elements }), 'plan.excalidraw').text).toBe(
    'Crane 2\nnorth\n\nhttps://port.example/',
  );
  expect(readTextNote('not JSON', 'plan.excalidraw').text).toBe('not JSON');
});

test('Org: the title behind a drawer, tags, links, headings and code', () => {
  const raw = [
    ':PROPERTIES:',
    ':ID:       b4fef5a4',
    ':END:',
    '#+TITLE: The hut',
    '#+filetags: :trip:winter:',
    '#+date: <2024-03-04 Mon>',
    '',
    '* TODO Order wood :home:',
    'DEADLINE: <2026-12-10 Thu>',
    'Call [[https://wood.example/a][the *dealer*]] or [[file:list.org]].',
    '** DONE Wax the skis',
    '#+begin_src sh :results output',
    'echo "*"',
    '#+end_src',
  ].join('\r\n');
  const note = readTextNote(`\uFEFF${raw}`, '20260304-hut.org');
  expect(note).toMatchObject({
    title: 'The hut',
    tags: ['trip', 'winter'],
    createdAt: Date.UTC(2024, 2, 4) * 1000,
  });
  expect(note.text.split('\r\n').slice(7)).toEqual([
    '# TODO Order wood :home:',
    'DEADLINE: <2026-12-10 Thu>',
    'Call [the *dealer*](https://wood.example/a) or [[file:list.org]].',
    '## DONE Wax the skis',
    '```sh :results output',
    'echo "*"',
    '```',
  ]);
  expect(readTextNote('* One', 'day/2024-03-05 Plan.org')).toMatchObject({
    title: '2024-03-05 Plan',
    text: '# One',
  });
});

test('Org: every word of a file stays', () => {
  const line = fc.constantFrom(
    '* TODO quay',
    '#+title: Möwe',
    '#+filetags: :a:b:',
    '[[https://x.example][лодка]]',
    '** 小舟',
    '#+begin_src c',
    '#+end_src',
    ':ID: 01234',
    '- [ ] 1.10',
    '| a | b |',
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), (lines) => {
      const { text } = readTextNote(lines.join('\n'), 'a.org');
      for (const word of lines.join(' ').match(/[\p{L}\p{N}.]{2,}/gu) ?? [])
        if (!/^(?:begin|end|src)$/.test(word)) expect(text).toContain(word);
    }),
  );
});

test('sync and import know each file by its name once', () => {
  const names = ['a.md', 'a.org', 'a.txt', 'a.canvas', 'a.excalidraw', 'a.MDX'];
  const pages = [
    'a.pdf',
    'a.vcf',
    'a.ics',
    'a.opml',
    'a.docx',
    'a.xlsm',
    'a.eml',
    'mail/cur/1772613000.M1',
    'winmail.dat',
  ];
  for (const name of names) expect([NOTE_FILE.test(name), PAGE_FILE.test(name)]).toEqual([true, false]);
  for (const name of pages) expect([NOTE_FILE.test(name), PAGE_FILE.test(name)]).toEqual([false, true]);
  for (const name of ['a.png', 'a.json', 'a.zip', 'org', 'vcf'])
    expect(NOTE_FILE.test(name) || PAGE_FILE.test(name)).toBe(false);
});

test.each(['a.eml', 'a.mbox', 'a.msg', 'box/cur/1772613000.M1:2,S', 'box/new/1772613000.M1'])(
  'a mail has the time at which it was sent, and what its reader left out: %s',
  async (name) => {
    const page = { title: 'x', markdown: 'Hi', published: '2026-03-04T10:11:12Z', leftOut: { gone: 2 } };
    const options = { read: async () => page, signal: new AbortController().signal };
    const sent = Date.UTC(2026, 2, 4, 10, 11, 12) * 1000;
    expect(await readNoteFile(name, Buffer.from(''), options)).toMatchObject({
      createdAt: sent,
      updatedAt: sent,
      leftOut: { gone: 2 },
    });
    const last = { read: async () => ({ ...page, updated: '2026-03-05T10:11:12Z' }), signal: options.signal };
    const { updatedAt } = await readNoteFile(name, Buffer.from(''), last);
    expect(updatedAt).toBe(sent + 86_400_000_000);
    for (const other of ['a.pdf', 'new/post.html', 'cur/1772613000.html'])
      expect((await readNoteFile(other, Buffer.from(''), options)).createdAt).toBeUndefined();
  },
);

test('mails of a Maildir that are marked as deleted are left out and counted', async () => {
  const names = [
    'box/cur/1.a:2,S',
    'box/cur/1.a,S=12:2,ST',
    'box/cur/1772613000.M1,T',
    'box/new/1772613001.M1',
  ];
  const items = await itemsOf(vault, Object.fromEntries(names.map((name) => [name, 'Hi'])));
  const gone = items.filter(
    (item) => 'skipped' in item && item.skipped === 'a mail that is marked as deleted',
  );
  expect(gone.map(({ at }) => at)).toEqual(names.slice(1, 3));
});
