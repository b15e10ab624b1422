import { placesOf } from './words.ts';

/** Names that `isHardCoded` takes for a credential's. */
const NAMES =
  /(?:passw(?:or)?d|passphrase|pwd|secret(?:[_-]?key)?|(?:api|private)[_-]?key|(?:auth|access)[_-]?token)(?!\w)/gi;
/** What is assigned: a literal with a digit in it before a space or what else says that it is no credential. */
const LITERALS = /[=:][\s(]{0,40}(?:\w{0,3}['"`]|%[qQ]?\W|:)[^\s/:,(\d]{0,119}\d/g;
/** Characters between the two, types and brackets among them. */
const APART = 230;

/** Where a name of a credential has a literal after it that may be one: offsets of the names. Linear. */
export function credentialsIn(text: string): number[] {
  const names = placesOf(NAMES, text);
  if (names.length === 0) return [];
  const literals = placesOf(LITERALS, text);
  let next = 0;
  return names.filter((name) => {
    while ((literals[next] ?? text.length) < name) next++;
    return (literals[next] ?? Number.POSITIVE_INFINITY) <= name + APART;
  });
}
