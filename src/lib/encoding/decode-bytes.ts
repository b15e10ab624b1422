import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder as Decoder } from '@exodus/bytes/encoding.js';
import { type DeclarationFormat, declaredEncodings, detectBomEncoding } from './declared-encoding.ts';
import { guessEncoding } from './guess-encoding.ts';
import { knownLanguage, languageOfDomain } from './languages.ts';
import { countUtf8Sequences, isLikelyUtf8, utf16Encoding } from './utf8.ts';

export interface DecodeHints {
  readonly contentType?: string | undefined;
  readonly declares?: DeclarationFormat | undefined;
  readonly url?: string | undefined;
}

export interface DecodedText {
  readonly text: string;
  /** Lower-case name in the Encoding Standard. A forbidden encoding is `replacement`, with an empty `text`. */
  readonly encoding: string;
  readonly isGuess: boolean;
}

/** Default of many servers. If the bytes are valid UTF-8, this declaration is ignored. */
const DEFAULT_NAME = 'windows-1252';
const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;
/** Maximum share of unreadable characters. Above it, the declared encoding is considered wrong. */
const MAX_UNREADABLE = 0.1;

/** Decodes text as browsers do, but ignores wrong declarations, and guesses if nothing is declared. */
export function decodeBytes(bytes: Uint8Array, hints: DecodeHints = {}): DecodedText {
  const { contentType = '', declares = 'nothing' } = hints;
  const marked = detectBomEncoding(bytes);
  if (marked !== undefined) return decodeAs(marked, bytes);
  for (const declared of declaredEncodings(bytes, contentType, declares)) {
    if (declared === 'replacement') return { text: '', encoding: declared, isGuess: false };
    const decoded = decodeDeclared(declared, bytes);
    if (decoded) return decoded;
  }
  const wide = utf16Encoding(bytes);
  if (wide !== undefined) return decodeAs(wide, bytes);
  if (isAscii(bytes) ? !bytes.includes(ESCAPE) : isLikelyUtf8(bytes)) return decodeAs('utf-8', bytes);
  const encoding = guessEncoding(bytes, languageHints(bytes, hints));
  return { ...decodeAs(encoding, bytes), isGuess: encoding !== 'utf-8' };
}

function decodeAs(encoding: string, bytes: Uint8Array): DecodedText {
  if (encoding !== 'utf-8') return { text: new Decoder(encoding).decode(bytes), encoding, isGuess: false };
  return { text: new TextDecoder().decode(bytes, { stream: true }), encoding, isGuess: false };
}

function decodeDeclared(declared: string, bytes: Uint8Array): DecodedText | undefined {
  if (declared === 'utf-8') return isLikelyUtf8(bytes, 1) ? decodeAs(declared, bytes) : undefined;
  if (SINGLE_BYTE.test(declared)) return decodeAs(isRatherUtf8(declared, bytes) ? 'utf-8' : declared, bytes);
  const decoded = decodeAs(declared, bytes);
  return isReadable(decoded.text) ? decoded : undefined;
}

/** Returns true for UTF-8 with a wrong declaration. Text in another encoding is seldom valid UTF-8. */
function isRatherUtf8(declared: string, bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  return declared === DEFAULT_NAME || countUtf8Sequences(bytes).following > 1;
}

function isReadable(text: string): boolean {
  if (!text.includes('\ufffd')) return true;
  const [unreadable, others] = [/\ufffd/g, /[^\0-\x7f]/g].map((chars) => text.match(chars)?.length ?? 0);
  return (unreadable ?? 0) <= Math.max(1, (others ?? 0) * MAX_UNREADABLE);
}

const ESCAPE = 0x1b;
const HEAD_BYTES = 20_000;
const LANGUAGE =
  /<(?:html|body|rss|feed|channel)\b[^>]{0,500}?\slang\s{0,9}=\s{0,9}["']?([a-z][\w-]{1,20})|xml:lang=["']([a-z][\w-]{1,20})|content-language["']?\s{1,9}content=["']?([a-z][\w-]{1,20})|<language>\s{0,9}([a-z][\w-]{1,20})/i;

function languageHints(bytes: Uint8Array, { url = '', declares = 'nothing' }: DecodeHints) {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    'latin1',
  );
  const tag = declares === 'nothing' ? undefined : LANGUAGE.exec(head)?.slice(1).find(Boolean);
  const host = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).hostname : '';
  return { named: tag && knownLanguage(tag), usual: languageOfDomain(host) };
}
