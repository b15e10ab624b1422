import { placesOf } from './words.ts';

const NAMES =
  /(?:passw(?:or)?d|passphrase|pwd|secret(?:[_-]?key)?|(?:api|private|encryption|crypto|signing|hmac|aes|cipher)[_-]?key|(?:auth|access)[_-]?token|token[_-]?salt)(?!\w)/gi;
const KEY = /(?<![\w$.])KEY(?!\w)/g;
/** Matches an assigned literal up to its first digit. Excludes characters that credentials do not contain. */
const LITERALS = /[=:][\s(]{0,40}(?:\w{0,3}['"`]|%[qQ]?\W|:)[^\s/:,(\d]{0,119}\d/g;
/** Maximum number of characters between a variable's name and its literal, such as a type annotation or brackets. */
const MAX_GAP = 230;

export function findCredentialOffsets(text: string): number[] {
  const names = [...placesOf(NAMES, text), ...placesOf(KEY, text)].sort((a, b) => a - b);
  if (names.length === 0) return [];
  const literals = placesOf(LITERALS, text);
  let next = 0;
  return names.filter((name) => {
    while ((literals[next] ?? text.length) < name) next++;
    return (literals[next] ?? Number.POSITIVE_INFINITY) <= name + MAX_GAP;
  });
}
