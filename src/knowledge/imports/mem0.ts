import { AppError } from '../../errors.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asList, asObject, asTrimmedText, parseTags, parseTimeMicros } from '../importing/import-values.ts';
import { baseName, readImportFileHead, readImportFileText } from './file-text.ts';

const LISTS = ['results', 'memories', 'data'] as const;

/** Reads memories of mem0, as returned by its API or exported from its platform or OpenMemory. */
export const mem0: ImportKind = {
  name: 'mem0',
  title: 'mem0 or OpenMemory export (JSON or its ZIP)',
  async recognises(files) {
    for (const file of jsonFiles(files)) {
      const head = await readImportFileHead(file);
      if (/^\s*\[/.test(head) && /"memory"\s*:\s*"/.test(head)) return true;
      if (/^\s*\{/.test(head) && /"(?:results|memories)"\s*:\s*\[/.test(head)) return true;
    }
    return false;
  },
  async *read(files) {
    for (const file of jsonFiles(files)) {
      let number = 0;
      for (const one of memoriesOf(await readImportFileText(file), file.name))
        yield itemOf(one, `${file.name}, memory ${++number}`);
    }
  },
};

function jsonFiles(files: readonly ImportFile[]): ImportFile[] {
  return files.filter((file) =>
    files.length === 1 ? /\.json$|^-$/i.test(file.name) : /^memories.*\.json$/i.test(baseName(file)),
  );
}

function memoriesOf(text: string, name: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('bad_request', `${name} is not JSON`, { cause });
  }
  if (Array.isArray(value)) return value;
  const object = asObject(value);
  const list = LISTS.find((member) => Array.isArray(object[member]));
  if (list === undefined) throw new AppError('bad_request', `${name} has no list of memories`);
  return asList(object[list]);
}

function itemOf(value: unknown, at: string): ImportItem {
  const memory = asObject(value);
  const text =
    asTrimmedText(memory.memory) ??
    asTrimmedText(memory.content) ??
    asTrimmedText(memory.text) ??
    asTrimmedText(value);
  if (text === undefined) return { at, problem: 'has no text' };
  if (memory.state === 'deleted' || parseTimeMicros(memory.deleted_at) !== undefined)
    return { at, skipped: 'a memory that was deleted' };
  const id = asTrimmedText(memory.id);
  const metadata = asObject(memory.metadata ?? memory.metadata_);
  return {
    at,
    entry: {
      text,
      source: asTrimmedText(metadata.source) ?? asTrimmedText(metadata.url) ?? 'mem0',
      tags: [...parseTags(memory.categories), ...parseTags(metadata.tags), ...parseTags(metadata.category)],
      key: id && `mem0:${id}`,
      createdAt: parseTimeMicros(memory.created_at),
      updatedAt: parseTimeMicros(memory.updated_at),
    },
  };
}
