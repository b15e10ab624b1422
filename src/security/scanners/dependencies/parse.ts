import { Broken, type Locked, type LockfileReader } from './locked.ts';
import { LOCKFILES } from './lockfiles.ts';

/** The worker's input: one lockfile, with the files beside it that its reader also needs. */
export interface ParseJob {
  readonly kind: string;
  readonly path: string;
  readonly content: Uint8Array;
  readonly beside: readonly (readonly [name: string, content: Uint8Array])[];
}

/** The worker's answer: what the file holds, or the problem with it. */
export type ParseAnswer = { readonly locked: Locked } | { readonly broken: string };

/** The reader of a file by its path; undefined for a file that is not a lockfile. */
export function readerOf(path: string): LockfileReader | undefined {
  return LOCKFILES.find((one) => one.wants(path));
}

/** Reads one lockfile; never throws. A broken file beside it counts as missing. */
export function parseLockfile({ kind, path, content, beside }: ParseJob): ParseAnswer {
  const reader = LOCKFILES.find((one) => one.kind === kind);
  if (!reader) return { broken: 'there is no reader for its kind' };
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
    // Errors of libraries may quote the file.
    return {
      broken: thrown instanceof Broken ? thrown.message : `its reader failed with a ${nameOf(thrown)}`,
    };
  }
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'value that is not an error';
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
