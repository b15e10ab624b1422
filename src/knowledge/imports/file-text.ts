import { AppError, badRequestError, tooLargeError } from '../../errors.ts';
import { addExtensionToReason } from '../importing/add-extension-to-reason.ts';
import { decodeText } from '../importing/decode-text.ts';
import { parseExactJson } from '../importing/format-other-fields.ts';
import type { ImportFile, ImportItem } from '../importing/import-kind.ts';

const FILE_BYTES = 64_000_000;

/** Reads all bytes of a file. Throws AppError `too_large` above 64 MB. */
export async function readImportFileBytes(file: ImportFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of file.chunks()) {
    bytes += part.length;
    if (bytes > FILE_BYTES) throw tooLargeError(`${file.name} is over ${FILE_BYTES / 1e6} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export async function readImportFileText(file: ImportFile): Promise<string> {
  return decodeText(await readImportFileBytes(file), file.name, file.warn);
}

export function parseImportJson(text: string, name: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw badRequestError(`${name} is not JSON`, { cause });
  }
}

export async function* yieldItemsOrProblem(
  file: ImportFile,
  items: AsyncIterable<ImportItem>,
): AsyncGenerator<ImportItem> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { name } = file;
    const { message } = error;
    yield { at: name, problem: message.startsWith(`${name} `) ? message.slice(name.length + 1) : message };
  }
}

export async function readImportFileHead(file: ImportFile): Promise<string> {
  const head = await file.head();
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return wide ? decodeText(head, file.name) : new TextDecoder().decode(head);
}

export const baseName = ({ name }: Pick<ImportFile, 'name'>): string => name.slice(name.lastIndexOf('/') + 1);

export function* skipOtherFiles(
  files: readonly ImportFile[],
  isRead: (file: ImportFile) => boolean,
  skipped: string,
): Generator<ImportItem> {
  const others = files.filter((file) => !isRead(file));
  if (others.length < files.length)
    for (const { name } of others) yield { at: name, skipped: addExtensionToReason(skipped, name) };
}
