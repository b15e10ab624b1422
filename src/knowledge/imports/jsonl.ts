import { z } from 'zod';
import { isBlankText } from '../../lib/text/invisible.ts';
import { boundedLines } from '../../lib/text/lines.ts';
import type { ImportedEntry, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asList, asObject, asTrimmedText, parseTags, parseTimeMicros } from '../importing/import-values.ts';
import { readImportFileHead } from './file-text.ts';

/** Maximum length of a line in bytes. An entry of maximum size fits even if every character is escaped. */
const MAX_LINE_BYTES = 8_000_000;

const entryLine = z.object({
  id: z.string().min(1).optional(),
  text: z.string(),
  title: z.string().optional(),
  source: z.string().optional(),
  tags: z.array(z.string()).optional(),
  collection: z.string().optional(),
  key: z.string().optional(),
  createdAt: z.int().min(0).optional(),
  updatedAt: z.int().min(0).optional(),
});

/** JSON lines: Magpie's own backups, other programs' lines with the text in a field like `content`, and server-memory's graph. */
export const jsonl: ImportKind = {
  name: 'jsonl',
  title: 'JSON lines (magpie kb export, server-memory, any lines with text or content)',
  backup: true,
  async recognises(files) {
    const [file] = files;
    if (files.length !== 1 || file === undefined) return false;
    if (/\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name)) return true;
    const first = (await readImportFileHead(file)).replace(/^\uFEFF?\s*/, '').split('\n', 1)[0] ?? '';
    return first.startsWith('{') && isJson(first);
  },
  async *read(files) {
    for (const file of files) {
      let number = 0;
      for await (const line of boundedLines(file.chunks(), MAX_LINE_BYTES)) {
        const at = `line ${++number}`;
        if ('problem' in line) yield { at, problem: line.problem };
        else if (line.text.trim() !== '') yield itemOf(line.text, at);
      }
    }
  },
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function itemOf(line: string, at: string): ImportItem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { at, problem: 'is not JSON: each line takes one entry' };
  }
  const own = entryLine.safeParse(value);
  const entry = own.success ? own.data : foreignEntry(asObject(value));
  if (entry === undefined) {
    const [issue] = own.error?.issues ?? [];
    const what = issue?.path.join('.') || 'it';
    return { at, problem: `is not an entry: ${what} is not usable; a line is an object with a text` };
  }
  if (isBlankText(entry.text)) return { at, problem: 'text is empty: give the text to remember' };
  return { at, entry };
}

function foreignEntry(line: Readonly<Record<string, unknown>>): ImportedEntry | undefined {
  if (line.type === 'entity') return graphEntry(line);
  if (line.type === 'relation') {
    const words = [line.from, line.relationType, line.to].map(asTrimmedText);
    return words.includes(undefined) ? undefined : { text: `${words.join(' ')}.`, source: 'server-memory' };
  }
  // Rejects an invalid line of a Magpie backup, which could otherwise be taken for another program's line.
  if ('text' in line) return undefined;
  const text = ['content', 'page_content', 'body', 'memory', 'document', 'note']
    .map((name) => line[name])
    .find((one) => typeof one === 'string');
  if (typeof text !== 'string') return undefined;
  const metadata = asObject(line.metadata);
  const find = (...names: string[]) =>
    names.map((name) => line[name] ?? metadata[name]).find((one) => one != null);
  return {
    text,
    title: asTrimmedText(find('title', 'name')),
    source: asTrimmedText(find('source', 'url', 'link')),
    tags: parseTags(find('tags', 'labels', 'categories')),
    createdAt: parseTimeMicros(find('created_at', 'createdAt', 'created', 'timestamp', 'date', 'time')),
    updatedAt: parseTimeMicros(find('updated_at', 'updatedAt', 'updated', 'modified')),
  };
}

function graphEntry({
  name,
  entityType,
  observations,
}: Readonly<Record<string, unknown>>): ImportedEntry | undefined {
  const title = asTrimmedText(name);
  if (title === undefined) return undefined;
  const facts = asList(observations).flatMap((one) => asTrimmedText(one) ?? []);
  const type = asTrimmedText(entityType);
  return {
    text: [
      `${title}${type ? ` (${type})` : ''}${facts.length > 0 ? ':' : ''}`,
      ...facts.map((fact) => `- ${fact}`),
    ].join('\n'),
    title,
    tags: parseTags(type),
    source: 'server-memory',
    key: `server-memory:${title}`,
  };
}
