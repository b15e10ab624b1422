import type { ImportedEntry } from '../importing/import-kind.ts';
import { asObject, asTrimmedText, toListOrEmpty } from '../importing/import-values.ts';

export interface ConversationTurn {
  readonly speaker: string;
  readonly text: string;
  /** Microseconds since 1970. */
  readonly at?: number;
}

/** Finds the URLs in a citation. Maps each URL to a Markdown link such as `[Title](https://example.org)`. */
export function findSourceLinks(value: unknown, depth = 3): Map<string, string> {
  const { url, title, metadata, details, items, ...more } = asObject(value);
  const [address, name] = [asTrimmedText(url), asTrimmedText(title)];
  const link = name === undefined ? address : `[${name}](${address})`;
  const own = address && link ? [[address, link] as const] : [];
  const lists = [items ?? more.fallback_items, more.sources, more.supporting_websites];
  const inner = depth === 0 ? [] : [metadata, details, ...lists.flatMap(toListOrEmpty)];
  return new Map([...own, ...inner.flatMap((one) => [...findSourceLinks(one, depth - 1)])]);
}

/** Adds a list of the sources whose addresses are not in the answer. */
export function addSourceList(text: string, links: ReadonlyMap<string, string>): string {
  const missing = [...links].flatMap(([url, link]) => (text.includes(`(${url})`) ? [] : `\n- ${link}`));
  return missing.length === 0 ? text : `${text}\n\nSources:${missing.join('')}`.trim();
}

const PART_BYTES = 900_000;

/** Converts a conversation to an entry. The ranking uses the time (UTC) and the speaker before each turn. */
export function conversationEntry(
  turns: readonly ConversationTurn[],
  about: Omit<ImportedEntry, 'text' | 'furtherTexts'>,
): ImportedEntry {
  const parts: string[][] = [];
  let room = 0;
  for (const paragraph of turns.flatMap(paragraphsOf)) {
    const bytes = Buffer.byteLength(paragraph) + 2;
    if (bytes > room) {
      parts.push([]);
      room = PART_BYTES;
    }
    parts.at(-1)?.push(paragraph);
    room -= bytes;
  }
  const [text = '', ...furtherTexts] = parts.map((part) => part.join('\n\n'));
  return { ...about, text, ...(furtherTexts.length > 0 && { furtherTexts }) };
}

function paragraphsOf({ speaker, text, at }: ConversationTurn): string[] {
  const mark = `${at === undefined ? '' : `[${minuteOf(at)}] `}${speaker}: `;
  return `${mark}${text.trim()}`.match(PIECE) ?? [];
}

/** Matches as many characters as fit into PART_BYTES: a character takes at most four bytes. */
const PIECE = new RegExp(`[^]{1,${PART_BYTES / 4}}`, 'gu');

function minuteOf(micro: number): string {
  return new Date(micro / 1000).toISOString().slice(0, 16).replace('T', ' ');
}
