/** Kinds of harm that untrusted input can do. A value has one bit for each harm that is prevented. */
export const HARMS = [
  'sql',
  'command',
  'code',
  'template',
  'ldap',
  'xpath',
  'path',
  'ssrf',
  'xss',
  'deserialisation',
  'redirect',
  'xxe',
  'prototype',
  'trust',
  'regexp',
  'header',
  'log',
  'assignment',
  'nosql',
] as const;

export const USER_RULE_HARMS = ['own-1', 'own-2', 'own-3', 'own-4', 'own-5', 'own-6'] as const;
export type HarmKind = (typeof HARMS)[number] | (typeof USER_RULE_HARMS)[number];

const NAMES: readonly HarmKind[] = [...HARMS, ...USER_RULE_HARMS];

export const ALL_HARM_BITS = 2 ** NAMES.length - 1;

/** Marks a path that `path.resolve` or a similar function returned. A check of its start makes it safe. */
export const RESOLVED_PATH_BIT = 2 ** NAMES.length;
/** Bit set on a text that begins with a quote. With `NO_FURTHER_QUOTE_BIT`, the text is one string literal. */
export const STARTS_WITH_QUOTE_BIT = 2 ** (NAMES.length + 1);
export const NO_FURTHER_QUOTE_BIT = 2 ** (NAMES.length + 2);
/** Bit set on a text in which quotes are escaped. In SQL, such a text is harmless only between quotes. */
export const ESCAPED_QUOTES_BIT = 2 ** (NAMES.length + 3);

export const bitOf = (harm: HarmKind): number => 2 ** NAMES.indexOf(harm);

export const bitsOf = (harms: readonly HarmKind[] | 'all'): number =>
  harms === 'all' ? ALL_HARM_BITS : harms.reduce((bits, harm) => bits | bitOf(harm), 0);

export function preventedWithout(text: string): number {
  let bits = 0;
  if (text.includes('..') || text === '/' || text === '\\') bits |= bitOf('path');
  if (/['"]/.test(text)) bits |= bitsOf(['sql', 'xpath']) | NO_FURTHER_QUOTE_BIT;
  if (text.includes('<')) bits |= bitOf('xss');
  if (/[;|&]/.test(text)) bits |= bitOf('command');
  if (text === '(' || text === '*') bits |= bitOf('ldap');
  if (/[\r\n]/.test(text)) bits |= bitsOf(['header', 'log']);
  if (text.startsWith('$')) bits |= bitOf('nosql');
  if (/__proto__|constructor/.test(text)) bits |= bitOf('prototype');
  return bits;
}
