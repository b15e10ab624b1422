import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

/** UTF-16 units that are read for each token of a model's limit: any natural text has more tokens in them. */
const CHARS_PER_TOKEN = 32;
/** UTF-16 units that are counted in one step: some milliseconds. */
const SLICE_CHARS = 4000;
const MARK_TOKENS = 2;

/** What is used of a tokenizer: ids of a text's tokens between the two marks. */
export interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}

/** The tokenizer whose files are in a folder. */
export async function loadTokenizer(folder: URL): Promise<Tokenizer> {
  const [{ Tokenizer }, words, config] = await Promise.all([
    import('@huggingface/tokenizers'),
    readFile(new URL('tokenizer.json', folder), 'utf8'),
    readFile(new URL('tokenizer_config.json', folder), 'utf8').catch(withoutFile),
  ]);
  return new Tokenizer(JSON.parse(words), JSON.parse(config));
}

/** What it says of the tokens' kinds is in the other file as well. */
function withoutFile(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '{}';
  throw error;
}

/** The part of a text that can count for a model that reads so many tokens. */
export function readableStart(text: string, maxTokens: number): string {
  return text.slice(0, maxTokens * CHARS_PER_TOKEN);
}

/** Ids of a text, cut at `maxTokens` with the closing mark in its place. */
export function encodeCut(tokenizer: Tokenizer, text: string, maxTokens: number): readonly number[] {
  const { ids } = tokenizer.encode(readableStart(text, maxTokens));
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}

/** Tokens of a text of any length, marks included; the event loop breathes between slices. */
export async function countTokens(tokenizer: Tokenizer, text: string): Promise<number> {
  let tokens = MARK_TOKENS;
  for (let from = 0; from < text.length; ) {
    if (from > 0) await setImmediate();
    const to = sliceEnd(text, from);
    tokens += tokenizer.encode(text.slice(from, to)).ids.length - MARK_TOKENS;
    from = to;
  }
  return tokens;
}

/** Where a slice ends: at the last blank in reach, since no token crosses one. */
function sliceEnd(text: string, from: number): number {
  if (text.length - from <= SLICE_CHARS) return text.length;
  for (let at = from + SLICE_CHARS; at > from + SLICE_CHARS / 2; at--) {
    if (/\s/.test(text.charAt(at))) return at;
  }
  return from + SLICE_CHARS;
}

/**
 * Tokens of a text by the kinds of its characters, for sorting texts into batches before they are read:
 * a Latin letter is about a quarter of a token, a digit half of one, any other sign one; at most `maxTokens`.
 */
export function estimateTokens(text: string, maxTokens: number): number {
  let quarters = MARK_TOKENS * 4;
  const end = Math.min(text.length, maxTokens * CHARS_PER_TOKEN);
  for (let i = 0; i < end && quarters < maxTokens * 4; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    if (code <= 0x20 || (lower >= 0x61 && lower <= 0x7a)) quarters += 1;
    else if (code >= 0x30 && code <= 0x39) quarters += 2;
    else quarters += 4;
  }
  return Math.min(maxTokens, Math.ceil(quarters / 4));
}
