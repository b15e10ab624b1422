import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMail } from '../../../src/browse/readers/email.ts';
import { signedMailContent } from '../../../src/browse/readers/signed-mail.ts';
import { encodeLegacy } from '../../helpers/encode-legacy.ts';

const CRLF = '\r\n';
const RUSSIAN = 'Мастерская на набережной чинит лодки с тех пор, как построили мост.';
const DANISH = 'Båden er færdig, og Søren får nøglen på tirsdag.';
const JAPANESE = '波止場の工房は橋が架けられて以来、舟を直している。';

const read = async (...parts: (string | Uint8Array)[]) =>
  readMail(Buffer.concat(parts.map((part) => Buffer.from(part as string))), 'file:///a.eml', 'email');
const head = (type: string, encoding = '8bit') =>
  [
    'From: a@example.org',
    'Subject: x',
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    '',
  ].join(CRLF);
const quoted = (bytes: Uint8Array) =>
  [...bytes]
    .map((byte) =>
      byte > 0x7f || byte === 0x3d
        ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');

describe('a part of a message is decoded', () => {
  test.each<[string, string, Uint8Array, string]>([
    ['by its header', 'text/plain; charset=koi8-r', encodeLegacy(RUSSIAN, 'koi8-r'), RUSSIAN],
    [
      'by the name of a code page',
      'text/plain; charset=cp932',
      encodeLegacy(JAPANESE, 'shift_jis'),
      JAPANESE,
    ],
    ['by its bytes without a charset', 'text/plain', encodeLegacy(DANISH, 'windows-1252'), DANISH],
    [
      'by its bytes without a charset, in Russian',
      'text/plain',
      encodeLegacy(RUSSIAN, 'windows-1251'),
      RUSSIAN,
    ],
    ['by its escapes without a charset', 'text/plain', encodeLegacy(JAPANESE, 'iso-2022-jp'), JAPANESE],
    ['as UTF-8 under us-ascii', 'text/plain; charset=us-ascii', Buffer.from(DANISH), DANISH],
    [
      'by its bytes under us-ascii',
      'text/plain; charset="us-ascii"',
      encodeLegacy(DANISH, 'windows-1252'),
      DANISH,
    ],
    ['as UTF-8 under Latin-1', 'text/plain; charset=iso-8859-1', Buffer.from(DANISH), DANISH],
    ['by its bytes under UTF-8', 'text/plain; charset=utf-8', encodeLegacy(DANISH, 'windows-1252'), DANISH],
    [
      'by its bytes under an unknown charset',
      'text/plain; charset=unknown-8bit',
      encodeLegacy(RUSSIAN, 'koi8-r'),
      RUSSIAN,
    ],
    [
      'by its meta',
      'text/html',
      Buffer.concat([Buffer.from('<meta charset=koi8-r><p>'), encodeLegacy(RUSSIAN, 'koi8-r')]),
      RUSSIAN,
    ],
    [
      'by its bytes in HTML',
      'text/html; charset=x-none',
      Buffer.concat([Buffer.from('<html lang=ja><p>'), encodeLegacy(JAPANESE, 'euc-jp')]),
      JAPANESE,
    ],
  ])('%s', async (_name, type, body, text) => {
    for (const [encoding, bytes] of [
      ['8bit', body],
      ['quoted-printable', Buffer.from(quoted(body))],
      ['base64', Buffer.from(Buffer.from(body).toString('base64'))],
    ] as const) {
      const { markdown } = await read(head(type, encoding), bytes);
      expect(markdown).toContain(text);
      expect(markdown).not.toContain('\ufffd');
    }
  });

  test('in a message within a message, and in each alternative', async () => {
    const inner = Buffer.concat([Buffer.from(head('text/plain')), encodeLegacy(RUSSIAN, 'windows-1251')]);
    const boundary = (part: string) => `${CRLF}--b${CRLF}${part}${CRLF}${CRLF}`;
    const { markdown, reduced } = await read(
      head('multipart/mixed; boundary=b'),
      boundary('Content-Type: text/plain'),
      encodeLegacy(DANISH, 'windows-1252'),
      boundary('Content-Type: message/rfc822'),
      inner,
      `${CRLF}--b--`,
    );
    expect(markdown).toContain(DANISH);
    expect(markdown).toContain(RUSSIAN);
    expect(reduced).toContain('guessed');
  });

  test('and so is a header with bytes of its own', async () => {
    const message = Buffer.concat([
      Buffer.from('From: a@example.org\nSubject: '),
      encodeLegacy('Båden er færdig nu', 'windows-1252'),
      Buffer.from('\nDate: Thu, 6 Jun 2024 10:46:09 +0000\n\nHi'),
    ]);
    expect((await read(message)).title).toBe('Båden er færdig nu');
  });
});

test('a message that declares what it is has nothing to say', async () => {
  expect((await read(head('text/plain; charset=utf-8'), DANISH)).reduced).toBeUndefined();
});

describe('a mailbox', () => {
  const letter = (number: number, body: string) =>
    `From: a@example.org\nSubject: Letter ${number}\n\n${body}\n\n`;
  const mailbox = async (text: string) =>
    (await readMail(Buffer.from(text), 'file:///a.mbox', 'mbox')).units ?? [];

  test('gives back any texts, with the lines that had to be escaped', async () => {
    const line = fc.constantFrom(
      'From here',
      'From a@x Tue Feb  3 09:05:00 2026',
      '>From here',
      '>>From x',
      'text',
      '> q',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        async (bodies) => {
          const text = bodies.map((lines, at) => {
            const body = lines.map((one) => one.replace(/^>*From /, '>$&')).join('\n');
            return `From a@x Tue Feb  3 09:05:00 2026\n${letter(at, body)}`;
          });
          const units = await mailbox(text.join(''));
          expect(
            // A blank line ends a quote that becomes less deep.
            units.map((unit) =>
              unit
                .slice(unit.lastIndexOf('Letter') + 'Letter 0'.length)
                .replace(/^>*\n/gm, '')
                .trim(),
            ),
          ).toEqual(bodies.map((lines) => lines.join('\n')));
        },
      ),
      { seed: 38, numRuns: 100 },
    );
  });

  test.each([
    ['with a time', 'a@x Tue Feb  3 09:05:00 2026', 'From the hill one sees the sea.\n\nFrom now on: at six'],
    ['of Thunderbird', '- Tue Feb 03 09:05:00 2026', 'From - is no separator'],
    ['without a time', 'nobody', 'From the hill'],
  ])('whose messages begin %s is not split at other lines', async (_name, begin, body) => {
    const units = await mailbox(`From ${begin}\n${letter(1, body)}From ${begin}\n${letter(2, 'Bye')}`);
    expect(units).toHaveLength(2);
    expect(units[0]).toContain(body);
  });
});

test('a single message may begin as in a mailbox', async () => {
  expect((await read(`From a@x Tue Feb  3 09:05:00 2026\n${head('text/plain')}`, 'Hi')).title).toBe('x');
});

describe('a signed message is read', () => {
  const der = (tag: number, ...parts: readonly Uint8Array[]) => {
    const body = Buffer.concat(parts);
    const size = body.length < 128 ? Array.of(body.length) : [0x82, body.length >> 8, body.length & 255];
    return Buffer.concat([Buffer.from([tag, ...size]), body]);
  };
  /** Of a length that is not said, as programs write what they do not hold as a whole. */
  const open = (tag: number, ...parts: readonly Uint8Array[]) =>
    Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);
  const oid = (last: number) => der(6, Buffer.from(`2a864886f70d01070${last}`, 'hex'));
  const inner = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nSeven grüne doors.');
  const halves = [inner.subarray(0, 30), inner.subarray(30)].map((half) => der(4, half));
  const mail = (bytes: Uint8Array) =>
    read(
      head('application/pkcs7-mime; smime-type=signed-data; name=smime.p7m', 'base64'),
      Buffer.from(bytes).toString('base64'),
    );
  const readWith = async (bytes: Uint8Array) =>
    (
      await readMail(
        Buffer.from(
          `${head('application/pkcs7-mime; name=smime.p7m', 'base64')}${Buffer.from(bytes).toString('base64')}`,
        ),
        'file:///a.eml',
        'email',
        (raw) => readMail(raw.body, 'file:///b.eml', 'email'),
      )
    ).markdown;

  test.each([
    [
      'in one piece',
      der(
        0x30,
        oid(2),
        der(
          0xa0,
          der(0x30, der(2, Buffer.from([1])), der(0x31), der(0x30, oid(1), der(0xa0, der(4, inner)))),
        ),
      ),
    ],
    [
      'in pieces',
      open(
        0x30,
        oid(2),
        open(
          0xa0,
          open(
            0x30,
            der(2, Buffer.from([1])),
            der(0x31),
            open(0x30, oid(1), open(0xa0, open(0x24, ...halves))),
          ),
        ),
      ),
    ],
  ])('%s', async (_name, bytes) => {
    expect(await readWith(bytes)).toContain('Seven grüne doors.');
    expect((await mail(bytes)).markdown).toContain('smime.p7m');
  });

  test('and any number of elements takes no memory', () => {
    const bytes = new Uint8Array(2_000_000).map((_, at) => (at % 2 === 0 ? 5 : 0));
    const before = process.memoryUsage().heapUsed;
    expect(signedMailContent(bytes)).toBe(undefined);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
  });

  test('and any bytes in its place end at once', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        signedMailContent(bytes);
        signedMailContent(Buffer.concat([Buffer.from([0x30, 0x80]), oid(2), bytes]));
      }),
      { seed: 38 },
    );
  });
});

test.each(['From : Ada <a@example.org>', 'From \t: Ada <a@example.org>'])(
  'a first header with a space before its colon is no separator: %s',
  async (line) => {
    const text = `${line}\r\nSubject: x\r\n\r\nHi`;
    expect((await read(text)).author).toBe('Ada (a@example.org)');
    const box = `From a@x Tue Feb  3 09:05:00 2026\r\nSubject: y\r\n${text}`;
    expect((await readMail(Buffer.from(box), 'file:///a.mbox', 'mbox')).units).toHaveLength(1);
  },
);

test('quotes of a flowed text are joined by their depth, and a signature stays apart', async () => {
  const text = [
    '> old \r\n> words \r\n>> deep \r\n>> quote\r\nMy an \r\nswer\r\n From here \r\nit goes\r\n-- \r\nAda',
  ];
  const flowed = await read(head('text/plain; format=flowed'), ...text);
  expect(flowed.markdown.split('\n\n').slice(1).join('\n\n')).toBe(
    '> old words \n>> deep quote\n\nMy an swer\nFrom here it goes\n\\-- \nAda',
  );
  const deleted = await read(head('text/plain; format=flowed; delsp=yes'), ...text);
  expect(deleted.markdown).toContain('My answer');
});

test('blanks after a soft line break are dropped, as in namecheap/fast_mail_parser#25', async () => {
  const blanks = fc.array(fc.constantFrom(' ', '\t'), { maxLength: 5 }).map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(blanks, async (gap) => {
      const plain = await read(head('text/plain', 'quoted-printable'), `one =3D two=${gap}\r\n three`);
      expect(plain.markdown).toContain('one = two three');
      const link = `<a href=3D"https://x.example/pa=${gap}\r\nge">p</a>`;
      const html = await read(head('text/html', 'quoted-printable'), link);
      expect(html.markdown).toContain('(https://x.example/page)');
    }),
    { seed: 7, numRuns: 20 },
  );
});

test.each([
  ['Thank you.\r\n-- \r\nAda', 'Thank you.\n\\-- \nAda'],
  [
    'Tides\r\n=====\r\n\r\n-----\r\n# not a heading\r\n#tag',
    'Tides\n\\=====\n\n-----\n\\# not a heading\n#tag',
  ],
  ['> old\r\n> ---\r\n> # number', '> old\n> \\---\n> \\# number'],
  ['```\r\n# code\r\n```\r\n## text', '```\n# code\n```\n\\## text'],
])('plain text has no headings: %j', async (text, expected) => {
  expect((await read(head('text/plain'), text)).markdown.split('\n\n').slice(1).join('\n\n')).toBe(expected);
});

test('links of a saved page are relative to its address, and its styles are no attachments, as in nodemailer/mailparser#128', async () => {
  const page = `--b\r\nContent-Type: text/html\r\nContent-Location: https://port.example/news/\r\n\r\n<a href="tides">Tides</a>\r\n--b\r\nContent-Type: text/css\r\nContent-Location: cid:css\r\n\r\np { color: red }\r\n--b--`;
  const { markdown } = await read(head('multipart/related; boundary=b'), page);
  expect(markdown).toContain('[Tides](https://port.example/news/tides)');
  expect(markdown).not.toContain('color');
});

test('a body of several parts that is encoded as a whole is read, as in zbateson/mail-mime-parser#202', async () => {
  const parts = '--b\r\nContent-Type: text/plain\r\n\r\nInvoice 4711 is due.\r\n--b--\r\n';
  const encoded = Buffer.from(parts).toString('base64').replace(/.{60}/g, '$&\r\n');
  expect((await read(head('multipart/mixed; boundary=b', 'base64'), encoded)).markdown).toContain(
    'Invoice 4711 is due.',
  );
  expect((await read(head('multipart/mixed; boundary=b', 'base64'), parts)).markdown).toContain(
    'Invoice 4711 is due.',
  );
});

test('a sender without an address is a name', async () => {
  expect(
    (await readMail(Buffer.from('From: <Saved by Blink>\r\n\r\nx'), 'file:///a.eml', 'email')).author,
  ).toBe('Saved by Blink');
});

const bodyOf = (markdown: string) => markdown.split('\n\n').slice(1).join('\n\n');

/** Encodes all but plain letters, digits and blanks, as RFC 2152 allows. */
const encodeUtf7 = (text: string) =>
  text.replace(/[^A-Za-z\d ]+/g, (signs) => {
    const code = Buffer.from(signs, 'utf16le').swap16().toString('base64').replace(/=+$/, '');
    return signs === '+' ? '+-' : `+${code}-`;
  });

test('UTF-7 is read in texts and headers of mail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^[a-zäöü€日+]{1,9}( [a-zäöü€日+]{1,9}){0,4}$/u),
      fc.constantFrom('utf-7', 'UNICODE-1-1-UTF-7'),
      async (text, label) => {
        const code = encodeUtf7(text);
        expect(bodyOf((await read(head(`text/plain; charset=${label}`), code)).markdown)).toBe(text);
        const words = [
          `=?${label}?Q?${code.replaceAll(' ', '_')}?=`,
          `=?${label}?B?${Buffer.from(code).toString('base64')}?=`,
        ];
        for (const word of words) expect((await read(`Subject: ${word}\r\n\r\nx`)).title).toBe(text);
      },
    ),
    { seed: 7, numRuns: 30 },
  );
});

test('an alternative that is not shown is no attachment, except an invitation', async () => {
  const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
  const { markdown } = await read(
    head('multipart/alternative; boundary=b'),
    part('text/plain', 'Shown'),
    part('text/x-amp-html', '<p>Interactive</p>'),
    part('text/enriched', '<bold>Rich</bold>'),
    part('text/html', '<p>Shown</p>'),
    part('text/calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'),
    part('text/csv\r\nContent-Disposition: attachment', 'a,1'),
    part('text/x-log; name=crane.log', 'lifted'),
    '--b--',
  );
  expect(markdown).toContain('text/csv');
  expect(markdown).toContain('crane.log');
  expect(markdown).not.toMatch(/Interactive|x-amp|Rich|enriched/);
  expect(markdown).toContain('text/calendar');
  const alone = await read(head('multipart/alternative; boundary=b'), part('text/enriched', 'Rich'), '--b--');
  expect(alone.markdown).toContain('text/enriched');
});

test.each(['text/plain', 'text/html'])('letters of a digest have one form of head: %s', async (type) => {
  const letter = (name: string) =>
    `--b\r\n\r\nFrom: ${name} <${name}@example.org>\r\nSubject: <${name}>\r\nDate: Wed, 11 Mar 2026 08:00:00 +0100\r\nContent-Type: ${type}\r\n\r\nText of ${name}\r\n`;
  const { markdown } = await read(
    head('multipart/digest; boundary=b'),
    letter('ida'),
    letter('ole'),
    '--b--',
  );
  const heads = ['ida', 'ole'].map(
    (name) =>
      `- **From:** ${name} (${name}@example.org)\n- **Date:** 2026-03-11T08:00:00+01:00\n- **Subject:** <${name}>\n\nText of ${name}`,
  );
  expect(
    bodyOf(markdown)
      .replaceAll('\\<', '<')
      .replace(/\n{3,}/g, '\n\n'),
  ).toBe(heads.join('\n\n'));
});

test('a group of addresses keeps its name', async () => {
  const { markdown } = await read(
    'To: Crew: Ida <i@x.example>, o@x.example;, Kim <k@x.example>\r\nCc: undisclosed-recipients:;\r\n\r\nHi',
  );
  expect(markdown).toContain('**To:** Crew: Ida (i@x.example), o@x.example;, Kim (k@x.example)');
  expect(markdown).toContain('**Cc:** undisclosed-recipients');
});

test('a quote that becomes less deep is a paragraph of its own', async () => {
  const text = '>>> a\r\n>> b\r\n> > c\r\n> d\r\ne\r\n> f\r\n>\r\ng\r\n> h\r\n>> i';
  expect(bodyOf((await read(head('text/plain'), text)).markdown)).toBe(
    '>>> a\n>>\n>> b\n> > c\n>\n> d\n\ne\n> f\n>\ng\n> h\n>> i',
  );
});

function uuencode(bytes: Uint8Array): string {
  const sign = (bits = 0) => (bits === 0 ? '`' : String.fromCharCode(32 + bits));
  const lines = Array.from({ length: Math.ceil(bytes.length / 45) }, (_, at) =>
    bytes.subarray(at * 45, at * 45 + 45),
  );
  return lines
    .map((line) => {
      const groups = Array.from({ length: Math.ceil(line.length / 3) }, (_, at) => {
        const [a = 0, b = 0, c = 0] = line.subarray(at * 3, at * 3 + 3);
        return [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63].map(sign).join('');
      });
      return `${sign(line.length)}${groups.join('')}\r\n`;
    })
    .join('');
}

test('uuencoded files in a text are attachments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
      const text = `Before\r\nbegin 644 a plan.bin\r\n${uuencode(bytes)}\`\r\nend\r\nAfter\r\nbegin 644 words that go on`;
      const found: Buffer[] = [];
      const { markdown } = await readMail(
        Buffer.from(head('text/plain') + text),
        'file:///a.eml',
        'email',
        async ({ body }) => {
          found.push(Buffer.from(body));
          return { title: '', markdown: '' };
        },
      );
      expect(found).toEqual([Buffer.from(bytes)]);
      expect(markdown).toContain(`### a plan.bin\n\napplication/octet-stream, ${bytes.length} bytes`);
      expect(bodyOf(markdown)).toMatch(/^Before\n\nAfter\nbegin 644 words that go on/);
    }),
    { seed: 7, numRuns: 30 },
  );
});

test.each([
  ['words in capitals', 'NOTES\r\nPLEASE READ THIS\r\nend'],
  ['a line that begins with end', 'NOTES\r\n#86)C\r\nending soon'],
  ['lines of a count alone', `NOTES\r\n${'_\r\n'.repeat(9)}end`],
])('%s are no uuencoded file', async (_name, text) => {
  const { markdown } = await read(head('text/plain'), `Before\r\nbegin 644 ${text}`);
  expect(bodyOf(markdown).replaceAll('\\', '')).toBe(`Before\nbegin 644 ${text.replaceAll('\r', '')}`);
});

test('empty lines do not multiply in a uuencoded file', async () => {
  const text = `begin 644 a.bin\r\n${'\r\n'.repeat(100_000)}#86)C\r\n\`\r\nend\r\n`;
  expect((await read(head('text/plain'), text)).markdown).toContain('application/octet-stream, 3 bytes');
});

test.each([
  ['ada at example.org (Ada Birch)', 'ada at example.org (Ada Birch)'],
  ['ada at example.org (=?utf-8?q?J=C3=B6rg?=)', 'ada at example.org (Jörg)'],
  ['ada@example.org (Ada Birch)', 'Ada Birch (ada@example.org)'],
])('the name in parentheses after an address is kept: %s', async (from, author) => {
  expect((await read(`From: ${from}\nSubject: x\n\nText.`)).author).toBe(author);
});

test('a mailbox leaves out each message that its program marks as deleted, and counts it', async () => {
  const deleted = [
    'X-Mozilla-Status: 0009',
    'X-Mozilla-Status: 001B',
    'X-Mozilla-Status2: 00200000',
    'Status: RD',
    'X-Status: AD',
  ];
  const kept = [
    'X-Mozilla-Status: 0001',
    'X-Mozilla-Status: 1000',
    'X-Mozilla-Status2: 10000000',
    'Status: RO',
    'Status: Done',
    'Status: DRAFT',
    'X-Status: DRAFT',
    'X-Status: F',
    'Subject: Status: D',
  ];
  const marks = fc.array(fc.constantFrom(...deleted, ...kept), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(marks, fc.constantFrom('\n', '\r\n'), async (heads, end) => {
      const letters = heads.map((mark, at) =>
        [`From - Tue Oct 20 10:00:0${at} 2026`, mark, `From: w${at}@a.example`, '', 'X-Status: D', ''].join(
          end,
        ),
      );
      const { units = [], leftOut = {} } = await readMail(
        Buffer.from(letters.join(end)),
        'file:///a.mbox',
        'mbox',
      );
      const gone = heads.filter((mark) => deleted.includes(mark)).length;
      expect(units.join('\n').match(/w\d@/g) ?? []).toEqual(
        heads.flatMap((mark, at) => (deleted.includes(mark) ? [] : [`w${at}@`])),
      );
      expect(Object.values(leftOut)).toEqual(gone > 0 ? [gone] : []);
    }),
    { numRuns: 40 },
  );
});

test('a mailbox has the dates of its first and its last mail, with the time', async () => {
  const letter = (day: number) =>
    `From - x\nFrom: a@x.example\nDate: ${day} Oct 2026 10:11:12 +0200\n\nHi\n\n`;
  const box = await readMail(Buffer.from(letter(20) + letter(3)), 'file:///a.mbox', 'mbox');
  expect([box.published, box.updated]).toEqual(['2026-10-03T08:11:12Z', '2026-10-20T08:11:12Z']);
});

test.each(['text/rfc822-headers', 'message/delivery-status', 'message/global-headers'])(
  'the lines of a report as %s are decoded, and long ones joined',
  async (type) => {
    const lines =
      'Final-Recipient: rfc822; jo@a.example\nSubject: =?utf-8?Q?Relat=C3=B3rio?=\n =?utf-8?Q?_de?=\nX: 1';
    const text = `Content-Type: multipart/report; boundary=b\n\n--b\n\nHi\n--b\nContent-Type: ${type}\n\n${lines}\n--b--`;
    const inside = async ({ body }: { readonly body: Uint8Array }) => ({
      title: '',
      markdown: Buffer.from(body).toString(),
    });
    const { markdown } = await readMail(Buffer.from(text), 'file:///a.eml', 'email', inside);
    expect(markdown).toContain('Final-Recipient: rfc822; jo@a.example\nSubject: Relatório de\nX: 1');
  },
);
