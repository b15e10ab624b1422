import { Broken, type Locked, type LockfileReader } from './locked.ts';
import { LOCKFILES } from './lockfiles.ts';

/** What a worker is sent: one lockfile, with the files beside it that it looks at too. */
export interface ParseJob {
  readonly kind: string;
  readonly path: string;
  readonly content: Uint8Array;
  readonly beside: readonly (readonly [name: string, content: Uint8Array])[];
}

/** What it answers: what the file holds, or what is wrong with it. */
export type ParseAnswer = { readonly locked: Locked } | { readonly broken: string };

/** Who reads a file by its path; undefined for what is no lockfile. */
export function readerOf(path: string): LockfileReader | undefined {
  return LOCKFILES.find((one) => one.wants(path));
}

/** Reads one lockfile; never throws. A file beside it that is broken is taken as not there. */
export function parseLockfile({ kind, path, content, beside }: ParseJob): ParseAnswer {
  const reader = LOCKFILES.find((one) => one.kind === kind);
  if (!reader) return { broken: 'nobody reads files of its kind' };
  const texts = new Map(beside.map(([name, bytes]) => [name, textOf(bytes)]));
  const parse = (known: ReadonlyMap<string, string>) =>
    reader.parse(textOf(content), { path, beside: (name) => known.get(name) });
  try {
    return { locked: parse(texts) };
  } catch (thrown) {
    if (texts.size > 0) {
      try {
        const { notes, ...locked } = parse(new Map());
        return {
          locked: {
            ...locked,
            notes: [...notes, `${[...texts.keys()].join(', ')} beside it cannot be read`],
          },
        };
      } catch {
        // It is the lockfile itself.
      }
    }
    // What others throw may quote the file.
    return {
      broken: thrown instanceof Broken ? thrown.message : `its reader failed with a ${nameOf(thrown)}`,
    };
  }
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'value that is no error';
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
