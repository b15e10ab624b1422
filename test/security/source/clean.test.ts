import { expect, test } from 'vitest';
import { cleanedByName, cleanedByReplacing } from '../../../src/security/scanners/source/flow/clean.ts';
import type { Value } from '../../../src/security/scanners/source/flow/values/value.ts';
import { bitOf, excludedBy, HARMS, NO_QUOTE } from '../../../src/security/scanners/source/harm.ts';

/** What escaping, replacing and checking rule out, and what they do not: every harm of each. */

const TAINTED = { taint: { origin: 'request', clean: 0, flow: { line: 1, note: '', length: 1 } } } as Value;
const ALL = [...HARMS];

/** The harms that a value can no longer do. */
function ruledOut(value: Value): string[] {
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
  expect(ruledOut(cleanedByName(name, name, TAINTED))).toEqual(harms);
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
])('%s() undoes what it names, and rules out nothing', (name) => {
  expect(cleanedByName(name, `html.${name}`, TAINTED)).toBe(TAINTED);
});

test('escape() of a module for HTML rules out more than one of any other', () => {
  expect(ruledOut(cleanedByName('escape', 'html.escape', TAINTED))).toEqual(['xpath', 'xss', 'xxe']);
  expect(ruledOut(cleanedByName('escape', 'markupsafe.escape', TAINTED))).toEqual(['xpath', 'xss', 'xxe']);
  expect(ruledOut(cleanedByName('escape', 're.escape', TAINTED))).toEqual(['xss']);
  expect(ruledOut(cleanedByName('quote', 'html.quote', TAINTED))).toEqual([]);
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
  expect(ruledOut(cleanedByReplacing('replace', given(what, ''), TAINTED))).toEqual(harms);
});

test.each(['replace', 'replaceAll', 'Replace', 'gsub', 'str_replace', 'ReplaceAll'])(
  '%s() replaces',
  (name) => {
    expect(ruledOut(cleanedByReplacing(name, given('<'), TAINTED))).toEqual(['xss']);
    expect(ruledOut(cleanedByReplacing(name, given(1, '<'), TAINTED))).toEqual(['xss']);
  },
);

test('what replaces nothing, or by what is unknown, rules out nothing', () => {
  for (const name of ['replaced', 'doReplace', 'split']) {
    expect(cleanedByReplacing(name, given('<'), TAINTED)).toBe(TAINTED);
  }
  expect(cleanedByReplacing('replace', [{ value: {} }], TAINTED)).toBe(TAINTED);
  expect(cleanedByReplacing('replace', given(1), TAINTED)).toBe(TAINTED);
});

test('what carries no data from outside stays as it is', () => {
  const plain: Value = { constant: 'a' };
  expect(cleanedByName('escapeHtml', 'escapeHtml', plain)).toBe(plain);
  expect(cleanedByReplacing('replace', given('<'), plain)).toBe(plain);
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
])('a text known not to hold %j can no longer do %j', (text, harms) => {
  const bits = excludedBy(text);
  expect(HARMS.filter((harm) => (bits & bitOf(harm)) !== 0)).toEqual(harms);
  expect((bits & NO_QUOTE) !== 0).toBe(/['"]/.test(text));
});
