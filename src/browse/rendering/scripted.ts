/** Bytes of the page that are read. */
const HEAD_BYTES = 500_000;
/** Words below which a page may be waiting for its scripts, and below which it says nothing at all. */
const FEW_WORDS = 60;
const NO_WORDS = 15;

/** The one element that the frameworks of the day fill, still empty. */
const EMPTY_ROOT =
  /<(?:div|main|section|body)\b[^<>]{0,300}\bid\s{0,9}=\s{0,9}["']?(?:root|app|main-app|__next|__nuxt|___gatsby|svelte|q-app|react-root|ember|application|mount)\b[^<>]{0,300}>\s{0,200}<\/|<([a-z]{1,50}-[a-z-]{1,50})\b[^<>]{0,300}>\s{0,200}<\/\1>/i;
const NOTICE =
  /\b(?:enable|turn on|activate|allow|requires?|needs?|without)\s(?:[\w']{1,20}\s){0,4}java-?script|java-?script\s(?:[\w']{1,20}\s){0,4}(?:disabled|required|enabled|needed|turned off)/i;

/** How much of a page's text is there without running its scripts. */
export type Scripted = 'no' | 'perhaps' | 'surely';

/**
 * Whether a page shows next to nothing because its scripts have not run: few words, and an empty root or a
 * notice that asks for JavaScript, or no words and any script at all.
 */
export function scriptedness(body: Uint8Array, markdown: string): Scripted {
  const words = countWords(markdown);
  if (words >= FEW_WORDS) return 'no';
  // Markup and the notices searched for are ASCII in every encoding that the web has.
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString(
    'latin1',
  );
  if (!/<script\b/i.test(html)) return 'no';
  if (words > 0 && !EMPTY_ROOT.test(html) && !NOTICE.test(html)) return 'no';
  return words < NO_WORDS ? 'surely' : 'perhaps';
}

/** Letters of scripts without spaces count as half a word each. */
function countWords(text: string): number {
  const head = text.slice(0, 5000);
  const unspaced =
    head.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (head.match(/\p{L}{2,}/gu)?.length ?? 0) + Math.floor(unspaced / 2);
}
