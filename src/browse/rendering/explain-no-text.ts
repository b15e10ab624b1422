import type { PageKind } from '../reading/page.ts';

const SEARCHED_BYTES = 500_000;
const FRAMES = /<i?frame(?:set)?\b/i;
const PICTURES = /<(?:img|picture|svg|canvas|video|audio|object|embed)\b/i;
const TRY = '; try another page';

export function explainNoText(body: Uint8Array, kind: PageKind): string {
  if (body.length === 0) return `is empty: the site sent nothing${TRY}`;
  if (kind !== 'html') return `has no text${TRY}`;
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SEARCHED_BYTES)).toString(
    'latin1',
  );
  if (FRAMES.test(html)) return `has no text of its own: it shows other pages in frames${TRY}`;
  return PICTURES.test(html)
    ? `has no text: it shows nothing but pictures or video${TRY}`
    : `has no text${TRY}`;
}
