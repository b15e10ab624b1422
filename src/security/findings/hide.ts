import { redactSecrets } from '../../lib/secrets/redact.ts';
import { tokensIn } from '../scanners/secrets/token-scan.ts';
import type { Lines } from '../trees/lines.ts';
import type { RawFinding } from './finding.ts';
import { MAX_EXCERPT_CHARACTERS, maskAll, maskLiterals, maskSecret } from './mask.ts';

/** A finding with the secrets that its scanner knows (`hides`). The secrets never leave the worker. */
export interface FileFinding extends RawFinding {
  readonly hides?: readonly string[];
}

/** Minimum characters of a secret that is masked everywhere. A shorter one may be a common word in other lines. */
const MIN_LONG_CHARACTERS = 8;

/** Masks tokens and URL logins in file names and in messages of other programs. */
export function hideTokens(text: string): string {
  // Searches a second time without dots, since a token pattern that allows dots would include a file's extension.
  const hits = [...tokensIn(text), ...tokensIn(text.replace(/[./]/g, ' '))];
  return maskAll(
    redactSecrets(text),
    hits.map(({ secret }) => secret),
  );
}

/** Masks the known secrets of a file in its findings. If `areAllSecretsKnown` is false, the findings show no code at all. */
export function hideSecrets(
  findings: readonly FileFinding[],
  text: Lines,
  areAllSecretsKnown: boolean,
): RawFinding[] {
  const secrets = [...new Set(findings.flatMap(({ hides = [] }) => hides))].filter((one) => one !== '');
  const long = secrets.filter(({ length }) => length >= MIN_LONG_CHARACTERS);
  const credentials = findings.filter(isCredential);
  const lines = new Set(credentials.flatMap(({ line = [] }) => line));
  // Lines with a concatenated or escaped secret, so that the value of the secret is not in the text.
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
    if (!areAllSecretsKnown) return withoutCode(finding);
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

/** Masks an excerpt. A cut excerpt may end within a secret, so it is made again from the whole line. */
function excerptOf(whole: string, excerpt: string, secrets: readonly string[]): string {
  const cut = whole !== excerpt && whole.startsWith(excerpt);
  return maskSecret(cut ? whole : excerpt, ...secrets);
}

function withoutCode({ excerpt: _, ...finding }: RawFinding): RawFinding {
  const { trace } = finding;
  return {
    ...finding,
    // Sets an identity, because the excerpt, which otherwise distinguishes findings of one rule, is removed.
    identity: finding.identity ?? finding.id,
    trace: trace?.map((step) => ({ ...step, note: '' })),
  };
}
