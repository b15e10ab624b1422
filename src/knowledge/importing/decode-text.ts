import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';

/** Decodes a file, whose encoding is UTF-8 or UTF-16, or else guessed from its bytes. */
export function decodeText(bytes: Uint8Array): string {
  return decodeBytes(bytes).text;
}
