import { isUtf8 } from 'node:buffer';

/** A text counts as damaged UTF-8 if it has at least this many valid continuation bytes for each malformed sequence. */
const FOLLOWING_PER_ERROR = 2;

/**
 * True for UTF-8 with characters outside of ASCII, even if the text is cut or some of its bytes are wrong. In other encodings,
 * most byte sequences outside of ASCII are malformed as UTF-8. If at most `tolerated` sequences are malformed, the result is
 * true.
 */
export function isLikelyUtf8(bytes: Uint8Array, tolerated = 0): boolean {
  if (isUtf8(bytes)) return true;
  const { following, errors } = countSequences(bytes);
  return errors <= tolerated || (following > 0 && following >= FOLLOWING_PER_ERROR * errors);
}

/** Counts continuation bytes (`following`) of valid characters, and malformed sequences. Ignores a cut last character. */
export function countSequences(bytes: Uint8Array): { following: number; errors: number } {
  let following = 0;
  let errors = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const wanted = followersOf(lead);
    let found = 0;
    while (found < wanted && isFollower(lead, found, bytes[at + 1 + found])) found++;
    if (found === wanted && wanted > 0) following += wanted;
    else if (wanted === 0 || at + 1 + found < bytes.length) errors++;
    at += 1 + found;
  }
  return { following, errors };
}

function followersOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >= 0xe0 && lead <= 0xef) return 2;
  return lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
}

/** Lowest and highest second byte of a character, by first byte, where the range is smaller than 80 to BF (RFC 3629, 4). */
const SECOND_BYTES: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

function isFollower(lead: number, index: number, byte: number | undefined): boolean {
  const [first, last] = (index === 0 ? SECOND_BYTES[lead] : undefined) ?? [0x80, 0xbf];
  return byte !== undefined && byte >= first && byte <= last;
}

/** Number of bytes in which every second one is zero in UTF-16 of Latin letters. */
const WIDE_BYTES = 400;

/** Detects UTF-16 without a byte order mark, if half of the first bytes are the zeros beside ASCII. */
export function wideEncoding(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  const head = bytes.subarray(0, WIDE_BYTES);
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const enough = head.length / 4;
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : undefined;
}
