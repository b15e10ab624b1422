import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { TextDecoder as Decoder } from '@exodus/bytes/encoding.js';
import { KNOWN_LANGUAGES, LANGUAGE_LETTERS, LATIN_LANGUAGES } from './languages.ts';

const SAMPLE_BYTES = 100_000;
const COMPARED_CHARS = 2000;
/** Minimum share of letters of the expected language (`LanguageHints`) among the non-ASCII characters. */
const FITTING = 0.85;
/** An encoding is better than another if its share of the language's letters is higher by this much. */
const BETTER = 0.02;
const LATIN_ENCODINGS = ['windows-1252', 'windows-1250', 'iso-8859-2', 'windows-1254', 'windows-1257'];
const LATIN = new Set([...LATIN_ENCODINGS, 'iso-8859-4', 'iso-8859-13']);
/** Punctuation that is ignored, because texts of every language contain it. */
const COMMON = /[\u00a0«»–—‘’‚“”„†‡•…‹›€™©®°§×·]/u;

export interface LanguageHints {
  readonly named?: string | undefined;
  readonly usual?: string | undefined;
}

export function guessEncoding(bytes: Uint8Array, hints: LanguageHints): string {
  if (isIso2022Jp(bytes)) return 'iso-2022-jp';
  const start = bytes.findIndex((byte) => byte > 0x7f);
  if (start < 0) return 'utf-8';
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  const isWhole = start + sample.length === bytes.length;
  return withDetector(sample, isWhole, (detect) => choose(createShares(sample), detect, hints));
}

function choose(shares: ShareLookup, detect: DetectEncoding, { named, usual }: LanguageHints): string {
  const guess = (language: string | undefined) => {
    const known = language === undefined ? undefined : KNOWN_LANGUAGES[language];
    const name = detect(known?.domain).toLowerCase();
    const letters = language === undefined ? Object.keys(KNOWN_LANGUAGES) : [language];
    const encoding = LATIN.has(name) ? bestLatin(name, known ? letters : LATIN_LANGUAGES, shares) : name;
    return { encoding, fit: Math.max(...letters.map((one) => shares(encoding, one))) };
  };
  const plain = guess(undefined);
  for (const language of [named, usual]) {
    if (language === undefined) continue;
    const hinted = guess(language);
    // The domain (`usual`) is a weak hint. Its encoding must fit better, unless both encodings are Latin.
    const isAlike = language === named || (LATIN.has(plain.encoding) && LATIN.has(hinted.encoding));
    const needed = plain.fit + (isAlike ? -BETTER : BETTER);
    if (hinted.fit >= Math.max(FITTING, needed)) return hinted.encoding;
  }
  return plain.encoding;
}

type ShareLookup = (encoding: string, language: string) => number;

function bestLatin(guess: string, languages: readonly string[], shares: ShareLookup): string {
  const fitOf = (encoding: string) => Math.max(...languages.map((language) => shares(encoding, language)));
  const fits = new Map([guess, ...LATIN_ENCODINGS].map((encoding) => [encoding, fitOf(encoding)]));
  const best = [...fits].reduce((most, one) => (one[1] > most[1] + BETTER ? one : most));
  return best[0];
}

function createShares(sample: Uint8Array): ShareLookup {
  const decoded = new Map<string, readonly string[]>();
  return (encoding, language) => {
    const letter = LANGUAGE_LETTERS.get(language);
    let chars = decoded.get(encoding);
    if (!chars) {
      chars = charactersOf(new Decoder(encoding).decode(sample));
      decoded.set(encoding, chars);
    }
    if (!letter || chars.length === 0) return 0;
    return chars.filter((char) => letter.test(char)).length / chars.length;
  };
}

function charactersOf(text: string): string[] {
  const found = (text.match(/[^\0-\x7f]/gu) ?? []).slice(0, COMPARED_CHARS);
  return found.filter((char) => !COMMON.test(char));
}

function isIso2022Jp(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const switches = ['\x1b$B', '\x1b$@', '\x1b(J', '\x1b(I'];
  if (!switches.some((escaped) => buffer.includes(escaped, 0, 'latin1'))) return false;
  return !bytes.some((byte) => byte > 0x7f);
}

interface Chardetng {
  readonly memory: WebAssembly.Memory;
  encodingdetector_new(): number;
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number;
  encodingdetector_guess(
    result: number,
    detector: number,
    domain: number,
    length: number,
    utf8: number,
  ): void;
  __wbg_encodingdetector_free(detector: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  __wbindgen_malloc(bytes: number): number;
  __wbindgen_free(pointer: number, bytes: number): void;
}

const RESULT_BYTES = 16;
let loaded: Chardetng | undefined;

function load(): Chardetng {
  if (loaded) return loaded;
  const path = createRequire(import.meta.url).resolve('chardetng-wasm/dist/chardetng_wasm_bg.wasm');
  const fail = () => {
    throw new Error('chardetng failed');
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {
    './chardetng_wasm_bg.js': { __wbindgen_throw: fail },
  });
  loaded = exports as unknown as Chardetng;
  return loaded;
}

type DetectEncoding = (domain: string | undefined) => string;

/** Calls `use` with Firefox's encoding detector. `isWhole`: true if the bytes are not only a sample. */
function withDetector<T>(bytes: Uint8Array, isWhole: boolean, use: (detect: DetectEncoding) => T): T {
  const { memory, ...lib } = load();
  const put = (given: Uint8Array) => {
    const at = lib.__wbindgen_malloc(given.length);
    new Uint8Array(memory.buffer).set(given, at);
    return at;
  };
  const detector = lib.encodingdetector_new();
  try {
    lib.encodingdetector_feed(detector, put(bytes), bytes.length, Number(isWhole));
    return use((domain) => {
      const name = Buffer.from(domain ?? '');
      const result = lib.__wbindgen_add_to_stack_pointer(-RESULT_BYTES);
      lib.encodingdetector_guess(result, detector, domain === undefined ? 0 : put(name), name.length, 0);
      const [at = 0, length = 0] = new Int32Array(memory.buffer, result, 2);
      const guess = Buffer.from(memory.buffer, at, length).toString('latin1');
      lib.__wbindgen_add_to_stack_pointer(RESULT_BYTES);
      lib.__wbindgen_free(at, length);
      return guess;
    });
  } finally {
    lib.__wbg_encodingdetector_free(detector);
  }
}
