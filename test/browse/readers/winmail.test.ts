import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectPageKind } from '../../../src/browse/fetching/page-kind.ts';
import { readDocument } from '../../../src/browse/readers/document.ts';
import { readWinmail } from '../../../src/browse/readers/winmail.ts';

/** Files in Outlook's transport format TNEF, as in nodemailer/mailparser#145. */

const u16 = (value: number) => Buffer.from([value & 255, value >> 8]);
const u32 = (value: number) => Buffer.concat([u16(value & 0xffff), u16(value >>> 16)]);
const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const padded = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

const attribute = (id: number, bytes: Uint8Array | string) => {
  const data = Buffer.from(bytes as string, 'latin1');
  return Buffer.concat([Buffer.from([id > 0x68000 ? 1 : 2]), u32(id), u32(data.length), data, u16(0)]);
};
const tnef = (...attributes: Uint8Array[]) =>
  Buffer.concat([Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0]), ...attributes]);
const long = (type: number, id: number, bytes: Uint8Array) =>
  Buffer.concat([u16(type), u16(id), u32(1), u32(bytes.length), padded(bytes)]);
const named = Buffer.concat([
  u16(0x1f),
  u16(0x8001),
  Buffer.alloc(16),
  u32(1),
  u32(5),
  padded(Buffer.from('a\0b\0c')),
]);
const properties = (...all: Uint8Array[]) => Buffer.concat([u32(all.length), ...all]);

const [TITLE, RENDERING, DATA, FILE, MESSAGE, PAGE] = [0x18010, 0x69002, 0x6800f, 0x69005, 0x69003, 0x69007];
const file = (name: string, bytes: string) => [
  attribute(RENDERING, Buffer.alloc(14)),
  attribute(TITLE, 'SHORT~1.TXT\0'),
  attribute(DATA, bytes),
  attribute(
    FILE,
    properties(
      Buffer.concat([u16(3), u16(0x3705), u32(1)]),
      Buffer.concat([named, u32(1), u32(4), wide('x')]),
      long(0x1f, 0x3707, wide(name)),
    ),
  ),
];
const mail = (body: Uint8Array, text = 'The minutes follow.') =>
  Buffer.from(
    `From: a@x.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n${body.toString()}\r\n--b--\r\n`,
  );
const read = async (body: Uint8Array, url = 'https://x.example/a.eml') => {
  const raw = { url, contentType: '', body };
  return (await readDocument(await detectPageKind(raw), raw)).markdown;
};
const encoded = (body: Buffer) => Buffer.from(body.toString('base64'));

test('a mail shows the files in winmail.dat by their long names, and a table is read as one', async () => {
  const body = tnef(
    ...file('Tides in März.csv', 'Day,High\nMonday,07:12\n'),
    ...file('Note.txt', 'Bring ropes.'),
  );
  const markdown = await read(mail(encoded(body)));
  expect(markdown).toContain('The minutes follow.');
  expect(markdown).toMatch(/### Tides in März\.csv\n\n[^\n]+\n\n\| Day \| High \|/);
  expect(markdown).toMatch(/### Note\.txt\n\n[^\n]+\n\nBring ropes\./);
  expect(markdown).not.toContain('winmail');
});

test('the text in winmail.dat is read if the mail itself has none', async () => {
  const rtf = Buffer.from('{\\rtf1\\ansi The dam {\\b holds}.\\par}');
  const packed = Buffer.concat([u32(rtf.length + 12), u32(rtf.length), Buffer.from('MELA'), u32(0), rtf]);
  const rich = tnef(attribute(MESSAGE, properties(long(0x102, 0x1009, packed))));
  expect(await read(mail(encoded(rich), ''))).toContain('The dam holds.');
  expect(await read(mail(encoded(rich)))).not.toContain('The dam');
  const html = tnef(
    attribute(MESSAGE, properties(long(0x102, 0x1013, Buffer.from('<p>It is <b>cold</b>.</p>')))),
  );
  expect(await read(mail(encoded(html), ''))).toContain('It is **cold**.');
  const plain = tnef(attribute(PAGE, u32(1251)), attribute(0x2800c, Buffer.from([0xc4, 0xe0, 0])));
  expect(await read(mail(encoded(plain), ''))).toContain('Да');
});

test('a file of its own is read with its title, sender and date, and so is a message within it', async () => {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE((BigInt(Date.parse('2026-03-05T10:20:30Z')) + 11_644_473_600_000n) * 10_000n);
  const inner = tnef(attribute(0x18004, 'Inner letter\0'), attribute(0x2800c, 'The wheel turns.\0'));
  const embedded = properties(
    long(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), inner])),
    long(0x1e, 0x3001, Buffer.from('Inner letter\0')),
  );
  const whole = tnef(
    attribute(0x18004, 'Outer letter\0'),
    attribute(
      MESSAGE,
      properties(
        Buffer.concat([u16(0x40), u16(0x39), time]),
        long(0x1f, 0x0c1a, wide('Ada')),
        long(0x1f, 0x5d01, wide('ada@x.example')),
      ),
    ),
    attribute(RENDERING, Buffer.alloc(14)),
    attribute(FILE, embedded),
  );
  const markdown = await read(whole, 'https://x.example/winmail.dat');
  for (const part of [
    'Ada (ada@x.example)',
    '2026-03-05T10:20:30Z',
    'Outer letter',
    '### Inner letter',
    'The wheel turns.',
  ])
    expect(markdown).toContain(part);
});

test('a broken file ends at its error', async () => {
  const whole = tnef(
    ...file('a.txt', 'text'),
    attribute(MESSAGE, properties(named, long(0x1f, 0x37, wide('t')))),
  );
  for (let end = 0; end < whole.length; end++) await readWinmail(whole.subarray(0, end));
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
      await readWinmail(
        tnef(attribute(MESSAGE, bytes), attribute(RENDERING, bytes), attribute(FILE, bytes), bytes),
      );
      const endless = properties(Buffer.concat([u16(0x1003), u16(0x37), Buffer.alloc(4, 255), bytes]));
      await readWinmail(tnef(attribute(MESSAGE, endless)));
    }),
    { seed: 5 },
  );
});

test('a winmail.dat that holds nothing is named, and a forged size of compressed text loses no mail', async () => {
  expect(await read(mail(encoded(tnef())))).toContain('winmail.dat');
  const forged = Buffer.concat([u32(0x7fffffff), u32(0x7fffffff), Buffer.from('LZFu'), u32(0), u32(0)]);
  const rich = tnef(attribute(MESSAGE, properties(long(0x102, 0x1009, forged))));
  expect(await read(mail(encoded(rich)))).toContain('The minutes follow.');
});
