import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import { describeGuess } from '../../lib/encoding/describe-guess.ts';

/** Decodes UTF-8, UTF-16 or an HTML file's declared encoding. Otherwise guesses and calls `warn`. */
export function decodeText(bytes: Uint8Array, name: string, warn?: (why: string) => void): string {
  const declares = /\.html?$/i.test(name) ? 'html' : 'nothing';
  const { text, encoding, isGuess } = decodeBytes(bytes, { declares });
  if (isGuess) warn?.(describeGuess(encoding));
  return text;
}
