import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

/** A text is cut to this many characters per token before it is tokenized. Tokens are usually shorter. */
const CHARS_PER_TOKEN = 32;
const SLICE_CHARS = 4000;
const MARK_TOKENS = 2;

export interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}

export async function loadTokenizer(folder: URL): Promise<Tokenizer> {
  const [{ Tokenizer }, words, config] = await Promise.all([
    import('@huggingface/tokenizers'),
    readFile(new URL('tokenizer.json', folder), 'utf8'),
    readFile(new URL('tokenizer_config.json', folder), 'utf8').catch(withoutFile),
  ]);
  return new Tokenizer(JSON.parse(words), JSON.parse(config));
}

function withoutFile(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '{}';
  throw error;
}

export function truncateForTokenizer(text: string, maxTokens: number): string {
  return text.slice(0, maxTokens * CHARS_PER_TOKEN);
}

export function encodeTruncated(tokenizer: Tokenizer, text: string, maxTokens: number): readonly number[] {
  const { ids } = tokenizer.encode(truncateForTokenizer(text, maxTokens));
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}

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

/** Returns where a slice ends: at the last blank of its second half, because no token contains a blank. */
function sliceEnd(text: string, from: number): number {
  if (text.length - from <= SLICE_CHARS) return text.length;
  for (let at = from + SLICE_CHARS; at > from + SLICE_CHARS / 2; at--) {
    if (/\s/.test(text.charAt(at))) return at;
  }
  return from + SLICE_CHARS;
}

/** Estimates a text's tokens for sorting: 1/4 per Latin letter, 1/2 per digit, 1 per other character. */
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
