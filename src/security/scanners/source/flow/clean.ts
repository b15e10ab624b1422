import { ALL_HARMS, bitsOf, RESOLVED } from '../harm.ts';
import { ALL_OTHERS_NAME } from '../ir.ts';
import type { Given } from './report.ts';
import type { Run } from './run.ts';
import { type Value, withoutHarms } from './values/value.ts';

/** Harms that the name of a function says it rules out. */
const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/(?:sanitiz|sanitis|purif|whitelist|allowlist|safe_?(?:value|string|text|path|name|url))/i, ALL_HARMS],
  [
    /(?:_|\b)(?:esc|h|e)(?:ape)?_?(?:html|xml|attr)|(?:html|xml).*(?:escape|encode)|escape.*(?:html|xml)/i,
    bitsOf(['xss', 'xxe', 'xpath']),
  ],
  [/(?:escape|quote).*(?:shell|cmd|arg)|(?:shell|cmd).*(?:escape|quote)/i, bitsOf(['command'])],
  [/(?:escape|quote).*(?:sql|ident|literal|like|string)|sql.*(?:escape|quote)/i, bitsOf(['sql'])],
  [/(?:escape|encode).*(?:ldap|dn|filter)|ldap.*(?:escape|encode)/i, bitsOf(['ldap'])],
  [/(?:escape|quote).*xpath|xpath.*(?:escape|quote)/i, bitsOf(['xpath'])],
  [/(?:secure|clean|safe)_?file_?name|base_?name|GetFileName/i, bitsOf(['path'])],
  [
    /encodeURIComponent|url_?encode|quote_plus|QueryEscape|(?<!x)PathEscape|EscapeDataString/i,
    bitsOf(['xss', 'redirect', 'ssrf', 'path', 'header']),
  ],
  [/^(?:escape|e|h)$/, bitsOf(['xss'])],
];

/** A longer name says nothing about what it does. */
const MAX_NAME_CHARACTERS = 100;

const UNDOES = /un(?:quote|escape|safe)|decode|deserial/i;

const REPLACES =
  /^(?:replace|replaceAll|Replace|gsub|str_i?replace|preg_replace|ReplaceAll|ReplaceAllString)$/;

/** A regular expression that finds line breaks. */
const BREAKS = /\\[nrsvWDpR]|\[\^/;

/** What is put in place of other characters; "undefined" for what no constant is known of. */
const HARMLESS_TEXT = /^(?!undefined$)[\w -]*$/;

/** `text.replace("'", '')` removes what would break out of quotes, `text.replace(/[^a-z]/g, '')` all that breaks out of anything. */
export function cleanedByReplacing(name: string, args: readonly Given[], value: Value): Value {
  if (!value.taint || !REPLACES.test(name)) return value;
  if (args[0]?.value.path === ALL_OTHERS_NAME && HARMLESS_TEXT.test(String(args[1]?.value.constant))) {
    return withoutHarms(value, ALL_HARMS);
  }
  const regex = args[0]?.value.regex?.source ?? '';
  if (BREAKS.test(regex)) return withoutHarms(value, bitsOf(['header', 'log']));
  const what = args.find((arg) => typeof arg.value.constant === 'string')?.value.constant;
  if (typeof what !== 'string') return value;
  let bits = 0;
  if (/[\r\n]/.test(what)) bits |= bitsOf(['header', 'log']);
  if (/['"]/.test(what)) bits |= bitsOf(['sql', 'xpath']);
  if (/^[/\\]$/.test(what)) bits |= bitsOf(['path']);
  // Without one word there are others: a tag by its name alone is not what opens it.
  if (what.includes('<') && !/[a-z]/i.test(what)) bits |= bitsOf(['xss']);
  if (what.includes('[^')) bits |= ALL_HARMS;
  return withoutHarms(value, bits);
}

/** The value after a call of a function of that name: `escapeHtml`, `safePath`. */
export function cleanedByName(name: string, path: string, value: Value): Value {
  if (!value.taint || name.length > MAX_NAME_CHARACTERS || UNDOES.test(name)) return value;
  let bits = 0;
  for (const [pattern, clean] of BY_NAME) if (pattern.test(name)) bits |= clean;
  if (name === 'escape' && /html|markup/i.test(path)) bits |= bitsOf(['xpath', 'xxe']);
  return withoutHarms(value, bits);
}

/** The value after a call of that path, by the language's list of functions that clean. */
export function cleanedByRule(run: Run, path: string, value: Value): Value {
  if (!value.taint) return value;
  let bits = 0;
  for (const one of run.rules.cleaners.matching(path))
    bits |= bitsOf(one.harms) | (one.resolves ? RESOLVED : 0);
  return withoutHarms(value, bits);
}
