import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { objectOf } from '../importing/import-values.ts';
import { writeWhole } from './write-whole.ts';

/** What an export has written into a folder: the hidden file by which the next one knows what is ours there. */

const NAME = '.magpie-export.jsonl';

export interface NotedFile {
  readonly path: string;
  readonly digest: string;
}

/** Digests by path; several of one where a run was killed. AppError `bad_request` where the folder is another user's. */
export async function exportLog(root: string, owner: string) {
  const file = join(root, NAME);
  const known = await readLog(file, owner);
  const now = new Map<string, string>();
  const handle = await open(file, 'a', 0o600);
  if (known === undefined) await handle.write(`${head(owner)}\n`);
  const before: Map<string, Set<string>> = known ?? new Map();
  return {
    known: before as ReadonlyMap<string, ReadonlySet<string>>,

    /** Before the files are written. */
    async note(files: readonly NotedFile[]): Promise<void> {
      if (files.length === 0) return;
      for (const { path, digest } of files) now.set(path, digest);
      // A line that a killed run left half is ended first.
      await handle.write(
        `\n${files.map(({ path, digest }) => JSON.stringify({ path, digest })).join('\n')}\n`,
      );
    },

    /** What it was before counts no longer: it is as this run noted it, or gone. */
    forget(path: string): void {
      before.delete(path);
    },

    /** One line a file, and what other collections have. */
    async finish(): Promise<void> {
      const lines = [...before].flatMap(([path, digests]) =>
        now.has(path) ? [] : [...digests].map((digest) => JSON.stringify({ path, digest })),
      );
      for (const [path, digest] of now) {
        for (const one of new Set([digest, ...(before.get(path) ?? [])]))
          lines.push(JSON.stringify({ path, digest: one }));
      }
      await writeWhole(file, `${[head(owner), ...lines].join('\n')}\n`);
    },

    close: () => handle.close(),
  };
}

function head(owner: string): string {
  return JSON.stringify({ magpie: 1, owner });
}

/** Undefined where there is none; lines that are broken are left out, so that their files are not taken for ours. */
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
    // A path that leads elsewhere was written by someone else.
    if (!/^[^/\\]+\/[^/\\]+\.md$/.test(path) || path.startsWith('.')) continue;
    known.set(path, (known.get(path) ?? new Set()).add(digest));
  }
  return known;
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(line));
  } catch {
    return {};
  }
}
