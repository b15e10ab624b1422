import type { ImportedEntry } from '../importing/import-kind.ts';

export interface ConversationTurn {
  readonly speaker: string;
  readonly text: string;
  /** Microseconds since 1970. */
  readonly at?: number;
}

const PART_BYTES = 900_000;

/** Makes an entry of a conversation. The ranking uses the time (UTC) and speaker at the start of each turn. */
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
  return pieces(`${mark}${text.trim()}`);
}

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

function minuteOf(micro: number): string {
  return new Date(micro / 1000).toISOString().slice(0, 16).replace('T', ' ');
}
