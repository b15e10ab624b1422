import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/browse/readers/document.ts';
import { readMail } from '../../../src/browse/readers/email.ts';
import { encodeLegacy } from '../../helpers/encode-legacy.ts';

const read = async (mail: string | Uint8Array, kind: 'email' | 'mbox' = 'email') =>
  readMail(Buffer.from(mail as string), 'file:///a.eml', kind);
const bodyOf = (markdown: string) => markdown.split('\n\n').slice(1).join('\n\n');
const part = (type: string, text: string) => `Content-Type: ${type}\n\n${text}\n`;

describe('encoded words', () => {
  const TEXTS: [charset: string, text: string][] = [
    ['utf-8', 'Behörden verfügen die Absage der Messe im März 🛶'],
    ['gb2312', '关于订单发货的通知'],
    ['big5', '關於訂單發貨的通知'],
    ['shift_jis', '波止場の工房は舟を直す'],
    ['euc-kr', '주문 발송에 관한 알림'],
  ];
  test.each(TEXTS)(
    'of %s are read as one, wherever a character was cut between them',
    async (charset, text) => {
      const bytes = charset === 'utf-8' ? Buffer.from(text) : Buffer.from(encodeLegacy(text, charset));
      const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 4 });
      const form = fc.constantFrom(
        (one: Uint8Array) => `=?${charset}?B?${Buffer.from(one).toString('base64')}?=`,
        (one: Uint8Array) => `=?${charset.toUpperCase()}?b?${Buffer.from(one).toString('base64')}?=`,
      );
      const spaces = fc.constantFrom(' ', '\n ', '\r\n\t', '');
      const cases = fc.tuple(cuts, fc.array(form, { minLength: 5, maxLength: 5 }), spaces);
      await fc.assert(
        fc.asyncProperty(cases, async ([at, forms, space]) => {
          const ends = [...at.sort((a, b) => a - b), bytes.length];
          const words = ends.map((end, i) => forms[i]?.(bytes.subarray(ends[i - 1] ?? 0, end)));
          const mail = await read(
            `From: ${words.join(space)} <a@x.example>\nSubject: ${words.join(space)}\n\nHi`,
          );
          expect([mail.title, mail.author]).toEqual([text, `${text} (a@x.example)`]);
        }),
        { numRuns: 40 },
      );
    },
  );

  test('of other charsets, or with words between them, stay apart', async () => {
    const [one, other] = ['=?utf-8?B?w7w=?=', '=?iso-8859-1?B?/A==?='];
    expect((await read(`Subject: ${one} ${other} and ${one}\n\nHi`)).title).toBe('üü and ü');
    expect((await read('Subject: =?utf-8?B?w7zD?= x =?utf-8?B?vA==?=\n\nHi')).title).toBe('ü� x �');
  });
});

test.each(['\uFEFF', '\n', '\uFEFF\r\n', '\uFEFFFrom - x\n'])(
  'a mail after %j is read as without it',
  async (before) => {
    const mail = 'From: Ada <ada@x.example>\nSubject: Tide\n\nThe tide is early.';
    expect(await read(before + mail)).toEqual(await read(mail));
  },
);

test('a line of only `From ` begins a message beside full ones, and a line of prose does not', async () => {
  const mail = (name: string) => `Subject: ${name}\n\nFrom memory: 10:30.\nFrom that: nothing.\n\n`;
  const box = [
    'From - Tue Mar  3 09:15:00 2026\n',
    'From \n',
    'From -\r\n',
    'From a Wed Mar  4 08:01:00 2026\n',
  ];
  const { units = [] } = await read(box.map((line, i) => line + mail(`m${i}`)).join(''), 'mbox');
  expect(units.map((unit) => unit.split('\n', 1)[0])).toEqual(['## m0', '## m1', '## m2', '## m3']);
  expect(units[0]).toContain('From memory: 10:30.\nFrom that: nothing.');
});

describe('a mail whose boundary is nowhere in it', () => {
  const parts = `--B2\n${part('text/plain', 'Hello world?')}--B2\n${part('text/html', '<p>Hello world?</p>')}--B2--`;
  test.each([
    ['has another', `Content-Type: multipart/alternative; boundary=A1\n\n${parts}`],
    ['names none', `Content-Type: multipart/alternative\n\n${parts}`],
    [
      'has its type twice',
      `Content-Type: multipart/mixed; boundary=A\nContent-Type: multipart/mixed; boundary=B2\n\n${parts}`,
    ],
    [
      'is inside another',
      `Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/alternative; boundary=A\n\n${parts}\n--o--`,
    ],
  ])('is read by the one that is there if it %s', async (_name, mail) => {
    expect(bodyOf((await read(`From: a@x.example\n${mail}`)).markdown).trim()).toMatch(
      /^Hello world\?(\s+Hello world\?)?$/,
    );
  });

  test('is read as one text if it has none', async () => {
    const { markdown } = await read(
      'From: a@x.example\nContent-Type: multipart/mixed; boundary=A\n\nHello.\n\nBye.',
    );
    expect(bodyOf(markdown)).toBe('Hello.\n\nBye.');
  });

  test('is read to its end, however deep such parts are in one another', async () => {
    const deep = Array.from(
      { length: 400 },
      (_, i) => `--b${i}\nContent-Type: multipart/mixed; boundary=none\n\n`,
    );
    const { markdown } = await read(`Content-Type: multipart/mixed\n\n${deep.join('')}The end.`);
    expect(markdown).toContain('The end.');
  });
});

test('a text that is signed inline is read as before it was signed', async () => {
  const line = fc.stringMatching(/^(?:- |-{1,5}|From |Hash: )?[a-z]{1,9}$/);
  const lines = fc.array(line, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lines, fc.boolean(), fc.constantFrom('', 'Before.\n\n'), async (own, crlf, before) => {
      const escaped = own.map((one) => one.replace(/^(?=-|From )/, '- ')).join('\n');
      const signed = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${escaped}\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n=BFMz\n-----END PGP SIGNATURE-----\nFooter.`;
      const mail = (text: string) => `From: a@x.example\n\n${before}${text}`;
      const read1 = await read(crlf ? mail(signed).replaceAll('\n', '\r\n') : mail(signed));
      expect(read1).toEqual(await read(mail(`${own.join('\n')}\nFooter.`)));
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['Mon, 02 Nov 2026 16:40:00 +0100', '2026-11-02T16:40:00+01:00', '2026-11-02T15:40:00Z'],
  ['Mon, 02 Nov 2026 01:40:00 +0530 (IST)', '2026-11-02T01:40:00+05:30', '2026-11-01T20:10:00Z'],
  ['Mon, 02 Nov 2026 22:40:00 -0330', '2026-11-02T22:40:00-03:30', '2026-11-03T02:10:00Z'],
  ['Mon, 02 Nov 2026 16:40:00 +0000', '2026-11-02T16:40:00Z', '2026-11-02T16:40:00Z'],
  ['Mon, 02 Nov 2026 16:40:00 GMT', '2026-11-02T16:40:00Z', '2026-11-02T16:40:00Z'],
])('the date %s is shown with its offset', async (date, shown, published) => {
  const mail = await read(`From: a@x.example\nDate: ${date}\n\nHi`);
  expect(mail.markdown).toContain(`- **Date:** ${shown}`);
  expect(mail.published).toBe(published);
});

test('an invitation that is in the text and attached is said once, and a changed one twice', async () => {
  const event = (place: string) =>
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260312T110000Z\nSUMMARY:Lunch\nLOCATION:${place}\nEND:VEVENT\nEND:VCALENDAR`;
  const mail = (other: string) =>
    `Content-Type: multipart/mixed; boundary=m\n\n--m\n${part('text/plain', 'Come.')}--m\n${part('text/calendar', event('Luigi'))}--m\n${part('application/ics; name=invite.ics', event(other))}--m--`;
  const places = async (other: string) => {
    const raw = { url: 'file:///a.eml', contentType: '', body: Buffer.from(mail(other)) };
    const { markdown } = await readDocument('email', raw);
    expect(markdown).toContain('### invite.ics');
    return markdown.match(/\*\*Where:\*\* \w+|\*\*Location:\*\* \w+|\*\*Place:\*\* \w+/g)?.length;
  };
  expect([await places('Luigi'), await places('Mario')]).toEqual([1, 2]);
});
