import { hideTokens } from '../../findings/hide.ts';

const NAME = '(?:key|token|secret|passw(?:or)?d|auth|cookie|credential)[\\w-]{0,40}';
/** Matches a value after the name of a secret: `"API_KEY": "x"`, `TOKEN=x`, `--token x`, `"--token", "x"`. */
const NAMED = new RegExp(
  `(${NAME}["']?\\s{0,3}[=:]\\s{0,3}["']?|${NAME}["']\\s{0,3},\\s{0,3}["']|-[\\w-]{0,40}${NAME}\\s)[^\\s"',;&{}()[\\]]{1,500}`,
  'gi',
);

/** Masks secrets in a line of settings, also those that are known only by the name before them. */
export function maskSettings(line: string): string {
  return hideTokens(line).replace(NAMED, '$1…');
}
