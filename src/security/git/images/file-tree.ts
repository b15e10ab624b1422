import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { badRequestError, tooLargeError, upstreamError } from '../../../errors.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { moduleUrl } from '../../../lib/workers/module-url.ts';
import { createWorkerPool } from '../../../lib/workers/worker-pool.ts';
import { createOmissions, type ScanOmissions } from '../../scans/omissions.ts';
import type { TreeFile } from '../../trees/tree.ts';
import { quotePathForError } from '../local/folders.ts';
import { blobId, readRegularFile } from '../local/plain-file.ts';
import { createFileSelection, type FileSelection, type TreeOptions } from '../selection.ts';
import type { StoppableTree } from '../store-tree.ts';
import { writeTreeFiles } from '../write-tree-files.ts';
import type { ContainerImageJob, ImageContents } from './extract-image.ts';
import imageGaps from './image-gaps.json' with { type: 'json' };

export interface FileTreeOptions extends Omit<TreeOptions, 'deep'> {
  readonly file: string;
  readonly workFolder: string;
  readonly unpackMs: number;
  progress(message: string): void;
}

const ARCHIVE = /\.(?:tar|tar\.gz|tgz|tar\.zst)$/i;
/** Text that identifies a POSIX tar archive, and the offset of the text in bytes. */
const MAGIC = { at: 257, text: 'ustar' };

/** Opens a file, or the files of an image that was saved as a tar archive. Throws AppError `bad_request`. */
export async function openFileOrImageTree(options: FileTreeOptions): Promise<StoppableTree> {
  const { file, limits, minds } = options;
  const selection = createFileSelection(limits, minds);
  const omissions = createOmissions();
  if (await isArchive(file)) return openImage(options, selection, omissions);
  const content = await readRegularFile(file, limits.fileBytes);
  const path = basename(file);
  const { size } = await withFile(file, (handle) => handle.stat());
  if (selection.fits(path, size)) {
    if (content) selection.addFile({ path, bytes: content.length, blob: blobId(content) });
    else selection.leave('file that cannot be read', 'files that cannot be read', 'unreadable');
  }
  return treeOf(selection, omissions, async () => content ?? Buffer.alloc(0), false);
}

async function isArchive(file: string): Promise<boolean> {
  if (ARCHIVE.test(file)) return true;
  return withFile(file, async (handle) => {
    const { buffer } = await handle.read(Buffer.alloc(MAGIC.text.length), 0, MAGIC.text.length, MAGIC.at);
    return buffer.toString('latin1') === MAGIC.text;
  });
}

async function withFile<T>(path: string, use: (handle: Awaited<ReturnType<typeof open>>) => Promise<T>) {
  const handle = await open(path).catch((cause: unknown) => {
    throw badRequestError(`${quotePathForError(path)} cannot be read: let Magpie read it`, { cause });
  });
  return use(handle).finally(() => handle.close());
}

async function openImage(
  { file, workFolder, limits, unpackMs, signal, progress }: FileTreeOptions,
  selection: FileSelection,
  omissions: ScanOmissions,
): Promise<StoppableTree> {
  const image = await unpack({ ...limits, archive: file, folder: workFolder }, unpackMs, signal, progress);
  for (const [path, { bytes, blob }] of image.files) {
    if (!selection.fits(path, bytes)) continue;
    if (blob !== undefined) selection.addFile({ path, bytes, blob });
    else
      selection.leave(
        'file past the first bytes of the image',
        'files past the first bytes of the image',
        'limits',
      );
  }
  for (const path of image.symbolicLinks) selection.leaveLink(path);
  const { totals, missing, changed, damaged, others } = image;
  const counts = { ...totals, missing, damaged, changed, others };
  for (const [kind, { one, many, fix }] of Object.entries(imageGaps)) {
    const count = counts[kind as keyof typeof imageGaps];
    if (count > 0) omissions.miss('unreadable', formatCount(count, one, many), fix);
  }
  if (totals.isCut) omissions.miss('limits', 'the rest of an image with too many entries or bytes');
  for (let at = 0; at < totals.devices; at++)
    selection.leave('pipe, socket or device', 'pipes, sockets and devices');
  omissions.leave(
    'files of the operating system, binary files, and files of installed packages but their manifests',
  );
  return treeOf(
    selection,
    omissions,
    async ({ path, bytes, blob }) => {
      const content = await readRegularFile(join(workFolder, blob), bytes);
      if (content) return content;
      throw upstreamError(`${quotePathForError(path)} was removed while it was scanned: scan again`);
    },
    true,
  );
}

async function unpack(
  job: ContainerImageJob,
  unpackMs: number,
  signal: AbortSignal,
  progress: (message: string) => void,
): Promise<ImageContents> {
  progress(`unpacking ${basename(job.archive)}`);
  const pool = createWorkerPool<ContainerImageJob, ImageContents | { readonly broken: string }>({
    file: moduleUrl('./image-worker.ts', import.meta.url),
    workers: 1,
    queue: 1,
    idleMs: 1000,
    stopOnAbort: true,
  });
  const outcome = await pool.run(job, unpackMs, signal).finally(() => pool.close());
  const shown = quotePathForError(job.archive);
  if (!('answer' in outcome)) {
    const why =
      outcome.failed === 'time' ? `took over ${unpackMs / 1000} seconds of processor time` : 'failed';
    throw tooLargeError(`unpacking ${shown} ${why}: unpack it yourself and scan the folder`);
  }
  if ('broken' in outcome.answer)
    throw badRequestError(`${shown} is not a tar archive of an image: ${outcome.answer.broken}`);
  return outcome.answer;
}

function treeOf(
  selection: FileSelection,
  omissions: ScanOmissions,
  read: (file: TreeFile) => Promise<Uint8Array>,
  isImage: boolean,
): StoppableTree {
  selection.report(omissions);
  const { files } = selection;
  const { left, gaps } = omissions;
  return {
    files,
    left,
    gaps,
    isImage,
    read,
    materialise: (folder, signal) => writeTreeFiles({ files, read, folder, signal }),
    async *history() {},
    stop() {},
  };
}
