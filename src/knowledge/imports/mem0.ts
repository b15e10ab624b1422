import { AppError } from '../../errors.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asList, asObject, asTrimmedText, parseTags, parseTimeMicros } from '../importing/import-values.ts';
import { parseExactJson, restLines } from '../importing/rest-lines.ts';
import { baseName, readImportFileHead, readImportFileText, skipOtherFiles } from './file-text.ts';
import { createLeftOut } from './left-out.ts';

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
    const read = new Set(jsonFiles(files));
    for (const file of read) {
      let number = 0;
      for (const one of memoriesOf(await readImportFileText(file), file.name))
        yield* itemsOf(one, `${file.name}, memory ${++number}`);
    }
    yield* skipOtherFiles(files, (file) => read.has(file), 'not a file of memories');
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
    value = parseExactJson(text);
  } catch (cause) {
    throw new AppError('bad_request', `${name} is not JSON`, { cause });
  }
  if (Array.isArray(value)) return value;
  const object = asObject(value);
  const list = LISTS.find((member) => Array.isArray(object[member]));
  if (list === undefined) throw new AppError('bad_request', `${name} has no list of memories`);
  return asList(object[list]);
}

/** Fields that an entry takes, and those that say nothing to a reader: ids and digests. */
const TAKEN = new Set(
  [
    'memory',
    'content',
    'text',
    'data',
    'categories',
    'metadata',
    'metadata_',
    'created_at',
    'updated_at',
    'state',
    'deleted_at',
    'score',
  ].concat(...['id', 'hash', 'user_id', 'agent_id', 'run_id', 'app_id', 'org_id', 'project_id', 'actor_id']),
);
const IDS = ['hash', 'user_id', 'agent_id', 'run_id', 'app_id', 'org_id', 'project_id', 'actor_id'];
const TAKEN_METADATA = new Set(['tags', 'category']);

function itemsOf(value: unknown, at: string): ImportItem[] {
  const memory = asObject(value);
  const names = ['memory', 'content', 'text', 'data'];
  const [name] = names.filter((one) => asTrimmedText(memory[one]) !== undefined);
  const text = asTrimmedText(name === undefined ? value : memory[name]);
  if (text === undefined) return [{ at, problem: 'has no text' }];
  if (memory.state === 'deleted' || parseTimeMicros(memory.deleted_at) !== undefined)
    return [{ at, skipped: 'a memory that was deleted' }];
  const id = asTrimmedText(memory.id);
  const metadata = asObject(memory.metadata ?? memory.metadata_);
  const source = asTrimmedText(metadata.source) ?? asTrimmedText(metadata.url);
  const rest = restLines(memory, TAKEN);
  const restOfMetadata = restLines(metadata, TAKEN_METADATA);
  const others = names.filter((one) => one !== name).flatMap((one) => asTrimmedText(memory[one]) ?? []);
  const lines = [
    ...rest.lines,
    ...restOfMetadata.lines.filter((line) => line !== `source: ${source}` && line !== `url: ${source}`),
  ];
  const leftOut = createLeftOut(at);
  leftOut.add('a vector', rest.vectors + restOfMetadata.vectors);
  leftOut.add(
    'an id of a user, an agent or a memory',
    IDS.filter((one) => asTrimmedText(memory[one])).length,
  );
  return [
    {
      at,
      entry: {
        text: [text, ...new Set(others), lines.join('\n')].filter(Boolean).join('\n\n'),
        source: source ?? 'mem0',
        tags: [...parseTags(memory.categories), ...parseTags(metadata.tags), ...parseTags(metadata.category)],
        key: id && `mem0:${id}`,
        createdAt: parseTimeMicros(memory.created_at),
        updatedAt: parseTimeMicros(memory.updated_at),
      },
    },
    ...leftOut.items(),
  ];
}
