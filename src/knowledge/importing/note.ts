import { parse } from 'yaml';
import { parseExportedNote } from './exported-note.ts';
import type { ImportedEntry } from './import-kind.ts';
import { asList, asObject, asTrimmedText, parseTags, parseTimeMicros } from './import-values.ts';

/** Maximum number of characters of a note's front matter. Longer front matter is read as part of the text. */
const MAX_FRONT = 60_000;
const TAGGED_CHARS = 200_000;
const MAX_TAGS = 50;

const KNOWN = new Set(['title', 'tags', 'tag', 'source', 'url', 'created', 'date', 'updated', 'modified']);

/**
 * Parses a Markdown note. Front matter gives title, tags, times and source; its other values stay as lines `key: value`. `#tags`
 * in the text become tags too. A file of Magpie's own export gives back its entry unchanged.
 */
export function readNote(raw: string, name: string): ImportedEntry {
  const { front: written, body, newline } = splitFront(raw.replace(/^\uFEFF/, ''));
  const own = parseExportedNote(written, body, newline);
  if (own) return own;
  // Ignores the case of front matter keys, since some programs write `Tags` instead of `tags`.
  const lower = Object.entries(written).map(([key, value]) => [key.toLowerCase(), value] as const);
  const front: Readonly<Record<string, unknown>> = Object.fromEntries(lower);
  const rest = Object.entries(written).flatMap(([key, value]) =>
    KNOWN.has(key.toLowerCase()) ? [] : (lineOf(key, value) ?? []),
  );
  const tags = [...tagsIn(front.tags), ...tagsIn(front.tag), ...hashTags(body)];
  const text = [rest.join('\n'), body.trim()].filter(Boolean).join('\n\n');
  const title = asTrimmedText(front.title) ?? headingOf(body) ?? titleFromFileName(name);
  const source = asTrimmedText(front.source) ?? asTrimmedText(front.url);
  const said = [asTrimmedText(front.title), tags.length > 0 && `tags: ${tags.join(', ')}`, source].filter(
    Boolean,
  );
  const facts = said.length === 0 ? '' : [...new Set([title, ...said])].join('\n');
  return {
    text: text || facts,
    title,
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
    source,
    createdAt: parseTimeMicros(front.created) ?? parseTimeMicros(front.date),
    updatedAt: parseTimeMicros(front.updated) ?? parseTimeMicros(front.modified),
  };
}

export function titleFromFileName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]{1,8}$/, '');
}

interface SplitNote {
  readonly front: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly newline: string;
}

function splitFront(text: string): SplitNote {
  const open = /^---[ \t]*(\r?\n)/.exec(text);
  const newline = open?.[1] ?? '\n';
  const none = { front: {}, body: text, newline };
  if (!open) return none;
  const from = open[0].length;
  const close = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(text.slice(from, from + MAX_FRONT));
  if (!close) return none;
  const body = text.slice(from + close.index + close[0].length);
  try {
    // Parses YAML with limits. A text that grows by aliases is an error, and `stringKeys` forbids nested keys, which are slow.
    return {
      front: asObject(parse(text.slice(from, from + close.index), { schema: 'core', stringKeys: true })),
      body,
      newline,
    };
  } catch {
    return none;
  }
}

function tagsIn(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(/[\s,]+/) : parseTags(value);
  return list.map((tag) => tag.replace(/^#/, '')).filter(Boolean);
}

/** Finds tags such as `#tag` and `#tag/subtag` in a note's text. Skips code, headings and numbers. */
function hashTags(body: string): string[] {
  const prose = body
    .slice(0, TAGGED_CHARS)
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu)].map(
    ([, tag = '']) => tag,
  );
}

function headingOf(body: string): string | undefined {
  return asTrimmedText(/^\s*# +(.+)/.exec(body.slice(0, 2000))?.[1]?.trim().replace(/ #+$/, ''));
}

function lineOf(key: string, value: unknown): string | undefined {
  const words = Array.isArray(value)
    ? asList(value)
        .flatMap((one) => asTrimmedText(one) ?? [])
        .join(', ')
    : typeof value === 'boolean'
      ? String(value)
      : asTrimmedText(value);
  return words === undefined || words === '' ? undefined : `${key}: ${words}`;
}
