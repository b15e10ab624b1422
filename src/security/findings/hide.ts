import { redactSecrets } from '../../lib/secrets/redact.ts';
import { tokensIn } from '../scanners/secrets/token-scan.ts';
import type { Lines } from '../trees/lines.ts';
import type { RawFinding } from './finding.ts';
import { MAX_EXCERPT_CHARACTERS, maskAll, maskLiterals, maskSecret } from './mask.ts';

/** A finding as a scanner of files makes it: with the secrets that it knows of, which leave its worker nowhere. */
export interface FileFinding extends RawFinding {
  readonly hides?: readonly string[];
}

/** Shorter ones are words that may well stand in what a rule says, and in other lines. */
const MIN_LONG_CHARACTERS = 8;

/** Text of names and of other programs without what has the form of a token, and without logins of addresses. */
export function hideTokens(text: string): string {
  // Some forms may hold dots, so that the end of a file's name would be taken for a part of them.
  const hits = [...tokensIn(text), ...tokensIn(text.replace(/[./]/g, ' '))];
  return maskAll(
    redactSecrets(text),
    hits.map(({ secret }) => secret),
  );
}

/**
 * Findings of one file, in whose words none of the secrets can be read that any of its scanners knows; `known` is
 * false where who would know them has not come to an end, so that no code is shown. Title and remedy are words of a rule, and quote
 * nothing of the file: a password that is a usual word takes nothing out of them.
 */
export function hideSecrets(findings: readonly FileFinding[], text: Lines, known: boolean): RawFinding[] {
  const secrets = [...new Set(findings.flatMap(({ hides = [] }) => hides))].filter((one) => one !== '');
  const long = secrets.filter(({ length }) => length >= MIN_LONG_CHARACTERS);
  const credentials = findings.filter(isCredential);
  const lines = new Set(credentials.flatMap(({ line = [] }) => line));
  // One that is put together, or written with escapes, is not in its line as it is.
  const odd = new Set(
    credentials.flatMap(({ line = 0, hides }) =>
      hides?.every((secret) => !text.text(line).includes(secret)) ? line : [],
    ),
  );
  const maskedExcerpt = (excerpt: string, line: number, here: readonly string[]) => {
    const whole = text.text(line).trim();
    return odd.has(line)
      ? maskLiterals(whole).slice(0, MAX_EXCERPT_CHARACTERS)
      : excerptOf(whole, excerpt, here);
  };
  return findings.map(({ hides: _, ...found }): RawFinding => {
    const finding = { ...found, path: hideTokens(found.path) };
    if (!known) return withoutCode(finding);
    if (secrets.length === 0) return finding;
    const { line = 0, excerpt, identity, trace } = finding;
    const here = lines.has(line) ? secrets : long;
    return {
      ...finding,
      description: maskAll(finding.description, long),
      excerpt: excerpt === undefined ? undefined : maskedExcerpt(excerpt, line, here),
      identity: identity === undefined ? undefined : maskAll(identity, long),
      trace: trace?.map((step) => ({
        ...step,
        note: maskAll(step.note, lines.has(step.line) ? secrets : long),
      })),
    };
  });
}

function isCredential({ id, hides }: FileFinding): boolean {
  return hides !== undefined || id.startsWith('secrets/');
}

/** An excerpt that was cut may end within a secret: then it is made again from its line. */
function excerptOf(whole: string, excerpt: string, secrets: readonly string[]): string {
  const cut = whole !== excerpt && whole.startsWith(excerpt);
  return maskSecret(cut ? whole : excerpt, ...secrets);
}

function withoutCode({ excerpt: _, ...finding }: RawFinding): RawFinding {
  const { trace } = finding;
  return {
    ...finding,
    // The excerpt would have distinguished it from others of its kind.
    identity: finding.identity ?? finding.id,
    trace: trace?.map((step) => ({ ...step, note: '' })),
  };
}
