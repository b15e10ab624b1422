import { redactSecrets } from '../../lib/secrets/redact.ts';
import { secretTokensIn } from '../scanners/secrets/token-scan.ts';
import type { LineIndex } from '../trees/lines.ts';
import type { RawFinding } from './finding.ts';
import { MAX_EXCERPT_CHARACTERS, maskAll, maskLiterals, maskSecret } from './mask.ts';

/** A finding before its secrets are masked. The secrets in `hides` must not leave the worker thread. */
export interface UnmaskedFinding extends RawFinding {
  readonly hides?: readonly string[];
}

/** Secrets of this length or more are masked in all lines, shorter ones only in lines with a credential. */
const MIN_LONG_CHARACTERS = 8;

export function hideTokens(text: string): string {
  // The second search replaces dots and slashes by spaces, to find a token before `.txt` in a path.
  const hits = [...secretTokensIn(text), ...secretTokensIn(text.replace(/[./]/g, ' '))];
  return maskAll(
    redactSecrets(text),
    hits.map(({ secret }) => secret),
  );
}

/** Masks a file's secrets in its findings. Removes all excerpts if `areAllSecretsKnown` is false. */
export function hideSecrets(
  findings: readonly UnmaskedFinding[],
  text: LineIndex,
  areAllSecretsKnown: boolean,
): RawFinding[] {
  const secrets = [...new Set(findings.flatMap(({ hides = [] }) => hides))].filter((one) => one !== '');
  const long = secrets.filter(({ length }) => length >= MIN_LONG_CHARACTERS);
  const credentials = findings.filter(({ id, hides }) => hides !== undefined || id.startsWith('secrets/'));
  const lines = new Set(credentials.flatMap(({ line = [] }) => line));
  // Lines that do not contain the secret as plain text, because the code escapes or splits the secret.
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

/** Masks secrets in an excerpt. If the excerpt may end inside a secret, returns the whole masked line. */
function excerptOf(whole: string, excerpt: string, secrets: readonly string[]): string {
  const cut = whole !== excerpt && whole.startsWith(excerpt);
  return maskSecret(cut ? whole : excerpt, ...secrets);
}

function withoutCode({ excerpt: _, ...finding }: RawFinding): RawFinding {
  const { trace } = finding;
  return {
    ...finding,
    // A fingerprint needs `identity` or the excerpt. The excerpt is removed here, so `identity` must be set.
    identity: finding.identity ?? finding.id,
    trace: trace?.map((step) => ({ ...step, note: '' })),
  };
}
