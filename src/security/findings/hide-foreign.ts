import { decodeFileText } from '../scans/file-job.ts';
import { createLineIndex, type LineIndex } from '../trees/lines.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';
import { hideTokens } from './hide.ts';
import { findAssignedValueStart, literalsIn, maskAll, maskLiterals } from './mask.ts';
import { isCredentialClass, type MergedFinding } from './merge.ts';

const MAX_FILE_BYTES = 2_000_000;
const MAX_LINES = 200;
const MAX_WORDS = 20_000;
const [MIN_PART, MIN_WORD] = [4, 6];
/** Minimum length of a string literal to mask, in characters including its quotes. */
const MIN_LITERAL = 5;
const BREAK = /([\s'"`,;<>(){}[\]=:@/\\|]+)/;

/** Masks secrets in findings of the scanners in `foreign`, which report only the line of a secret. */
export async function hideSecretsInForeignFindings<T extends MergedFinding>(
  tree: Pick<FileTree, 'files' | 'read'>,
  findings: readonly T[],
  foreign: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<T[]> {
  const out = [...findings];
  const isConcerned = ({ scanners }: MergedFinding) => scanners.some((name) => foreign.has(name));
  if (findings.some(isConcerned)) {
    const isTheirs = ({ scanners: [first = ''] }: MergedFinding) => foreign.has(first);
    const files = new Map(tree.files.map((file) => [file.path, file] as const));
    for (const [path, indexes] of Map.groupBy(findings.keys(), (at) => findings[at]?.path ?? '')) {
      const here = indexes.flatMap((at) => findings[at] ?? []);
      if (!here.some(isConcerned)) continue;
      signal.throwIfAborted();
      const hidden = await hideInFile(tree, files.get(path), here, isTheirs);
      for (const [number, at] of indexes.entries()) {
        const one = hidden[number];
        if (one) out[at] = one;
      }
    }
  }
  return hidePaths(out);
}

async function hideInFile<T extends MergedFinding>(
  tree: Pick<FileTree, 'read'>,
  file: TreeFile | undefined,
  findings: readonly T[],
  isTheirs: (one: MergedFinding) => boolean,
): Promise<T[]> {
  const secret = findings.filter(isCredentialClass);
  // `read` rejects a file that has changed since the scan began, because its line numbers may be wrong.
  const content =
    file && secret.length > 0 && file.bytes <= MAX_FILE_BYTES
      ? await tree.read(file).then(decodeFileText, () => undefined)
      : undefined;
  const words = hiddenWords(secret, createLineIndex(content ?? ''), isTheirs);
  return findings.map((one) => {
    if (isTheirs(one)) return hideWords(one, words.all, words.of(one));
    if (!words.unsure(one) || one.excerpt === undefined) return one;
    return { ...one, excerpt: maskLiterals(one.excerpt) };
  });
}

function hidePaths<T extends MergedFinding>(findings: readonly T[]): T[] {
  const known = new Map<string, string>();
  const shown = (path: string) => {
    const hidden = known.get(path) ?? hideTokens(path);
    known.set(path, hidden);
    return hidden;
  };
  return findings.map((one) => ({
    ...one,
    path: shown(one.path),
    trace: one.trace?.map((step) => ({ ...step, path: shown(step.path) })),
  }));
}

function hiddenWords(
  secret: readonly MergedFinding[],
  lines: LineIndex,
  isTheirs: (one: MergedFinding) => boolean,
) {
  const byLine = new Map<number, readonly string[]>();
  const unsure = new Set<number>();
  const all = new Set<string>();
  // Magpie's own findings come first, because only they show which part of a line is the secret.
  for (const one of [...secret].sort((a, b) => Number(isTheirs(a)) - Number(isTheirs(b)))) {
    const excerpt = isTheirs(one) ? undefined : one.excerpt;
    for (const line of linesIn(one).filter((line) => !byLine.has(line))) {
      if (excerpt === undefined) unsure.add(line);
      const raw = lines.text(line);
      const words = excerpt === undefined ? valuesIn(raw) : notShown(raw, line === one.line ? excerpt : '');
      byLine.set(line, words);
      for (const word of words.slice(0, MAX_WORDS - all.size)) all.add(word);
    }
  }
  return {
    all: all as ReadonlySet<string>,
    of: (one: MergedFinding) =>
      linesIn(one)
        .flatMap((line) => byLine.get(line) ?? [])
        .slice(0, MAX_LINES),
    unsure: (one: MergedFinding) => linesIn(one).some((line) => unsure.has(line)),
  };
}

function linesIn({ line, endLine = line, commit }: MergedFinding): number[] {
  if (line === undefined || endLine === undefined || commit !== undefined) return [];
  return Array.from({ length: Math.min(MAX_LINES, Math.max(1, endLine - line + 1)) }, (_, at) => line + at);
}

function notShown(raw: string, excerpt: string): string[] {
  const shown = new Set(excerpt.split(BREAK));
  return raw.split(BREAK).filter((word) => word.length >= MIN_PART && /\w/.test(word) && !shown.has(word));
}

function valuesIn(raw: string): string[] {
  const quoted = literalsIn(raw)
    .filter(({ start, end }) => end - start >= MIN_LITERAL)
    .map(({ start, end }) => raw.slice(start, end));
  const at = findAssignedValueStart(raw);
  const parts = at < 0 ? quoted : [...quoted, raw.slice(at)];
  return (parts.length > 0 ? parts : [raw])
    .flatMap((part) => part.split(BREAK))
    .filter((word) => word.length >= MIN_WORD);
}

function hideWords<T extends MergedFinding>(one: T, words: ReadonlySet<string>, own: readonly string[]): T {
  const hide = (text: string) => {
    const parts = hideTokens(maskAll(text, own)).split(BREAK);
    return parts.map((part) => (words.has(part.replace(/(?<![.!?…])[.!?…]+$/, '')) ? '…' : part)).join('');
  };
  const { title, description, fix, identity } = one;
  return {
    ...one,
    title: hide(title),
    description: hide(description),
    fix: hide(fix),
    identity: identity === undefined ? undefined : hide(identity),
  };
}
