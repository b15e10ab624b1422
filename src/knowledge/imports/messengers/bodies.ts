import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import { asObject, asTrimmedText, type ImportFields, toListOrEmpty } from '../../importing/import-values.ts';
import { fenceCode } from '../../importing/note-html.ts';
import { hasAllWords } from '../../importing/words.ts';
import FIELDS from './chat-fields.json' with { type: 'json' };

const MAX_DEPTH = 30;
/** Matches names of values that say how a block looks or what a program does with it. */
const UNREAD =
  /^\$|^_|(?:^|[_-])ids?$|^(?:type|style|color|size|weight|spacing|emoji|verbatim|short|border|indent|version|value|data|ts|timestamp|(?:block_)?mrkdwn_in|\w{0,20}(?:icon|thumb|thumbnail)(?:_?url)?|icon\w{0,9}|contentType|mimetype|\w{0,20}(?:width|height|alignment|sizeBytes)|wrap|is[A-Z]\w{0,20}|inline)$/i;
const ID_NAME = /[a-z\d]I[dD]s?$/;

/** `readText` reads the markup of a text. `names` has the names of people and channels by their ids. */
type BodyReader = Readonly<{ readText: (text: string) => string; names: ReadonlyMap<string, string> }>;

/** Returns the words of blocks, cards, attachments or embeds, a line for each text. */
export function readBodies(bodies: readonly unknown[], reader: BodyReader): string {
  return joined(bodies.map((body) => wordsOf(body, reader)));
}

/** Adds what a program shows in place of a text, unless the text has its words. Slack writes what people type twice. */
export function addBlocks(text: string, blocks: unknown, reader: BodyReader): string {
  const made = toListOrEmpty(blocks).filter((block) => asObject(block).type !== 'rich_text');
  const words = readBodies(made, reader);
  if (hasAllWords(words, [text])) return text;
  return hasAllWords(text, [words]) ? words : joined([text, words]);
}

const joined = (parts: readonly string[], between = '\n'): string =>
  [...new Set(parts)].filter((part) => part.trim() !== '').join(between);

function wordsOf(value: unknown, reader: BodyReader, depth = 0): string {
  if (typeof value === 'string') {
    const inner = /^\s{0,99}[{[]/.test(value) ? parseJsonOrNothing(value) : undefined;
    return inner === undefined ? reader.readText(value) : wordsOf(inner, reader, depth + 1);
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  const read = (one: unknown) => wordsOf(one, reader, depth + 1);
  // A list within a list is a row of a table.
  if (Array.isArray(value))
    return joined(value.map((one) => (Array.isArray(one) ? joined(one.map(read), ' | ') : read(one))));
  const node = asObject(value);
  return mentionOf(node, reader) ?? richTextOf(node, read) ?? fieldsOf(node, read);
}

function mentionOf(node: ImportFields, { names }: BodyReader): string | undefined {
  const { type, name, range, fallback } = node;
  if (type === 'emoji') return `:${name}:`;
  if (type === 'broadcast') return `@${range}`;
  if (type === 'date') return asTrimmedText(fallback);
  const id = asTrimmedText(node[`${type}_id`]);
  return id && `${type === 'channel' ? '#' : '@'}${names.get(id) ?? id}`;
}

/** Reads what people type in Slack, and runs of text on a card: their parts stand in one line. */
function richTextOf(node: ImportFields, read: (one: unknown) => string): string | undefined {
  const { type, elements, inlines = elements, indent, style } = node;
  if (!/^rich_text_|^RichTextBlock$/.test(String(type))) return undefined;
  const parts = toListOrEmpty(inlines).map(read);
  const line = parts.join('');
  if (type === 'rich_text_preformatted') return fenceCode(line, '');
  if (type === 'rich_text_quote') return line.replace(/^/gm, '> ');
  if (type !== 'rich_text_list') return line;
  const margin = '  '.repeat(Math.min(Number(indent) || 0, MAX_DEPTH));
  return parts.map((part, at) => `${margin}${style === 'ordered' ? `${at + 1}.` : '-'} ${part}`).join('\n');
}

function fieldsOf(node: ImportFields, read: (one: unknown) => string): string {
  const entries = Object.entries(node).filter(([name]) => !UNREAD.test(name) && !ID_NAME.test(name));
  const words = new Map(entries.map(([name, one]) => [name, read(one)]));
  const label = FIELDS.bodyLabel.find((name) => words.get(name)?.trim());
  const address = FIELDS.bodyAddress.find((name) => asTrimmedText(node[name]) !== undefined);
  const said = words.get(label ?? '');
  if (typeof node[label ?? ''] === 'string' && typeof node.value === 'string')
    return `${said}: ${read(node.value)}`;
  if (label !== undefined && address !== undefined && said !== node[address]) {
    words.set(label, `[${said}](${node[address]})`);
    words.delete(address);
  }
  const wordsIn = (isRepeated: boolean) =>
    [...words].flatMap(([name, one]) => (FIELDS.bodyRepeated.includes(name) === isRepeated ? [one] : []));
  return joined(wordsIn(false)) || joined(wordsIn(true));
}
