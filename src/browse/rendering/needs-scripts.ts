const HEAD_BYTES = 500_000;
/** A page with fewer words may need scripts. With fewer than `NO_WORDS`, it surely needs them. */
const FEW_WORDS = 60;
const NO_WORDS = 15;

const EMPTY_ROOT =
  /<(?:div|main|section|body)\b[^<>]{0,300}\bid\s{0,9}=\s{0,9}["']?(?:root|app|main-app|__next|__nuxt|___gatsby|svelte|q-app|react-root|ember|application|mount)\b[^<>]{0,300}>\s{0,200}<\/|<([a-z]{1,50}-[a-z-]{1,50})\b[^<>]{0,300}>\s{0,200}<\/\1>/i;
const NOTICE =
  /\b(?:enable|turn on|activate|allow|requires?|needs?|without)\s(?:[\w']{1,20}\s){0,4}java-?script|java-?script\s(?:[\w']{1,20}\s){0,4}(?:disabled|required|enabled|needed|turned off)/i;

export type NeedsScripts = 'no' | 'perhaps' | 'surely';

export function guessNeedsScripts(body: Uint8Array, markdown: string): NeedsScripts {
  const words = countWords(markdown);
  if (words >= FEW_WORDS) return 'no';
  // Latin-1 suffices, because markup and the words in the patterns are ASCII in every encoding.
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString(
    'latin1',
  );
  if (!/<script\b/i.test(html)) return 'no';
  if (words > 0 && !EMPTY_ROOT.test(html) && !NOTICE.test(html)) return 'no';
  return words < NO_WORDS ? 'surely' : 'perhaps';
}

function countWords(text: string): number {
  const head = text.slice(0, 5000);
  const unspaced =
    head.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (head.match(/\p{L}{2,}/gu)?.length ?? 0) + Math.floor(unspaced / 2);
}
