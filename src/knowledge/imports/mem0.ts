import { AppError } from '../../errors.ts';
import { formatOtherFields, parseExactJson } from '../importing/format-other-fields.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  isParseableTagList,
  isWholeTime,
  parseTimeMicros,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { findField, findTags, parseFieldTime } from '../importing/known-fields.ts';
import { baseName, readImportFileHead, readImportFileText, skipOtherFiles } from './file-text.ts';
import { createSkippedCounter } from './skipped-counter.ts';

const LISTS = ['results', 'memories', 'data'] as const;

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
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (cause) {
    throw new AppError('bad_request', `${name} is not JSON`, { cause });
  }
  if (Array.isArray(value)) return { memories: toListOrEmpty(value), beside: {} };
  const object = asObject(value);
  const list = LISTS.find((member) => Array.isArray(object[member]));
  if (list === undefined) throw new AppError('bad_request', `${name} has no list of memories`);
  const { [list]: memories, ...beside } = object;
  return { memories: toListOrEmpty(memories), beside };
}

/** Reads the relations that an export has beside its memories. Counts other values, such as the page. */
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
const IDS = ['hash', 'user_id', 'agent_id', 'run_id', 'app_id', 'org_id', 'project_id', 'actor_id'];
const isText = (value: unknown) => asTrimmedText(value) !== undefined;

type FieldTests = ReadonlyMap<string, (value: unknown) => boolean>;

/** Fields with a check of their value. An accepted value is not repeated in the text: the entry has it. */
const FIELDS: FieldTests = new Map([
  ...[...TEXTS, 'id', ...IDS].map((name) => [name, isText] as const),
  ['categories', isParseableTagList],
  ['created_at', isWholeTime],
  ['updated_at', isWholeTime],
  ['state', (value) => value === 'active'],
  ['score', (value) => Number.isFinite(Number(value))],
]);
const METADATA_FIELDS: FieldTests = new Map([
  ['tags', isParseableTagList],
  ['category', isParseableTagList],
]);

function takenOf(record: Readonly<Record<string, unknown>>, fields: FieldTests): Set<string> {
  return new Set([...fields].flatMap(([name, isRead]) => (isRead(record[name]) ? [name] : [])));
}

function itemsOf(value: unknown, at: string): ImportItem[] {
  const memory = asObject(value);
  const [name] = TEXTS.filter((one) => isText(memory[one]));
  const text = asTrimmedText(name === undefined ? value : memory[name]);
  if (text === undefined) return [{ at, problem: 'has no text' }];
  if (memory.state === 'deleted' || parseTimeMicros(memory.deleted_at) !== undefined)
    return [{ at, skipped: 'a memory that was deleted' }];
  const id = asTrimmedText(memory.id);
  const metadataName = ['metadata', 'metadata_'].find((one) => Object.keys(asObject(memory[one])).length > 0);
  const metadata = asObject(metadataName === undefined ? undefined : memory[metadataName]);
  const source = asTrimmedText(metadata.source) ?? asTrimmedText(metadata.url);
  const taken = takenOf(memory, FIELDS);
  if (metadataName !== undefined) taken.add(metadataName);
  const rest = formatOtherFields(memory, taken);
  const restOfMetadata = formatOtherFields(metadata, takenOf(metadata, METADATA_FIELDS));
  const others = TEXTS.filter((one) => one !== name).flatMap((one) => asTrimmedText(memory[one]) ?? []);
  const lines = [
    ...rest.lines,
    ...restOfMetadata.lines.filter((line) => line !== `source: ${source}` && line !== `url: ${source}`),
  ];
  const leftOut = createSkippedCounter(at);
  leftOut.add('a vector', rest.vectors + restOfMetadata.vectors);
  leftOut.add('an id of a user, an agent or a memory', IDS.filter((one) => isText(memory[one])).length);
  return [
    {
      at,
      entry: {
        text: [text, ...new Set(others), lines.join('\n')].filter(Boolean).join('\n\n'),
        source: source ?? 'mem0',
        tags: [...findTags(Object.entries(memory)), ...findTags(Object.entries(metadata))],
        key: id && `mem0:${id}`,
        createdAt: findField('made', Object.entries(memory), parseFieldTime)?.value,
        updatedAt: findField('changed', Object.entries(memory), parseFieldTime)?.value,
      },
    },
    ...leftOut.items(),
  ];
}
