import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { asObject } from '../importing/import-values.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** A hidden file in an exported folder lists the files that the export wrote. */

const NAME = '.magpie-export.jsonl';

export interface NotedFile {
  readonly path: string;
  readonly digest: string;
}

/** Opens an export's record: the digests of each path. Throws AppError `bad_request` if the folder is another user's export. */
export async function openExportLog(root: string, owner: string) {
  const file = join(root, NAME);
  const known = await readLog(file, owner);
  const now = new Map<string, string>();
  const handle = await open(file, 'a', 0o600);
  if (known === undefined) await handle.write(`${head(owner)}\n`);
  const before: Map<string, Set<string>> = known ?? new Map();
  return {
    known: before as ReadonlyMap<string, ReadonlySet<string>>,

    /** Records files in the log. Must be called before the files are written. */
    async note(files: readonly NotedFile[]): Promise<void> {
      if (files.length === 0) return;
      for (const { path, digest } of files) now.set(path, digest);
      await handle.write(
        `\n${files.map(({ path, digest }) => JSON.stringify({ path, digest })).join('\n')}\n`,
      );
    },

    /** This run has recorded the file again, or the file is gone. */
    forget(path: string): void {
      before.delete(path);
    },

    async finish(): Promise<void> {
      const lines = [...before].flatMap(([path, digests]) =>
        now.has(path) ? [] : [...digests].map((digest) => JSON.stringify({ path, digest })),
      );
      for (const [path, digest] of now) {
        for (const one of new Set([digest, ...(before.get(path) ?? [])]))
          lines.push(JSON.stringify({ path, digest: one }));
      }
      await writeFileAtomically(file, `${[head(owner), ...lines].join('\n')}\n`);
    },

    close: () => handle.close(),
  };
}

function head(owner: string): string {
  return JSON.stringify({ magpie: 1, owner });
}

async function readLog(file: string, owner: string): Promise<Map<string, Set<string>> | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || text === '') return undefined;
  const known = new Map<string, Set<string>>();
  for (const [number, line] of text.split('\n').entries()) {
    const { path, digest, owner: of } = parsed(line);
    if (number === 0 && of !== owner) {
      throw new AppError('bad_request', `${file} is of the export of another user: name another folder`);
    }
    if (typeof path !== 'string' || typeof digest !== 'string') continue;
    // No export can have written a path outside the folder.
    if (!/^[^/\\]+\/[^/\\]+\.md$/.test(path) || path.startsWith('.')) continue;
    known.set(path, (known.get(path) ?? new Set()).add(digest));
  }
  return known;
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return {};
  }
}
