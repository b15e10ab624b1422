import { decodePercent } from '../../../../lib/text/decode-percent.ts';
import { elementsIn, type HtmlElement, HtmlText, removeNode } from './node.ts';

const CODED = /cfemail|email-protection|UnCryptMailto|data-mailto-token|bidi-override/i;
const PROTECTED = /\/cdn-cgi\/l\/email-protection(?:#([^#]{0,2000}))?$/i;
const SHIFTED = /UnCryptMailto\((?:['"]|%27|%22)([^'"]{9,2000}?)(?:['"]|%27|%22)/i;
const REVERSED = /(?:^|[;\s])direction\s{0,9}:\s{0,9}rtl/i;
const ADDRESS = /^[^\s@<>()"?]{1,64}@[^\s@<>()"?]{3,255}(?:\?.{0,2000})?$/;

/** Writes mail addresses that pages encode against collectors: Cloudflare, TYPO3, and text from right to left. */
export function decodeMailAddresses(root: HtmlElement, html: string): void {
  if (!CODED.test(html)) return;
  for (const node of elementsIn(root)) {
    const text = shownAddress(node);
    const link = node.tag === 'a' ? linkedAddress(node) : undefined;
    if (link) node.attributes.href = `mailto:${link}`;
    else if (link === '') delete node.attributes.href;
    if (text === undefined) continue;
    for (const child of node.childNodes) removeNode(child);
    node.appendChild(new HtmlText(text));
  }
}

function shownAddress({ attributes, textContent }: HtmlElement): string | undefined {
  const { 'data-cfemail': hex, style } = attributes;
  if (hex !== undefined) return decodeHex(hex);
  if (!style?.includes('bidi-override') || !REVERSED.test(style)) return undefined;
  return addressIn([...textContent.trim()].reverse().join(''));
}

/** Returns the address to which a link leads, or '' if Cloudflare's link has none. */
function linkedAddress(link: HtmlElement): string | undefined {
  const { href = '', 'data-mailto-token': token } = link.attributes;
  const shifted = token ?? SHIFTED.exec(href)?.[1];
  if (shifted !== undefined) return shiftBack(decodePercent(shifted));
  const hidden = PROTECTED.exec(href);
  if (!hidden) return undefined;
  const coded = [link, ...link.children].map(({ attributes }) => attributes['data-cfemail'] ?? '');
  return decodeHex(hidden[1] ?? coded.find(Boolean) ?? '') ?? '';
}

/** Decodes Cloudflare's form: the first byte is the key by which all others are XORed. */
function decodeHex(hex: string): string | undefined {
  const [key = 0, ...bytes] = Buffer.from(hex, 'hex');
  return addressIn(Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8'));
}

const addressIn = (text: string): string | undefined => (ADDRESS.test(text) ? text : undefined);

const RANGES = [
  [0x2b, 0x3a],
  [0x40, 0x5a],
  [0x61, 0x7a],
] as const;

/** Decodes TYPO3's form of `mailto:` and an address: each character is shifted by one number in its range. */
function shiftBack(coded: string): string | undefined {
  const shift = 'm'.charCodeAt(0) - coded.charCodeAt(0);
  const text = [...coded].map((sign) => shiftSign(sign, shift)).join('');
  return text.startsWith('mailto:') ? addressIn(text.slice('mailto:'.length)) : undefined;
}

function shiftSign(sign: string, shift: number): string {
  const code = sign.charCodeAt(0);
  const [from, to] = RANGES.find(([first, last]) => code >= first && code <= last) ?? [code, code];
  const size = to - from + 1;
  return String.fromCharCode(from + ((((code - from + shift) % size) + size) % size));
}
