import { hideTokens } from '../../findings/hide.ts';

const NAME =
  '(?:key|token|secret|passw(?:or)?d|passphrase|(?<!\\$\\{?)pwd|dsn|auth|bearer|cookie|credential|(?<![a-z])pat(?![a-z]))[\\w-]{0,40}';
const VALUE =
  '(?:(?<=")[^"]{1,20000}|(?<=\')[^\']{1,20000}|(?:(?:bearer|basic)\\s)?[^\\s"\',;&{}()[\\]]{1,20000})';
/** Matches the name and value of a secret: `"API_KEY": "x"`, `TOKEN=x`, `--token x`, `"--token", "x"`. */
const NAMED = new RegExp(
  `((?:${NAME}["']?\\s{0,3}[=:]\\s{0,3}|${NAME}["']\\s{0,3},\\s{0,3}|-[\\w-]{0,40}${NAME}\\s{1,3}|\\bbearer\\s{1,3})["']?)${VALUE}`,
  'gi',
);

/** Masks secrets in a line of settings: known token formats, and values after names such as `API_KEY`. */
export const maskSettings = (line: string): string => hideTokens(line).replace(NAMED, '$1…');

export function joinCommandWords(words: readonly string[]): string {
  const quoted = (word: string) =>
    word.includes('"') ? (word.includes("'") ? word : `'${word}'`) : `"${word}"`;
  return words.map((word) => (/\s/.test(word) ? quoted(word) : word)).join(' ');
}
