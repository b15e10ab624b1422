import {
  BrokenLockfileError,
  createPackageCollector,
  type LockfileContent,
  type LockfileReader,
} from './lockfile-reader.ts';
import { LOCKFILES } from './lockfiles.ts';

export interface LockfileParseJob {
  readonly kind: string;
  readonly path: string;
  readonly content: Uint8Array;
  readonly beside: readonly (readonly [name: string, content: Uint8Array])[];
}

export type ParseAnswer = { readonly locked: LockfileContent } | { readonly broken: string };

export const readerOf = (path: string): LockfileReader | undefined =>
  LOCKFILES.find((one) => one.wants(path));

/** Parses a lockfile and never throws. If parsing with the files in `beside` fails, retries without them. */
export function parseLockfile({ kind, path, content, beside }: LockfileParseJob): ParseAnswer {
  const reader = LOCKFILES.find((one) => one.kind === kind);
  if (!reader) return { broken: 'there is no reader for its kind' };
  const texts = new Map(beside.map(([name, bytes]) => [name, textOf(bytes)]));
  const parse = (known: ReadonlyMap<string, string>) => {
    const collector = createPackageCollector();
    reader.parse(textOf(content), collector, { path, beside: (name) => known.get(name) });
    return collector.finish();
  };
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
        // The lockfile itself is invalid, because parsing without the files in `beside` failed too.
      }
    }
    // Error messages of libraries may quote the file, so only Magpie's own messages are shown.
    return {
      broken:
        thrown instanceof BrokenLockfileError ? thrown.message : `its reader failed with a ${nameOf(thrown)}`,
    };
  }
}

const nameOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.name : 'value that is not an error';

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
