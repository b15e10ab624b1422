import { createHash } from 'node:crypto';

const NS = 'https://www.npmjs.com/package/magpie-mcp';

export function createOscalProp(name: string, value: string) {
  return { name, ns: NS, value: formatOscalLine(value) };
}

export function computeOscalUuid(check: string, what: string): string {
  const hex = createHash('sha256').update(`${check} ${what}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const formatOscalTime = (at: number): string => new Date(at).toISOString();

/** Returns a text in one line, or `-` if it is empty, because OSCAL's schema forbids empty texts. */
export function formatOscalLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || '-';
}
