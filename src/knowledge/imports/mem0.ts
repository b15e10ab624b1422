import { badRequestError } from '../../errors.ts';
import { formatOtherFields } from '../importing/format-other-fields.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  parseTimeMicros,
  toListOrEmpty,
} from '../importing/import-values.ts';
import {
  baseName,
  parseImportJson,
  readImportFileHead,
  readImportFileText,
  skipOtherFiles,
} from './file-text.ts';
import { readRecord } from './record-entry.ts';

const LISTS = ['results', 'memories', 'data'] as const;

export const mem0: ImportKind = {
  name: 'mem0',
  title: 'mem0 or OpenMemory export (JSON or its ZIP)',
  async recognises(files) {
    for (const file of jsonFiles(files)) {
      const head = await readImportFileHead(file);
      if (/^\s*\[/.test(head) && /"memory"\s*:\s*"/.test(head)) return true;
      const isList =
        /"memories"\s*:\s*\[/.test(head) || (/"results"\s*:\s*\[/.test(head) && /"memory"\s*:/.test(head));
      if (/^\s*\{/.test(head) && isList) return true;
    }
    return false;
  },
  async *read(files) {
    const read = new Set(jsonFiles(files));
    for (const file of read) {
      let number = 0;
      const { memories, beside } = memoriesOf(await readImportFileText(file), file.name);
      for (const one of memories) yield* itemsOf(one, `${file.name}, memory ${++number}`);
      yield* itemsBeside(beside, file.name);
    }
    yield* skipOtherFiles(files, (file) => read.has(file), 'not a file of memories');
  },
};

function jsonFiles(files: readonly ImportFile[]): ImportFile[] {
  return files.filter((file) => files.length === 1 || /^memories.*\.json$/i.test(baseName(file)));
}

function memoriesOf(text: string, name: string) {
  const value = parseImportJson(text, name);
  if (Array.isArray(value)) return { memories: toListOrEmpty(value), beside: {} };
  const object = asObject(value);
  const list = LISTS.find((member) => Array.isArray(object[member]));
  if (list === undefined) throw badRequestError(`${name} has no list of memories`);
  const { [list]: memories, ...beside } = object;
  return { memories: toListOrEmpty(memories), beside };
}

/** Imports the `relations` of an export. All other fields except the memories are only counted. */
function* itemsBeside({ relations, ...others }: ImportFields, name: string): Generator<ImportItem> {
  for (const [number, relation] of toListOrEmpty(relations).entries()) {
    const { source, target, destination, relationship, relation: word, ...rest } = asObject(relation);
    const words = [source, relationship ?? word, target ?? destination].map(asTrimmedText);
    const { lines } = formatOtherFields(words.includes(undefined) ? asObject(relation) : rest, new Set());
    const text = [words.includes(undefined) ? '' : `${words.join(' ')}.`, lines.join('\n')].filter(Boolean);
    const at = `${name}, relation ${number + 1}`;
    if (text.length === 0) yield { at, problem: 'has no text' };
    else yield { at, entry: { text: text.join('\n\n'), source: 'mem0', key: `mem0:relation/${text[0]}` } };
  }
  const about = formatOtherFields(others, new Set());
  const count = about.lines.length + about.vectors;
  if (count > 0) yield { at: name, skipped: 'a value beside the list of memories, such as its page', count };
}

const TEXTS = ['memory', 'content', 'text', 'data'];
const DETAILS = {
  names: [/^(?:hash|(?:user|agent|run|app|org|project|actor)id)$/],
  skipped: 'an id of a user, an agent or a memory',
};

function itemsOf(value: unknown, at: string): ImportItem[] {
  const memory = typeof value === 'object' ? asObject(value) : { memory: value };
  const isText = (name: string) => TEXTS.includes(name) && asTrimmedText(memory[name]) !== undefined;
  const texts = TEXTS.filter(isText).map((name) => String(memory[name]).trim());
  if (texts.length === 0) return [{ at, problem: 'has no text' }];
  if (memory.state === 'deleted' || parseTimeMicros(memory.deleted_at) !== undefined)
    return [{ at, skipped: 'a memory that was deleted' }];
  const isUsual = (name: string, given: unknown) =>
    (name === 'state' && given === 'active') || (name === 'score' && Number.isFinite(Number(given)));
  const others = Object.entries(memory).filter(([name, given]) => !isText(name) && !isUsual(name, given));
  const record = { memory: [...new Set(texts)].join('\n\n'), ...Object.fromEntries(others) };
  return readRecord(record, { at, source: 'mem0', prefix: 'mem0:', details: DETAILS });
}
