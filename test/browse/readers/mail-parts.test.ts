import { describe, expect, test } from 'vitest';
import { readMail } from '../../../src/browse/readers/email.ts';
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
