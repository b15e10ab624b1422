/** What data from outside can do in the wrong place; one bit each, for what a check or an escape rules out. */
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
] as const;

/** Places for harms that only a user's own rules know. */
export const OWN_HARMS = ['own-1', 'own-2', 'own-3', 'own-4', 'own-5', 'own-6'] as const;
export type Harm = (typeof HARMS)[number] | (typeof OWN_HARMS)[number];

const NAMES: readonly Harm[] = [...HARMS, ...OWN_HARMS];

export const ALL_HARMS = 2 ** NAMES.length - 1;

/** A path that was made absolute: one check of its start is then enough. */
export const RESOLVED = 2 ** NAMES.length;
/** Text seen to begin with a quote: with no other quote in it, it is a literal. */
export const QUOTED = 2 ** (NAMES.length + 1);
export const NO_QUOTE = 2 ** (NAMES.length + 2);

export function bitOf(harm: Harm): number {
  return 2 ** NAMES.indexOf(harm);
}

/** The bits of several; `all` for every harm. */
export function bitsOf(harms: readonly Harm[] | 'all'): number {
  return harms === 'all' ? ALL_HARMS : harms.reduce((bits, harm) => bits | bitOf(harm), 0);
}

/** What can no longer happen once a text is known not to hold `text`. */
export function excludedBy(text: string): number {
  let bits = 0;
  if (text.includes('..') || text === '/' || text === '\\') bits |= bitOf('path');
  if (/['"]/.test(text)) bits |= bitsOf(['sql', 'xpath']) | NO_QUOTE;
  if (text.includes('<')) bits |= bitOf('xss');
  if (/[;|&]/.test(text)) bits |= bitOf('command');
  if (text === '(' || text === '*') bits |= bitOf('ldap');
  if (/[\r\n]/.test(text)) bits |= bitsOf(['header', 'log']);
  if (/__proto__|constructor/.test(text)) bits |= bitOf('prototype');
  return bits;
}
