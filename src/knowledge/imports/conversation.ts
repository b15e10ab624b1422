import type { ImportedEntry } from '../importing/import-kind.ts';

/** One message of a conversation. */
export interface Turn {
  readonly speaker: string;
  readonly text: string;
  /** Microseconds since 1970. */
  readonly at?: number;
}

/** Bytes of text of one entry: below what an entry takes. */
const PART_BYTES = 900_000;

/**
 * A conversation as text: each turn a paragraph that begins with its time (UTC) and speaker, which the ranking knows as a turn. One
 * that is longer than an entry may be comes in parts, cut between turns.
 */
export function conversationEntries(
  turns: readonly Turn[],
  about: Omit<ImportedEntry, 'text'> & { readonly key: string },
): ImportedEntry[] {
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
  return parts.map((part, at) => ({
    ...about,
    text: part.join('\n\n'),
    ...(at > 0 && { key: `${about.key}#${at + 1}`, title: `${about.title ?? ''} (part ${at + 1})`.trim() }),
  }));
}

function paragraphsOf({ speaker, text, at }: Turn): string[] {
  const mark = `${at === undefined ? '' : `[${minuteOf(at)}] `}${speaker}: `;
  return pieces(`${mark}${text.trim()}`);
}

/** A text in pieces that fit, each of whole characters. */
function pieces(text: string): string[] {
  const most = Math.floor(PART_BYTES / 4);
  if (text.length <= most) return [text];
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at + most - 1);
    const end = at + most - (code >= 0xd800 && code < 0xdc00 ? 1 : 0);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

/** `2024-05-08 13:56`, in UTC. */
function minuteOf(micro: number): string {
  return new Date(micro / 1000).toISOString().slice(0, 16).replace('T', ' ');
}
