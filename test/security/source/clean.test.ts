import { expect, test } from 'vitest';
import {
  sanitizeByName,
  sanitizeByReplacement,
} from '../../../src/security/scanners/source/flow/sanitize.ts';
import type { AbstractValue } from '../../../src/security/scanners/source/flow/values/value.ts';
import {
  bitOf,
  HARMS,
  NO_FURTHER_QUOTE_BIT,
  preventedWithout,
} from '../../../src/security/scanners/source/harm.ts';

/** What escaping, replacing and checking rule out, and what they do not: every harm of each. */

const TAINTED = {
  taint: { origin: 'request', clean: 0, flow: { line: 1, note: '', length: 1 } },
} as AbstractValue;
const ALL = [...HARMS];

/** The harms that a value can no longer do. */
function ruledOut(value: AbstractValue): string[] {
  return HARMS.filter((harm) => ((value.taint?.clean ?? 0) & bitOf(harm)) !== 0);
}

test.each([
  ['sanitize', ALL],
  ['sanitise', ALL],
  ['purify', ALL],
  ['whitelist', ALL],
  ['allowlisted', ALL],
  ['safeUrl', ALL],
  ['safe_path', ALL],
  ['escapeHtml', ['xpath', 'xss', 'xxe']],
  ['htmlEscape', ['xpath', 'xss', 'xxe']],
  ['escape_xml', ['xpath', 'xss', 'xxe']],
  ['esc_attr', ['xpath', 'xss', 'xxe']],
  ['escAttr', ['xpath', 'xss', 'xxe']],
  ['my_hxml', ['xpath', 'xss', 'xxe']],
  ['escapeForHtml', ['xpath', 'xss', 'xxe']],
  ['cmdArgEscape', ['command']],
  ['sqlTextEscape', ['sql']],
  ['escapeForLdap', ['ldap']],
  ['escapeForXpath', ['xpath']],
  ['secureFilename', ['path']],
  ['GetFileNameWithoutExtension', ['path']],
  ['urlencode', ['path', 'ssrf', 'xss', 'redirect', 'header']],
  [`sanitize${'x'.repeat(92)}`, ALL],
  [`sanitize${'x'.repeat(93)}`, []],
  ['escapeshellarg', ['command']],
  ['shell_quote', ['command']],
  ['quoteArg', ['command']],
  ['escapeSql', ['sql']],
  ['quote_ident', ['sql']],
  ['mysqli_real_escape_string', ['sql']],
  ['escape_filter_chars', ['ldap']],
  ['ldapEncode', ['ldap']],
  ['xpathEscape', ['xpath']],
  ['secure_filename', ['path']],
  ['basename', ['path']],
  ['GetFileName', ['path']],
  ['encodeURIComponent', ['path', 'ssrf', 'xss', 'redirect', 'header']],
  ['quote_plus', ['path', 'ssrf', 'xss', 'redirect', 'header']],
  ['escape', ['xss']],
  ['e', ['xss']],
  ['h', ['xss']],
  ['trim', []],
  ['header', []],
  ['shell', []],
])('%s() rules out %j', (name, harms) => {
  expect(ruledOut(sanitizeByName(name, name, TAINTED))).toEqual(harms);
});

test.each([
  'unescapeHtml',
  'unsafeSanitized',
  'htmlUnescape',
  'unquote_shell_arg',
  'decodeSanitized',
  'sanitizedDecode',
  'unquote_plus',
  'urlEncodeDecode',
  'deserializeSafeString',
])('%s() undoes the sanitizing that its name contains, and rules out nothing', (name) => {
  expect(sanitizeByName(name, `html.${name}`, TAINTED)).toBe(TAINTED);
});

test('escape() of an HTML module rules out more harms than escape() of another module', () => {
  expect(ruledOut(sanitizeByName('escape', 'html.escape', TAINTED))).toEqual(['xpath', 'xss', 'xxe']);
  expect(ruledOut(sanitizeByName('escape', 'markupsafe.escape', TAINTED))).toEqual(['xpath', 'xss', 'xxe']);
  expect(ruledOut(sanitizeByName('escape', 're.escape', TAINTED))).toEqual(['xss']);
  expect(ruledOut(sanitizeByName('quote', 'html.quote', TAINTED))).toEqual([]);
});

const given = (...texts: readonly (string | number)[]) => texts.map((constant) => ({ value: { constant } }));

test.each([
  ['<', ['xss']],
  ["'", ['sql', 'xpath']],
  ['"', ['sql', 'xpath']],
  [`<'`, ['sql', 'xpath', 'xss']],
  ['[^a-z]', ALL],
  [';', []],
  ['&', []],
  ['..', []],
  ['x', []],
  // A beginning is replaced, and not all but some characters.
  ['(^\\s+|\\s+$)', []],
  ['x^', []],
])('replacing %j rules out %j', (what, harms) => {
  expect(ruledOut(sanitizeByReplacement('replace', given(what, ''), TAINTED))).toEqual(harms);
});

test.each(['replace', 'replaceAll', 'Replace', 'gsub', 'str_replace', 'ReplaceAll'])(
  '%s() is a replacement',
  (name) => {
    expect(ruledOut(sanitizeByReplacement(name, given('<'), TAINTED))).toEqual(['xss']);
    expect(ruledOut(sanitizeByReplacement(name, given(1, '<'), TAINTED))).toEqual(['xss']);
  },
);

test('a call that replaces nothing, or an unknown text, rules out nothing', () => {
  for (const name of ['replaced', 'doReplace', 'split']) {
    expect(sanitizeByReplacement(name, given('<'), TAINTED)).toBe(TAINTED);
  }
  expect(sanitizeByReplacement('replace', [{ value: {} }], TAINTED)).toBe(TAINTED);
  expect(sanitizeByReplacement('replace', given(1), TAINTED)).toBe(TAINTED);
});

test('a value without data from outside is unchanged', () => {
  const plain: AbstractValue = { constant: 'a' };
  expect(sanitizeByName('escapeHtml', 'escapeHtml', plain)).toBe(plain);
  expect(sanitizeByReplacement('replace', given('<'), plain)).toBe(plain);
});

test.each([
  ['..', ['path']],
  ['/', ['path']],
  ['\\', ['path']],
  ['a/b', []],
  ["'", ['sql', 'xpath']],
  ['"', ['sql', 'xpath']],
  ['<', ['xss']],
  ['<script', ['xss']],
  [';', ['command']],
  ['|', ['command']],
  ['&', ['command']],
  ['(', ['ldap']],
  ['*', ['ldap']],
  ['(a)', []],
  ['\r', ['header', 'log']],
  ['a\n', ['header', 'log']],
  ['__proto__', ['prototype']],
  ['constructor', ['prototype']],
  ['a', []],
  ['.', []],
])('a text known not to contain %j is safe from %j', (text, harms) => {
  const bits = preventedWithout(text);
  expect(HARMS.filter((harm) => (bits & bitOf(harm)) !== 0)).toEqual(harms);
  expect((bits & NO_FURTHER_QUOTE_BIT) !== 0).toBe(/['"]/.test(text));
});
