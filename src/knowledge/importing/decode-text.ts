import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import { describeGuess } from '../../lib/encoding/describe-guess.ts';

/** Decodes a file: UTF-8, UTF-16, what an HTML file declares, or else a guess from its bytes, which `warn` reports. */
export function decodeText(bytes: Uint8Array, name: string, warn?: (why: string) => void): string {
  const declares = /\.html?$/i.test(name) ? 'html' : 'nothing';
  const { text, encoding, isGuess } = decodeBytes(bytes, { declares });
  if (isGuess) warn?.(describeGuess(encoding));
  return text;
}
