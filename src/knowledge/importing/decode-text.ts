import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';

/** Decodes a file as UTF-8 or UTF-16. For other encodings, guesses the encoding from the bytes. */
export function decodeText(bytes: Uint8Array): string {
  return decodeBytes(bytes).text;
}
