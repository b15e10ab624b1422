import { isUtf8 } from 'node:buffer';

const FOLLOWING_PER_ERROR = 2;

/** Returns true for UTF-8, even if cut off or slightly damaged. Always accepts up to `tolerated` errors. */
export function isLikelyUtf8(bytes: Uint8Array, tolerated = 0): boolean {
  if (isUtf8(bytes)) return true;
  const { following, errors } = countUtf8Sequences(bytes);
  return errors <= tolerated || (following > 0 && following >= FOLLOWING_PER_ERROR * errors);
}

/** Counts continuation bytes (`following`) and malformed sequences. Ignores a sequence that is cut off. */
export function countUtf8Sequences(bytes: Uint8Array): { following: number; errors: number } {
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

/** Allowed second bytes after some first bytes. After others, 80 to BF (hex) are allowed (RFC 3629, 4). */
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

/** Number of bytes to examine for UTF-16. In UTF-16, every second byte of Latin text is zero. */
const WIDE_BYTES = 400;

export function utf16Encoding(bytes: Uint8Array): string | undefined {
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
