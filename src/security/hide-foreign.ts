import { textOf } from './file-job.ts';
import { hideTokens } from './hide.ts';
import { type Lines, linesOf } from './lines.ts';
import { maskAll, maskLiterals } from './mask.ts';
import { type Found, isCredentialClass } from './merge.ts';
import type { Tree } from './tree.ts';

/** Most bytes of a file whose lines are looked at, lines of one secret, and words that are hidden in one file. */
const [BYTES, SPAN, WORDS] = [2_000_000, 200, 20_000];
/** Shorter parts of a secret tell nothing; of a line that only others call a secret, longer words count. */
const [PART, WORD] = [4, 6];
const BREAK = /([\s'"`,;<>(){}[\]=:@/\\|]+)/;

/**
 * What programs of others, lockfiles and ignore files say may quote a secret: in their words, and in file names, it is
 * masked. `foreign` are the scanners that say it; what scanners of files say is masked in their worker. In words go
 * what has a token's form, and every word of a line with a secret that our excerpt of that line does not show; of
 * lines that only they call secret, what is quoted or assigned there.
 */
export async function hideForeign<T extends Found>(
  tree: Pick<Tree, 'files' | 'read'>,
  findings: readonly T[],
  foreign: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<T[]> {
  const out = [...findings];
  const isTheirs = ({ scanners: [first = ''] }: Found) => foreign.has(first);
  const concerned = findings.some(({ scanners }) => scanners.some((name) => foreign.has(name)));
  const files = new Map(concerned ? tree.files.map((file) => [file.path, file] as const) : []);
  const groups = concerned
    ? Map.groupBy(
        findings.map((_, at) => at),
        (at) => findings[at]?.path ?? '',
      )
    : new Map<string, number[]>();
  for (const [path, indexes] of groups) {
    const here = indexes.flatMap((at) => findings[at] ?? []);
    if (!here.some(({ scanners }) => scanners.some((name) => foreign.has(name)))) continue;
    signal.throwIfAborted();
    const file = files.get(path);
    const secret = here.filter(isCredentialClass);
    // A file that has changed meanwhile has no lines to go by.
    const content =
      file && secret.length > 0 && file.bytes <= BYTES
        ? await tree.read(file).then(textOf, () => undefined)
        : undefined;
    const lines = linesOf(content ?? '');
    const words = hiddenWords(secret, lines, isTheirs);
    for (const at of indexes) {
      const one = findings[at];
      if (!one) continue;
      out[at] = isTheirs(one)
        ? hideWords(one, words.all, words.of(one))
        : words.unsure(one) && one.excerpt !== undefined
          ? { ...one, excerpt: maskLiterals(one.excerpt) }
          : one;
    }
  }
  const paths = new Map<string, string>();
  const shown = (path: string) => {
    const known = paths.get(path) ?? hideTokens(path);
    paths.set(path, known);
    return known;
  };
  return out.map((one) => ({
    ...one,
    path: shown(one.path),
    ...(one.trace && { trace: one.trace.map((step) => ({ ...step, path: shown(step.path) })) }),
  }));
}

function hiddenWords(secret: readonly Found[], lines: Lines, isTheirs: (one: Found) => boolean) {
  const byLine = new Map<number, readonly string[]>();
  const unsure = new Set<number>();
  const all = new Set<string>();
  // Ours first: of a line that both know, our excerpt says what may be shown.
  for (const one of [...secret].sort((a, b) => Number(isTheirs(a)) - Number(isTheirs(b)))) {
    for (const line of linesIn(one)) {
      if (byLine.has(line)) continue;
      const raw = lines.text(line);
      const ours = !isTheirs(one) && one.excerpt !== undefined;
      if (!ours) unsure.add(line);
      const words = ours ? notShown(raw, line === one.line ? (one.excerpt ?? '') : '') : valuesIn(raw);
      byLine.set(line, words);
      for (const word of words) if (all.size < WORDS) all.add(word);
    }
  }
  return {
    all: all as ReadonlySet<string>,
    of: (one: Found) =>
      linesIn(one)
        .flatMap((line) => byLine.get(line) ?? [])
        .slice(0, SPAN),
    unsure: (one: Found) => linesIn(one).some((line) => unsure.has(line)),
  };
}

function linesIn({ line, endLine = line, commit }: Found): number[] {
  if (line === undefined || endLine === undefined || commit !== undefined) return [];
  return Array.from({ length: Math.min(SPAN, Math.max(1, endLine - line + 1)) }, (_, at) => line + at);
}

function notShown(raw: string, excerpt: string): string[] {
  const shown = new Set(excerpt.split(BREAK));
  return raw.split(BREAK).filter((word) => word.length >= PART && /\w/.test(word) && !shown.has(word));
}

/** What is quoted in a line, or stands after its first sign of an assignment; all of a line without either. */
function valuesIn(raw: string): string[] {
  const quoted = raw.match(/(["'`])(?:\\.|(?!\1).){3,}\1/g) ?? [];
  const assigned = /[=:]\s*(\S.*)$/.exec(raw)?.[1];
  const parts = assigned === undefined ? quoted : [...quoted, assigned];
  return (parts.length > 0 ? parts : [raw])
    .flatMap((part) => part.split(BREAK))
    .filter((word) => word.length >= WORD);
}

function hideWords<T extends Found>(one: T, words: ReadonlySet<string>, own: readonly string[]): T {
  const hide = (text: string) => {
    const parts = hideTokens(maskAll(text, own)).split(BREAK);
    return parts.map((part) => (words.has(part.replace(/[.!?…]+$/, '')) ? '…' : part)).join('');
  };
  const { title, description, fix, identity } = one;
  return {
    ...one,
    title: hide(title),
    description: hide(description),
    fix: hide(fix),
    ...(identity !== undefined && { identity: hide(identity) }),
  };
}
