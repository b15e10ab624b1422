import { badRequestError } from '../../errors.ts';
import { blobId } from '../git/local/plain-file.ts';
import { isSafePath, writeTreeFiles } from '../git/write-tree-files.ts';
import { type NamedPackage, parseNamedPackages } from '../packages/named-package.ts';
import type { OpenFileTree, TreeFile } from './tree.ts';

export type GivenContents =
  | { readonly text: string; readonly file?: string | undefined }
  | { readonly package: string };

/** Maximum size of a text in bytes. Most scanners do not read larger files. */
const MAX_TEXT_BYTES = 2_000_000;
const UNNAMED = 'text.txt';

/** Opens a text as a tree with one file, or a package as a tree without files. Throws AppError `bad_request` if invalid. */
export function openContents(contents: GivenContents): OpenFileTree {
  if ('package' in contents) return treeOf([], parseNamedPackages(contents.package));
  const { text, file = UNNAMED } = contents;
  const path = file.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  if (!isSafePath(path)) {
    throw badRequestError(
      'file takes the name of a file, such as src/app.py, by which its language is known',
    );
  }
  const content = Buffer.from(text);
  if (content.length > MAX_TEXT_BYTES) {
    throw badRequestError(`text has ${content.length} bytes: it takes ${MAX_TEXT_BYTES} at most`);
  }
  return treeOf([{ path, content }], []);
}

export function nameOfContents(contents: GivenContents): string {
  if ('package' in contents) return `package ${contents.package.trim().replaceAll('@', ' ').trim()}`;
  return `text ${contents.file ?? ''}`.trim();
}

function treeOf(
  given: readonly { readonly path: string; readonly content: Buffer }[],
  packages: readonly NamedPackage[],
): OpenFileTree {
  const files = given.map(
    ({ path, content }): TreeFile => ({ path, bytes: content.length, blob: blobId(content) }),
  );
  const read = async ({ path }: TreeFile) =>
    given.find((one) => one.path === path)?.content ?? Buffer.alloc(0);
  return {
    files,
    packages,
    left: [],
    gaps: [],
    read,
    materialise: (folder, signal) => writeTreeFiles({ files, read, folder, signal }),
    async *history() {},
    async close() {},
  };
}
