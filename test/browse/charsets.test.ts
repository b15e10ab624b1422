import { describe, expect, test } from 'vitest';
import { createPageReader } from '../../src/browse/reading/page-reader.ts';
import { CHARSETS, SHUT_OUT } from '../fixtures/charsets.ts';
import { encodeLegacy } from '../helpers/encode-legacy.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';

const desk = sharedReaders();
const reader = createPageReader(desk);

const read = (body: Uint8Array, contentType: string, url = 'https://site.example/page') =>
  reader.readPage({ url, contentType, body }, new AbortController().signal).then(({ page }) => page);
const bytes = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const hex = (digits: string) => Buffer.from(digits, 'hex');

const LABELS = CHARSETS.flatMap(({ labels, sample, text }) =>
  labels.map((label) => ({ label, sample: hex(sample), text })),
);

test('the list contains every label of the Encoding Standard', () => {
  expect(LABELS.length + SHUT_OUT.length).toBe(228);
  expect(new Set([...LABELS.map(({ label }) => label), ...SHUT_OUT]).size).toBe(228);
});

test.each(LABELS)('the charset label $label in the header is applied', async ({ label, sample, text }) => {
  expect((await read(sample, `text/plain; charset=${label}`)).markdown).toBe(text);
  expect((await read(sample, `text/plain;CHARSET="${label.toUpperCase()}"; x=y`)).markdown).toBe(text);
});

/** A page cannot declare by its own letters that its letters are 16 bits wide, nor what has no letters at all. */
const DECLARED = LABELS.filter(
  ({ label }) => !/utf-16|unicode|ucs-2|10646|csunicode|user-defined/.test(label),
);

test.each(DECLARED)(
  'the charset label $label declared by the page is applied',
  async ({ label, sample, text }) => {
    const meta = bytes(`<html><head><meta charset="${label}"></head><p>`, sample, '</p></html>');
    expect((await read(meta, 'text/html')).markdown).toBe(text);
    const xml = bytes(`<?xml version="1.0" encoding="${label}"?><a>`, sample, '</a>');
    expect((await read(xml, 'text/xml')).markdown).toContain(`<a>${text}</a>`);
  },
);

test.each(SHUT_OUT)('the charset %s is refused, as browsers refuse it', async (label) => {
  await expect(read(hex('1b242943'), `text/plain; charset=${label}`)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining(label),
  });
  const meta = bytes(`<html><meta charset=${label}><p>x`);
  await expect(read(meta, 'text/html')).rejects.toMatchObject({ code: 'unsupported' });
});

const GRUESSE = { latin1: hex('6772fcdf65'), utf8: Buffer.from('grüße'), win1251: hex('cff0e8') };

describe('which charset applies', () => {
  test.each<[string, Uint8Array, string, string]>([
    ['the mark before the header', bytes(hex('efbbbf'), GRUESSE.utf8), 'text/plain; charset=koi8-r', 'grüße'],
    [
      'the mark of UTF-16, little end first',
      bytes(hex('fffe'), Buffer.from('grüße', 'utf16le')),
      'text/plain',
      'grüße',
    ],
    [
      'the mark of UTF-16, big end first',
      bytes(hex('feff'), Buffer.from('grüße', 'utf16le').swap16()),
      'text/plain',
      'grüße',
    ],
    [
      'a page in UTF-16 with a mark',
      bytes(hex('fffe'), Buffer.from('<html><p>grüße</p>', 'utf16le')),
      'text/html',
      'grüße',
    ],
    [
      'the header before the page',
      bytes('<html><meta charset=koi8-r><p>', GRUESSE.win1251),
      'text/html; charset=windows-1251',
      'При',
    ],
    [
      'the page where the header has no such encoding',
      bytes('<html><meta charset=windows-1251><p>', GRUESSE.win1251),
      'text/html; charset=none-such',
      'При',
    ],
    [
      'meta http-equiv',
      bytes(
        '<html><meta http-equiv=Content-Type content="text/html; charset=windows-1251"><p>',
        GRUESSE.win1251,
      ),
      'text/html',
      'При',
    ],
    [
      'meta in a comment counts not',
      bytes('<html><!-- <meta charset=koi8-r> --><p>', GRUESSE.utf8),
      'text/html',
      'grüße',
    ],
    [
      'a page that says UTF-16 in letters of 8 bits',
      bytes('<html><meta charset=utf-16le><p>', GRUESSE.utf8),
      'text/html',
      'grüße',
    ],
    [
      'UTF-16 without a mark or a word',
      Buffer.from('<html lang=pl><p>Żółta łódź stoi przy nabrzeżu.</p></html> ', 'utf16le'),
      'text/html',
      'Żółta łódź stoi',
    ],
    [
      'UTF-16 with the big end first, without a mark or a word',
      Buffer.from('<html lang=pl><p>Żółta łódź stoi przy nabrzeżu.</p></html> ', 'utf16le').swap16(),
      'text/html',
      'Żółta łódź stoi',
    ],
    [
      'an encoding of several bytes under the usual wrong header',
      bytes('<html><meta charset=shift_jis><p>', encodeLegacy('黄色い船が岸壁に', 'shift_jis')),
      'text/html; charset=iso-8859-1',
      '黄色い船が岸壁に',
    ],
    ['UTF-8 under the usual wrong header', GRUESSE.utf8, 'text/plain; charset=iso-8859-1', 'grüße'],
    ['UTF-8 without a word', GRUESSE.utf8, 'text/plain', 'grüße'],
    ['Latin-1 without a word', GRUESSE.latin1, 'text/plain', 'grüße'],
    ['quotation marks of windows-1252 under Latin-1', hex('93616294'), 'text/plain; charset=latin1', '“ab”'],
    ['bytes that their encoding does not have', hex('61ff62'), 'text/plain; charset=utf-8', 'a\ufffdb'],
    ['a header in apostrophes', GRUESSE.win1251, "text/plain; charset='windows-1251'", 'При'],
    ['a parameter whose name only ends so', GRUESSE.utf8, 'text/plain; xcharset=koi8-r', 'grüße'],
    ['Korean beyond KS X 1001', hex('8c63b0a2'), 'text/plain; charset=euc-kr', '똠각'],
    ['Japanese signs of NEC', hex('8740'), 'text/plain; charset=shift_jis', '①'],
    ['Cantonese', hex('8b7e'), 'text/plain; charset=big5', '𠸑'],
  ])('%s', async (_name, body, type, text) => {
    expect((await read(body, type)).markdown).toContain(text);
  });
});
