import { expect, test } from 'vitest';
import { readRtf } from '../../../src/browse/readers/office/rtf.ts';
import { createFileReader } from '../../../src/browse/reading/file-reader.ts';
import { createPageReader } from '../../../src/browse/reading/page-reader.ts';
import { makeOle, type OleTree } from '../../helpers/ole.ts';
import { makePdf } from '../../helpers/pdf.ts';
import { sharedReaders } from '../../helpers/shared-readers.ts';

/** Messages that Outlook saves (.msg) are read like other mail, and broken ones end at once. */

const desk = sharedReaders();
const pages = createPageReader(desk);
const files = createFileReader(desk);

const signal = new AbortController().signal;
const read = async (body: Uint8Array) => {
  const raw = { url: 'https://x.example/letter.msg', contentType: 'application/vnd.ms-outlook', body };
  return (await pages.readPage(raw, signal)).page;
};

const wide = (text: string) => Buffer.from(text, 'utf16le');

/** Numbers and dates of a message: after 32 bytes (8 in a recipient or an attachment), 16 for each, by its tag. */
function properties(head: number, values: readonly (readonly [tag: number, value: bigint])[]): Buffer {
  const entries = values.map(([tag, value]) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(tag);
    entry.writeBigUInt64LE(value, 8);
    return entry;
  });
  return Buffer.concat([Buffer.alloc(head), ...entries]);
}

/** In steps of 100 nanoseconds since 1601. */
const fileTime = (date: string) => (BigInt(Date.parse(date)) + 11_644_473_600_000n) * 10_000n;

const recipient = (type: bigint, name: string, address: string): OleTree => ({
  '__properties_version1.0': properties(8, [[0x0c150003, type]]),
  '__substg1.0_3001001F': wide(name),
  '__substg1.0_39FE001F': wide(address),
});

const attachment = (name: string, type: string, bytes: Uint8Array): OleTree => ({
  '__properties_version1.0': properties(8, []),
  '__substg1.0_3707001F': wide(name),
  '__substg1.0_370E001F': wide(type),
  '__substg1.0_37010102': bytes,
});

const LETTER: OleTree = {
  '__properties_version1.0': properties(32, [[0x00390040, fileTime('2026-03-05T10:20:30Z')]]),
  '__nameid_version1.0': {},
  '__substg1.0_0037001F': wide('The mill in winter'),
  '__substg1.0_0C1A001F': wide('Ada Lovelace'),
  '__substg1.0_5D01001F': wide('ada@example.com'),
  '__substg1.0_1000001F': wide('The wheel froze on Monday.\r\n\r\nIt turns again.'),
  '__recip_version1.0_#00000000': recipient(1n, 'Charles Babbage', 'charles@example.com'),
  '__recip_version1.0_#00000001': recipient(2n, 'Mary Somerville', '/o=Mill/cn=mary'),
};

test('a message is read with sender, recipients, date, text and attachments', async () => {
  const page = await read(
    makeOle({
      ...LETTER,
      '__attach_version1.0_#00000000': attachment(
        'plan.pdf',
        'application/pdf',
        makePdf(['The plan of the dam.']),
      ),
      '__attach_version1.0_#00000001': attachment(
        'long.txt',
        'text/plain',
        Buffer.from('grain '.repeat(2000)),
      ),
    }),
  );
  expect(page).toMatchObject({ kind: 'email', title: 'The mill in winter' });
  expect(page.author).toBe('Ada Lovelace (ada@example.com)');
  expect(page.markdown).toContain(
    '- **From:** Ada Lovelace (ada@example.com)\n- **To:** Charles Babbage (charles@example.com)\n' +
      '- **Cc:** Mary Somerville\n- **Date:** 2026-03-05T10:20:30Z\n- **Subject:** The mill in winter\n\n' +
      'The wheel froze on Monday.',
  );
  expect(page.markdown).toContain('### plan.pdf\n\napplication/pdf');
  expect(page.markdown).toContain('The plan of the dam.');
  expect(page.markdown.match(/grain/g)).toHaveLength(2000);
});

test('a message whose HTML is kept within RTF is read as that HTML', async () => {
  const { '__substg1.0_1000001F': _, ...rest } = LETTER;
  const tag = (text: string) => `{\\*\\htmltag64 ${text}}`;
  const rtf = Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0 Arial;}}${tag('<p>')}\\htmlrtf {\\htmlrtf0 Honey is 1 < 2 \n${tag('<b>')}\\htmlrtf {\\b\\htmlrtf0 m\\'e4rkets\\htmlrtf }\\htmlrtf0 ${tag('</b>')}\\htmlrtf\\par}\\htmlrtf0 ${tag('</p>')}}`,
  );
  const head = Buffer.alloc(16);
  head.writeUInt32LE(rtf.length + 12, 0);
  head.writeUInt32LE(rtf.length, 4);
  head.write('MELA', 8);
  const { markdown } = await read(makeOle({ ...rest, '__substg1.0_10090102': Buffer.concat([head, rtf]) }));
  expect(markdown).toMatch(/\n\nHoney is 1 < 2 \*\*märkets\*\*$/);
});

test('a file of RTF is read by what word processors show, not by the HTML that its tags keep', async () => {
  const rtf = String.raw`{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>HIDDEN</p>}\htmlrtf Honey\htmlrtf0  markets\par}`;
  expect((await readRtf(Buffer.from(rtf), 'a.rtf')).markdown).toBe('Honey markets');
});

test('the HTML of a message is read, and text in the code page that the message names', async () => {
  const html = await read(
    makeOle({ ...LETTER, '__substg1.0_10130102': Buffer.from('<p>It is <b>cold</b>: café.</p>') }),
  );
  expect(html.markdown).toContain('It is **cold**: café.');
  const { '__substg1.0_1000001F': _, ...rest } = LETTER;
  const russian = await read(
    makeOle({
      ...rest,
      '__properties_version1.0': properties(32, [[0x3ffd0003, 1251n]]),
      '__substg1.0_1000001E': Buffer.from([0xcc, 0xe5, 0xeb, 0xfc, 0xed, 0xe8, 0xf6, 0xe0]),
    }),
  );
  expect(russian.markdown).toContain('Мельница');
  const rtf = Buffer.from('{\\rtf1\\ansi The dam {\\b holds}.\\par}');
  const head = Buffer.alloc(16);
  head.writeUInt32LE(rtf.length + 12, 0);
  head.writeUInt32LE(rtf.length, 4);
  head.write('MELA', 8);
  const rich = await read(makeOle({ ...rest, '__substg1.0_10090102': Buffer.concat([head, rtf]) }));
  expect(rich.markdown).toContain('The dam holds.');
});

test('a message within a message is read, and so is an uploaded message', async () => {
  const { '__properties_version1.0': _, ...inner } = LETTER;
  const nested = makeOle({
    ...LETTER,
    '__substg1.0_0037001F': wide('Forwarded'),
    '__attach_version1.0_#00000000': {
      '__properties_version1.0': properties(8, [[0x37050003, 5n]]),
      '__substg1.0_3001001F': wide('The mill in winter'),
      '__substg1.0_3701000D': { '__properties_version1.0': properties(24, []), ...inner },
    },
  });
  const { pages: read } = await files.read({ file: nested, name: 'letter.msg', signal });
  expect(read.join('\n')).toContain('**Subject:** Forwarded');
  expect(read.join('\n')).toContain('**Subject:** The mill in winter');
});

test('files with circular chains, or with sizes larger than the file, are refused', async () => {
  const whole = makeOle(LETTER);
  const directory = (whole.readUInt32LE(48) + 1) * 512;
  const changes: [string, (file: Buffer) => void][] = [
    [
      'a chain of sectors',
      (file) =>
        file.writeUInt32LE(
          file.readUInt32LE(48),
          (file.readUInt32LE(76) + 1) * 512 + 4 * file.readUInt32LE(48),
        ),
    ],
    ['a directory', (file) => file.writeUInt32LE(1, directory + 128 + 72)],
    ['a size', (file) => file.writeUInt32LE(0x7fffffff, directory + 128 + 120)],
    ['short streams', (file) => file.writeUInt32LE(0, (file.readUInt32LE(60) + 1) * 512)],
    ['a table', (file) => file.writeUInt32LE(0x7fffffff, 44)],
  ];
  for (const [what, change] of changes) {
    const file = Buffer.from(whole);
    change(file);
    await expect(read(file), what).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('broken Outlook message'),
    });
  }
  await expect(read(whole.subarray(0, 1500)), 'cut').rejects.toMatchObject({ code: 'unsupported' });
});

/** Named properties, from 0x8000 on, of one of Outlook's sets. */
const named = (set: string, ids: readonly number[]): OleTree => ({
  '__substg1.0_00020102': Buffer.from(`${set}20060000000000C000000000000046`, 'hex'),
  '__substg1.0_00030102': Buffer.concat(
    ids.map((id, at) => {
      const entry = Buffer.alloc(8);
      entry.writeUInt32LE(id);
      entry.writeUInt16LE(3 << 1, 4);
      entry.writeUInt16LE(at, 6);
      return entry;
    }),
  ),
  '__substg1.0_00040102': Buffer.alloc(0),
});

test('a contact is read with firm, position, telephones, address and note', async () => {
  const { title, markdown } = await read(
    makeOle({
      '__properties_version1.0': properties(32, []),
      '__nameid_version1.0': named('04', [0x8083]),
      '__substg1.0_001A001F': wide('IPM.Contact'),
      '__substg1.0_0037001F': wide('Grace Hopper'),
      '__substg1.0_3A16001F': wide('Navy; Yard, East'),
      '__substg1.0_3A17001F': wide('Rear Admiral'),
      '__substg1.0_3A08001F': wide('+1 202 555 0142'),
      '__substg1.0_3A1C001F': wide('+1 202 555 0199'),
      '__substg1.0_3A27001F': wide('Arlington'),
      '__substg1.0_8000001F': wide('grace@navy.example'),
      '__substg1.0_1000001F': wide('Calls back\r\nat noon.'),
    }),
  );
  expect(title).toBe('Grace Hopper');
  expect(markdown).toContain(
    '- **Organization:** Navy; Yard, East\n- **Title:** Rear Admiral\n' +
      '- **Telephone:** +1 202 555 0142 (work), +1 202 555 0199 (cell)\n' +
      '- **E-mail:** grace@navy.example\n- **Address:** Arlington',
  );
  expect(markdown).toMatch(/Calls back\s+at noon\./);
});

test.each(['IPM.Appointment', 'IPM.Schedule.Meeting.Request'])(
  '%s is read with its place and hours',
  async (kind) => {
    const { markdown } = await read(
      makeOle({
        '__properties_version1.0': properties(32, [
          [0x80010040, fileTime('2026-11-10T10:00:00Z')],
          [0x80020040, fileTime('2026-11-10T11:30:00Z')],
        ]),
        '__nameid_version1.0': named('02', [0x8208, 0x820d, 0x820e]),
        '__substg1.0_001A001F': wide(kind),
        '__substg1.0_0037001F': wide('Cleaning of the hall'),
        '__substg1.0_8000001F': wide('Boathouse 2'),
        '__substg1.0_1000001F': wide('Bring brooms.'),
      }),
    );
    expect(markdown).toContain(
      '- **When:** 2026-11-10 10:00 UTC to 11:30 UTC\n- **Where:** Boathouse 2\n\nBring brooms.',
    );
  },
);

/** Signs that mean something in a vCard or a calendar. */
const NOTE = String.raw`The plan is C:\new\notes; see a\,b, and c.`;

test.each(['IPM.Contact', 'IPM.Appointment'])('the note of %s is read as it was written', async (kind) => {
  const whole = (part: OleTree) =>
    read(
      makeOle({
        '__properties_version1.0': properties(32, []),
        '__substg1.0_001A001F': wide(kind),
        '__substg1.0_0037001F': wide('The mill'),
        ...part,
      }),
    );
  const text = await whole({ '__substg1.0_1000001F': wide(`${NOTE}\rEND:VCARD\r\nEND:VEVENT\nThe end.`) });
  expect(unescaped(text.markdown)).toContain(NOTE);
  expect(text.markdown).toMatch(/END:VCARD\s+END:VEVENT\s+The end\./);
  const html = await whole({ '__substg1.0_10130102': Buffer.from(`<p>${NOTE}</p>\r<p>The end.</p>`) });
  expect(unescaped(html.markdown)).toContain(NOTE);
  expect(html.markdown).toContain('The end.');
});

const unescaped = (markdown: string) => markdown.replace(/\\([^\w\s,])/g, '$1');

test('a Word document that contains a message is read as a Word document', async () => {
  const file = makeOle({ WordDocument: Buffer.from('words'), ObjectPool: LETTER });
  await expect(read(file)).rejects.toThrow('an old Word document (.doc)');
});

test('RTF of old Macs is read by the character set of its fonts', async () => {
  const text = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67].map((byte) => `\\'${byte.toString(16)}`).join('');
  const rtf = `{\\rtf1\\mac\\ansicpg10000{\\fonttbl{\\f0\\fnil\\fcharset78 Osaka;}}\\f0 ${text}\\par}`;
  expect((await readRtf(Buffer.from(rtf), 'https://x.example/a.rtf')).markdown.trim()).toBe('テスト');
});
