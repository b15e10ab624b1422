import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBytes } from '../../../src/lib/encoding/decode-bytes.ts';
import { encodeLegacy } from '../../helpers/encode-legacy.ts';
import { LANGUAGE_TEXTS } from './languages-text.ts';

const SAMPLES = LANGUAGE_TEXTS.flatMap(({ language, encodings, text }) =>
  encodings.map((encoding) => ({ language, encoding, text, bytes: encodeLegacy(text, encoding) })),
);
const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));

describe('texts that declare nothing', () => {
  test.each(SAMPLES)('$encoding in $language is recognized by its bytes', ({ text, bytes }) => {
    expect(decodeBytes(bytes)).toMatchObject({ text, isGuess: true });
  });

  test('of their halves, 95 of 100 are recognized', () => {
    const right = SAMPLES.filter(
      ({ text, encoding }) => decodeBytes(encodeLegacy(half(text), encoding)).text === half(text),
    );
    expect(right.length / SAMPLES.length).toBeGreaterThanOrEqual(0.95);
  });

  test('of their first words, 95 of 100 are recognized by the lang of the page', () => {
    const right = SAMPLES.filter(({ text, encoding, language }) => {
      const start = text.slice(0, /^(ja|ko|zh)/.test(language) ? 24 : 60);
      const head = Buffer.from(`<!doctype html><html lang="${language}"><title>`);
      const page = Buffer.concat([head, encodeLegacy(start, encoding)]);
      return decodeBytes(page, { declares: 'html' }).text.endsWith(start);
    });
    expect(right.length / SAMPLES.length).toBeGreaterThanOrEqual(0.95);
  });

  test.each(['de', 'fr', 'pl', 'ru', 'ja', 'tr', 'ar'])(
    'the country .%s misleads no text of another',
    (domain) => {
      const url = `https://quay.${domain}/`;
      for (const { text, bytes, language } of SAMPLES)
        expect(`${language} ${decodeBytes(bytes, { url }).text}`).toBe(`${language} ${text}`);
    },
  );

  test('Hungarian with letters of Western Europe alone is read by its country', () => {
    const text = 'A tervező üzenete: nagyobb tűz és több hőség jön, őszintén.';
    const bytes = encodeLegacy(text, 'windows-1250');
    expect(decodeBytes(bytes, { url: 'https://uzenet.hu/' }).text).toBe(text);
  });
});

describe('UTF-8', () => {
  const letters = fc.constantFrom(...new Set(LANGUAGE_TEXTS.flatMap(({ text }) => [...text])));
  const words = fc.array(letters, { minLength: 1, maxLength: 300 }).map((chars) => chars.join(''));

  test('is never taken for another encoding, whole or cut', () => {
    fc.assert(
      fc.property(words, fc.nat({ max: 3 }), (text, cut) => {
        const bytes = Buffer.from(text);
        const part = bytes.subarray(0, bytes.length - cut);
        expect(decodeBytes(part)).toEqual({
          text: text.slice(0, decodeBytes(part).text.length),
          encoding: 'utf-8',
          isGuess: false,
        });
        expect(text.length - decodeBytes(part).text.length).toBeLessThanOrEqual(cut);
      }),
      { seed: 38, numRuns: 400 },
    );
  });

  test.each(LANGUAGE_TEXTS)('with a broken byte in $language stays UTF-8', ({ text }) => {
    const bytes = Buffer.from(text);
    for (const at of [0, 10, 40, bytes.length - 1]) {
      const broken = Buffer.from(bytes);
      broken[at] = 0xff;
      expect(decodeBytes(broken).encoding).toBe('utf-8');
    }
  });

  test('is read under a declaration of one byte a character', () => {
    const bytes = Buffer.from('Größe und Kürze');
    for (const charset of ['windows-1252', 'us-ascii', 'windows-1251', 'iso-8859-2'])
      expect(decodeBytes(bytes, { contentType: `text/plain; charset=${charset}` }).text).toBe(
        'Größe und Kürze',
      );
  });

  test('that is declared and refuted by the bytes gives way to a meta, then to a guess', () => {
    const russian = SAMPLES.find(({ encoding }) => encoding === 'windows-1251');
    const bytes = russian?.bytes ?? Buffer.alloc(0);
    const contentType = 'text/html; charset=utf-8';
    expect(decodeBytes(bytes, { contentType, declares: 'html' })).toMatchObject({
      text: russian?.text,
      isGuess: true,
    });
    const meta = Buffer.concat([Buffer.from('<meta charset=windows-1251>'), bytes]);
    expect(decodeBytes(meta, { contentType, declares: 'html' })).toMatchObject({
      encoding: 'windows-1251',
      isGuess: false,
    });
  });

  test('of 16 bits without a mark is recognized', () => {
    const text = 'Ruder und Riemen, größer als gedacht';
    expect(decodeBytes(Buffer.from(text, 'utf16le')).text).toBe(text);
    expect(decodeBytes(Buffer.from(text, 'utf16le').swap16()).text).toBe(text);
  });
});

describe('a meta behind the first 1,024 bytes', () => {
  const text = '码头上的作坊';
  const page = (between: string, charset = 'gbk') =>
    Buffer.concat([
      Buffer.from(`<!doctype html><html><head>${between}<meta charset="${charset}"></head><p>`),
      encodeLegacy(text, 'gb18030'),
    ]);
  const far = 'x'.repeat(3000);

  test.each([
    ['a script', `<script>/*${far}*/</script>`],
    ['a style with a meta in it', `<style>${far}<meta charset="koi8-r"></style>`],
    ['a comment with a meta in it', `<!-- ${far}<meta charset="koi8-r"> -->`],
    ['a script that writes a meta', `<script>${far}document.write('<meta charset="koi8-r">')</script>`],
    [
      'metas without an encoding',
      `<meta name=description content="${far}"><meta name=a content='charset=koi8-r'>`,
    ],
    ['a title with a meta in it', `<title>${far}<meta charset=koi8-r></title>`],
    ['an attribute in capitals', `<SCRIPT>${far}</SCRIPT >`],
  ])('counts after %s', (_name, between) => {
    expect(decodeBytes(page(between), { declares: 'html' })).toMatchObject({
      encoding: 'gbk',
      isGuess: false,
    });
    expect(decodeBytes(page(between), { declares: 'html' }).text).toContain(text);
  });

  test('counts by http-equiv, and does not count in a script that never ends', () => {
    const equiv = Buffer.from(
      `<html><script>${far}</script><meta http-equiv=Content-Type content="text/html; charset=koi8-r">\xd7`,
      'latin1',
    );
    expect(decodeBytes(equiv, { declares: 'html' }).encoding).toBe('koi8-r');
    const open = Buffer.from(`<html><script>${far}<meta charset=koi8-r>é`, 'latin1');
    expect(decodeBytes(open, { declares: 'html' }).encoding).not.toBe('koi8-r');
  });
});

describe('labels that mail and old pages use', () => {
  test.each([
    ['cp932', 'shift_jis'],
    ['windows-936', 'gbk'],
    ['ms949', 'euc-kr'],
    ['x-cp950', 'big5'],
    ['windows-28592', 'iso-8859-2'],
    ['cp20866', 'koi8-r'],
    ['win-1251', 'windows-1251'],
    ['cp65001', 'utf-8'],
    ['"koi8-r"', 'koi8-r'],
  ])('%s is %s', (label, encoding) => {
    expect(decodeBytes(Buffer.from('abc'), { contentType: `text/plain; charset=${label}` }).encoding).toBe(
      encoding,
    );
  });

  test.each(['none', 'x-unknown', 'us-ascii', 'binary', '\u0000'])('%j says nothing', (label) => {
    const { text, bytes } = SAMPLES.find(({ encoding }) => encoding === 'koi8-r') ?? {
      text: '',
      bytes: Buffer.alloc(0),
    };
    expect(decodeBytes(bytes, { contentType: `text/plain; charset=${label}` }).text).toBe(text);
  });
});

test('any bytes are decoded in some way, with or without hints', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('html', 'xml', 'nothing'),
      (bytes, declares) => {
        const { text, encoding } = decodeBytes(bytes, { declares: declares as 'html', url: 'https://x.jp/' });
        expect(typeof text).toBe('string');
        expect(encoding).not.toBe('');
      },
    ),
    { seed: 38, numRuns: 1000 },
  );
});

test('an XML declaration after blank lines names the encoding', () => {
  const xml = '\r\n \n<?xml version="1.0" encoding="iso-8859-2"?><rss><title>żółw</title></rss>';
  const { text, encoding } = decodeBytes(encodeLegacy(xml, 'iso-8859-2'), { declares: 'xml' });
  expect([encoding, text]).toEqual(['iso-8859-2', xml]);
});
