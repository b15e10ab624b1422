import { Readable } from 'node:stream';
import { AppError, badRequestError } from '../../errors.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { formatOtherFields, parseExactJson } from '../importing/format-other-fields.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asObject, type ImportFields } from '../importing/import-values.ts';
import { rankField } from '../importing/known-fields.ts';
import { titleFromFileName } from '../importing/note.ts';
import { MARKDOWN_FILE } from '../importing/notes/note-file.ts';
import { readRichText } from '../importing/rich-text/rich-text.ts';
import { createUniqueNames } from '../importing/unique-names.ts';
import { readEnexNotes } from './enex.ts';
import {
  parseImportJson,
  readImportFileHead,
  readImportFileText,
  skipOtherFiles,
  yieldItemsOrProblem,
} from './file-text.ts';
import { splitActivityPage } from './gemini-page.ts';
import { jsonItems } from './json-items.ts';
import { type FoundRecord, parseJoplinItem, tagLinkedNotes } from './linked-items.ts';
import {
  DOCUMENT,
  DOCUMENT_DETAILS,
  JOPLIN,
  OTHER_PROGRAM,
  PROGRAM_DETAILS,
  PROGRAMS,
  type RecordProgram,
} from './programs.ts';
import { type RecordPlace, readRecord } from './record-entry.ts';
import { joinLists, type RecordList } from './splitters/references.ts';

/** Reads lists of records of known programs, and JSON lists with fields such as `title` or `text`. */
export const records: ImportKind = {
  name: 'records',
  title: `${PROGRAMS.map(({ title }) => title).join(', ')}, or a list of records in JSON`,
  async recognises(files) {
    const isAmongNotes = files.some(({ name }) => NOTE.test(name) && !JOPLIN.file.test(name));
    for (const file of files) {
      // Among Markdown notes or pages of Notion, JSON and HTML files are attachments.
      const isAttachment = isAmongNotes && /\.(?:json|html?)$/i.test(file.name) && !isOfFolder(file);
      const program = isAttachment ? undefined : await programOf(file);
      if (program !== undefined && (!program.isAlone || files.length === 1)) return true;
    }
    return false;
  },
  async *read(files) {
    const programs = new Map<ImportFile, RecordProgram>();
    for (const file of files) {
      const program = await programOf(file);
      if (program || files.length === 1) programs.set(file, program ?? OTHER_PROGRAM);
    }
    // Joplin's mark is in the last line of a file, so the first 64 KB of a long note lack it.
    const isExport = [...programs.values()].includes(JOPLIN);
    const isItem = (file: ImportFile) => programs.get(file) === JOPLIN || JOPLIN.file.test(file.name);
    const joplin = isExport ? files.filter(isItem) : [];
    for (const file of joplin) programs.set(file, JOPLIN);
    const beside = new Map(files.map((file) => [placeOf(file), file] as const));
    const nameRecord = createUniqueNames((name, number) => `${name}#${number}`);
    for (const [file, program] of programs) {
      const isJoplin = program === JOPLIN;
      if (isJoplin && file !== joplin[0]) continue;
      const { name } = file;
      const { key, title: source = name, writesHtml } = program;
      const place = {
        at: isJoplin ? source : name,
        prefix: key ?? `record:${name}/`,
        nameRecord,
        source,
        writesHtml,
        ...(key !== undefined && { details: PROGRAM_DETAILS }),
        ...(program === DOCUMENT && { details: DOCUMENT_DETAILS }),
      };
      yield* yieldItemsOrProblem(
        file,
        itemsOf(
          isJoplin ? joplinRecords(joplin) : joinFiles(recordsOf(file, program), program, beside),
          place,
        ),
      );
    }
    const names = new Set(Array.from(programs.keys(), ({ name }) => name));
    const isCopy = ({ name }: ImportFile) =>
      !names.has(name) && names.has(name.replace(/\.html?$/i, '.json'));
    for (const { name: at } of files.filter(isCopy)) yield { at, skipped: 'the same note as HTML' };
    const isRead = (file: ImportFile) =>
      programs.has(file) || isCopy(file) || beside.get(placeOf(file)) !== file;
    yield* skipOtherFiles(files, isRead, 'not a file of records');
  },
};

const NOTE = new RegExp(`${MARKDOWN_FILE.source}|[0-9a-f]{32}(?:_all)?\\.(?:csv|html)$`, 'i');

function isOfFolder({ name }: ImportFile): boolean {
  return PROGRAMS.some(({ beside, file }) => beside !== undefined && file?.test(name));
}

/** Returns the name of a file's folder and the file's name without extension: `content/tides`. */
function placeOf({ name }: ImportFile): string {
  return name
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/\.[^./]{1,8}$/, '');
}

/** Adds to each record the texts of its files, which are then removed from `files`. */
async function* joinFiles(
  found: AsyncIterable<FoundRecord>,
  { beside = {} }: RecordProgram,
  files: Map<string, ImportFile>,
): AsyncGenerator<FoundRecord> {
  const textsOf = async (name: unknown) => {
    const texts: Record<string, string> = {};
    for (const [field, folder] of Object.entries(beside)) {
      const file = files.get(`${folder}/${name}`);
      if (file && files.delete(placeOf(file))) texts[field] = await readImportFileText(file);
    }
    return texts;
  };
  for await (const one of found) {
    if (!('record' in one)) yield one;
    else yield { ...one, record: { ...one.record, ...(await textsOf(one.record.slug)) } };
  }
}

async function programOf(file: ImportFile): Promise<RecordProgram | undefined> {
  const known = [...PROGRAMS, DOCUMENT, OTHER_PROGRAM].filter(
    (one) => file.name === '-' || (one.file ?? /\.json$/i).test(file.name),
  );
  if (known.length === 0) return undefined;
  const head = await readImportFileHead(file);
  // JSON lines (one object per line) are read as the kind `jsonl`.
  const isLines = /^\uFEFF?\s*\{.*\}[ \t\r]*\n\s*\{/.test(head);
  const first = firstSignOf(head);
  const isMarked = ({ mark, file: named, starts = named ? first : '[{' }: RecordProgram) =>
    starts.includes(first) && mark.test(head);
  return isLines ? undefined : known.find(isMarked);
}

const firstSignOf = (head: string): string => /[^\s\uFEFF]/.exec(head)?.[0] ?? '';

async function* itemsOf(found: AsyncIterable<FoundRecord>, place: RecordPlace): AsyncGenerator<ImportItem> {
  let number = 0;
  for await (const one of found) {
    if ('skipped' in one) {
      yield { at: place.at, ...one };
      continue;
    }
    const at = `${place.at}, record ${++number}`;
    if ('problem' in one) yield { at, problem: one.problem };
    else
      try {
        yield* readRecord(one.record, { ...place, at, prefix: `${place.prefix}${one.list ?? ''}` });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        yield { at, problem: error.message };
      }
  }
}

async function* joplinRecords(files: readonly ImportFile[]): AsyncGenerator<FoundRecord> {
  const items: ImportFields[] = [];
  for (const file of files) {
    const item = parseJoplinItem(await readImportFileText(file));
    if (item) items.push(item);
    else yield { problem: `${file.name} is not an item of Joplin` };
  }
  yield* tagLinkedNotes(items);
}

/** Matches folders of an archive of Anytype whose files describe its program. */
const NO_PAGES = /(?:^|\/)(?:types|relations|relationsOptions|templates|filesObjects)\/[^/]{1,250}$/;

/** Reads the document of an editor. Anytype has the name and the times of a page beside its blocks. */
function documentOf(whole: string, name: string): FoundRecord | undefined {
  const { sbType = 'Page', snapshot } = asObject(parseJsonOrNothing(whole));
  const {
    name: title = titleFromFileName(name),
    isArchived,
    ...facts
  } = asObject(asObject(asObject(snapshot).data).details);
  if (snapshot !== undefined && (!/^(?:Profile)?Page$/.test(String(sbType)) || NO_PAGES.test(name)))
    return { skipped: 'a type or another object that is not a page', count: 1 };
  if (isArchived === true) return { skipped: 'a note in the trash', count: 1 };
  const text = readRichText(whole);
  return text === undefined ? undefined : { record: { title, ...facts, text } };
}

async function* recordsOf(given: ImportFile, program: RecordProgram): AsyncGenerator<FoundRecord> {
  let file = given;
  if (program === DOCUMENT) {
    const whole = await readImportFileText(file);
    const found = documentOf(whole, file.name);
    if (found !== undefined) {
      yield found;
      return;
    }
    file = { ...file, chunks: () => Readable.from([Buffer.from(whole)]) };
  }
  const first = firstSignOf(await readImportFileHead(file));
  if (program.split) yield* splitFile(file, program.starts === undefined ? '' : first, program.split);
  else if (first === '[') {
    for await (const item of jsonItems(file.chunks(), file.name, parseExactJson))
      yield 'problem' in item ? item : { record: toRecord(item.value, program) };
  } else if (/\.enex$|^-$/i.test(file.name) && first === '<')
    for await (const record of readEnexNotes(file)) yield { record };
  else if (first === '<')
    for (const record of splitActivityPage(await readImportFileText(file))) yield { record };
  else yield* recordsOfObject(await readImportFileText(file), file.name, program);
}

async function* splitFile(file: ImportFile, first: string, split: NonNullable<RecordProgram['split']>) {
  if (first !== '[') {
    const text = await readImportFileText(file);
    yield* split(first === '{' ? asObject(parseImportJson(text, file.name)) : text);
    return;
  }
  const list: unknown[] = [];
  try {
    for await (const item of jsonItems(file.chunks(), file.name, parseExactJson))
      if ('problem' in item) yield item;
      else list.push(item.value);
  } catch (error) {
    yield* split(list);
    throw error;
  }
  yield* split(list);
}

function toRecord(value: unknown, { names = {}, parsesWords, noise }: RecordProgram): ImportFields {
  if (typeof value === 'string') return { text: value };
  const fields = Object.entries(asObject(value)).map(([given, one]): [string, unknown] => {
    const name = names[given] ?? given;
    if (parsesWords && name === 'tags')
      return [
        name,
        String(one ?? '')
          .split(/\s+/)
          .filter(Boolean),
      ];
    return [name, noise && name === 'text' && typeof one === 'string' ? one.replace(noise, '$1$2') : one];
  });
  return Object.fromEntries(fields);
}

const MAX_LIST_DEPTH = 2;

function hasWords(record: unknown): boolean {
  const kinds = ['text', 'title', 'source'] as const;
  return Object.keys(asObject(record)).some((name) => kinds.some((kind) => rankField(kind, name) >= 0));
}

/** Finds the lists of records in an object and in the objects within it. Records by their ids are a list. */
function listsOf(value: ImportFields, above: readonly string[] = [], isBeside = false): RecordList[] {
  const isObject = (one: unknown) => Object.keys(asObject(one)).length > 0;
  const isRecords = (one: unknown): one is unknown[] =>
    Array.isArray(one) && one.some(isBeside ? hasWords : isObject);
  const arrays = Object.values(value).filter(isRecords).length;
  return Object.entries(value).flatMap(([name, one]): RecordList[] => {
    const names = [...above, name];
    const path = names.join('.');
    // The keys of a list that is alone at the top have always been without its name.
    const prefix = names.length === 1 && arrays === 1 ? '' : `${path}/`;
    if (isRecords(one)) return [{ name, path, prefix, records: one }];
    const byId = Object.entries(asObject(one)).map(([id, record]) => ({ id, ...asObject(record) }));
    const isById =
      byId.length > (isBeside || arrays > 0 ? 1 : 0) && Object.values(asObject(one)).every(hasWords);
    if (isById) return [{ name, path, prefix: `${path}/`, records: byId }];
    return names.length > MAX_LIST_DEPTH ? [] : listsOf(asObject(one), names, isBeside || arrays > 0);
  });
}

function* recordsOfLists(lists: readonly RecordList[], program: RecordProgram): Generator<FoundRecord> {
  const isTrash = ({ path }: RecordList) => /trash|deleted/i.test(path);
  for (const { records } of lists.filter(isTrash))
    yield { skipped: 'a note in the trash', count: records.length };
  const kept = lists.filter((list) => !isTrash(list));
  if (program.title === 'Standard Notes')
    for (const { records } of kept) yield* tagLinkedNotes(records.map(asObject));
  else {
    const read = kept.map((list) => ({
      ...list,
      records: list.records.map((one) => toRecord(one, program)),
    }));
    if (program.key === undefined) yield* joinLists(read);
    else for (const { records } of read) for (const record of records) yield { record };
  }
}

function* recordsOfObject(text: string, name: string, program: RecordProgram): Generator<FoundRecord> {
  const value = asObject(parseImportJson(text, name));
  const lists = listsOf(value);
  // In an object with a list of records, the text `message` is a response such as `OK`, not a note.
  const isText = ([field, one]: [string, unknown]) =>
    typeof one === 'string' && rankField('text', field) >= 0 && (field !== 'message' || lists.length === 0);
  if (program.title === 'Google Keep' || Object.entries(value).some(isText)) {
    yield { record: value };
    return;
  }
  if (lists.length === 0) throw badRequestError(`${name} has no list of records`);
  yield* recordsOfLists(lists, program);
  const { lines } = formatOtherFields(value, new Set(lists.map(({ path }) => path)));
  if (lines.length > 0) yield { skipped: 'a value beside the list of records', count: lines.length };
}
