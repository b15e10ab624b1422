import { dayOfNoteName } from '../day-of-note-name.ts';
import { findField, findTags, parseFieldTime } from '../known-fields.ts';
import { type ReadNote, titleFromFileName } from '../note.ts';

const KEYWORD = /^[ \t]{0,99}#\+([a-z_]{1,40}):[ \t]{0,99}(\S[^\r\n]{0,2000})/gim;
const LINK = /\[\[([^[\]\n]{1,2000})\](?:\[([^[\]\n]{1,2000})\])?\]/g;
const BLOCK = /^[ \t]{0,99}#\+(?:begin|end)_(?:src|example)\b[ \t]{0,9}/gim;

/** Reads an Org file. Its headings, code and links become Markdown, and all its other lines stay. */
export function readOrgNote(raw: string, name: string): ReadNote {
  const fields = [...raw.matchAll(KEYWORD)].map(([, key = '', value = '']): readonly [string, string] => [
    key.replace(/^filetags$/i, 'tags'),
    value.trim(),
  ]);
  const titles = fields.flatMap(([key, value]) => (/^title$/i.test(key) ? [value] : []));
  const tags = fields.map(([key, value]) => [key, value.split(/[:\s]+/).filter(Boolean)] as const);
  const stem = titleFromFileName(name);
  const text = raw
    .replace(BLOCK, '```')
    .replace(/^\*{1,6}(?=[ \t])/gm, (stars) => '#'.repeat(stars.length))
    .replace(LINK, (_all, target: string, label?: string) =>
      label === undefined ? `[[${target}]]` : `[${label}](${target})`,
    );
  return {
    text: text.trim(),
    title: titles.join(' ') || stem,
    tags: findTags(tags),
    createdAt: findField('made', fields, parseFieldTime)?.value ?? dayOfNoteName(stem),
  };
}
