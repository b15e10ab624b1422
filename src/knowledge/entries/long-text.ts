import { setImmediate } from 'node:timers/promises';
import { tooLargeError } from '../../errors.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { InsertResult, Knowledge, NewEntry } from '../types.ts';
import { buildEntryKey, ENTRY_LIMITS } from './new-entry.ts';
import { textBlocks } from './text-blocks.ts';

export const MAX_ENTRY_PART_BYTES = 900_000;
/** Minimum length of each part except the last, as a share of the maximum length. */
const LEAST_SHARE = 2 / 3;
export const MAX_LONG_TEXT_BYTES = 64_000_000;
export const MAX_ENTRY_PARTS = 220;

export async function splitLongText(text: string): Promise<string[]> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= ENTRY_LIMITS.bytes) return [text];
  if (bytes > MAX_LONG_TEXT_BYTES) {
    throw tooLargeError(`text has ${bytes} bytes: ${MAX_LONG_TEXT_BYTES / 1e6} MB are kept at most`);
  }
  const parts: string[] = [];
  const buffer = new Uint8Array(MAX_ENTRY_PART_BYTES);
  for (let from = 0; from < text.length; await setImmediate()) {
    const piece = text.slice(from, from + MAX_ENTRY_PART_BYTES);
    const { read } = new TextEncoder().encodeInto(piece, buffer);
    const cut = /[\uD800-\uDBFF]/.test(piece.charAt(read - 1)) && from + read < text.length ? read - 1 : read;
    const most = piece.slice(0, cut);
    const end = from + most.length < text.length ? await borderIn(most) : most.length;
    const part = most.slice(0, end).trim();
    if (part !== '') parts.push(part);
    from += end;
  }
  return parts;
}

async function borderIn(piece: string): Promise<number> {
  const least = piece.length * LEAST_SHARE;
  let best: { readonly rank: number; readonly at: number } | undefined;
  const steps = textBlocks(piece);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await setImmediate();
  for (const { kind, level, start } of step.value) {
    if (start < least) continue;
    const rank = kind === 'heading' ? level : kind === 'text' ? 7 : 8;
    if (best === undefined || rank < best.rank || (rank === best.rank && rank > 6))
      best = { rank, at: start };
  }
  if (best) return best.at;
  for (const mark of ['\n', ' ']) {
    const at = piece.lastIndexOf(mark) + 1;
    if (at > least) return at;
  }
  return piece.length;
}

export function buildPartKey(key: string, part: number): string {
  return part === 1 || key === '' ? key : buildEntryKey(`${key}#part-${part}`);
}

export function buildPartTitle(title: string, part: number): string {
  return part === 1 ? title : `${takeCharacters(title, ENTRY_LIMITS.title - 20)} (part ${part})`.trim();
}

/** Splits a long entry into entries that differ in text, title and key. Throws AppError `too_large`. */
export async function splitLongEntry<
  Entry extends {
    readonly text: string;
    readonly title?: string | undefined;
    readonly key?: string | undefined;
  },
>(entry: Entry, furtherTexts: readonly string[] = []): Promise<[Entry, ...Entry[]]> {
  const [first = '', ...more] = await splitLongText(entry.text);
  const others = [...more, ...furtherTexts];
  const rest = others.map((text, at) => ({
    ...entry,
    text,
    title: buildPartTitle(entry.title ?? '', at + 2),
    key: buildPartKey(entry.key ?? '', at + 2),
  }));
  return [more.length === 0 ? entry : { ...entry, text: first }, ...rest];
}

/** Returns ids of parts with numbers above `parts`. Stops at a part that changed after `until` (in µs). */
export async function findSurplusParts(
  knowledge: Pick<Knowledge, 'findEntryByKey'>,
  owner: string,
  { key = '', collection }: Pick<NewEntry, 'key' | 'collection'>,
  parts: number,
  until = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const ids: string[] = [];
  if (key === '') return ids;
  for (let part = parts + 1; part <= MAX_ENTRY_PARTS; part++) {
    const found = await knowledge.findEntryByKey(owner, buildPartKey(key, part), collection);
    if (!found?.title.endsWith(`(part ${part})`) || found.updatedAt > until + MAX_ENTRY_PARTS) break;
    ids.push(found.id);
  }
  return ids;
}

interface PartsOptions {
  readonly furtherTexts?: readonly string[] | undefined;
  readonly until?: number | undefined;
  /** True if the entry may be one part of a long text, as in a backup. Parts of an older text are then kept. */
  readonly isPart?: boolean;
}

export async function insertInParts<Entry extends NewEntry>(
  knowledge: Pick<Knowledge, 'findEntryByKey' | 'removeEntries'>,
  owner: string,
  entry: Entry,
  insert: (part: Entry, number: number) => Promise<InsertResult>,
  { furtherTexts, until, isPart }: PartsOptions = {},
): Promise<InsertResult & { readonly parts: number }> {
  const [first, ...others] = await splitLongEntry(entry, furtherTexts);
  let kept = await insert(first, 1);
  for (const [at, part] of others.entries()) {
    const { known, passages, replaced } = await insert(part, at + 2);
    kept = {
      ...kept,
      known: kept.known && known,
      passages: kept.passages + passages,
      ...(replaced && { replaced }),
    };
  }
  const parts = others.length + 1;
  const surplus = isPart ? [] : await findSurplusParts(knowledge, owner, first, parts, until);
  if (surplus.length > 0) await knowledge.removeEntries(owner, surplus);
  return { ...kept, parts };
}
