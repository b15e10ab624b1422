import type { Seal } from './report.ts';

/** A seal in a line, for reports that people read; `readSeal` finds it again in any text around it. */
export function sealText(id: string, { digest, signature, key }: Seal): string {
  return `magpie-seal-1 check=${id} sha256=${digest} ed25519=${base64url(signature)} key=${base64url(key)} end`;
}

/** Lines may have been broken anywhere: a PDF's text has its own. */
const SEAL = /magpie-seal-1check=([0-9a-f]{24})sha256=([0-9a-f]{64})ed25519=([\w-]{86})key=([\w-]{59})end/;

/** The seal in a text; undefined where there is none. */
export function readSeal(text: string): { id: string; seal: Seal } | undefined {
  const at = text.lastIndexOf('magpie-seal-1');
  if (at < 0) return undefined;
  const [, id, digest, signature, key] = SEAL.exec(text.slice(at, at + 1000).replace(/\s+/g, '')) ?? [];
  if (!id || !digest || !signature || !key) return undefined;
  return { id, seal: { digest, signature: base64(signature), key: base64(key) } };
}

function base64url(text: string): string {
  return Buffer.from(text, 'base64').toString('base64url');
}

function base64(text: string): string {
  return Buffer.from(text, 'base64url').toString('base64');
}
