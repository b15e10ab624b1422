import { createHash } from 'node:crypto';
import type { RawFinding } from './finding.ts';

/** Hashes each finding's rule, path and code into 32 hex digits. A counter distinguishes equal findings. */
export function fingerprintsOf(findings: readonly RawFinding[]): string[] {
  const order = findings.map((finding, index) => ({
    index,
    line: finding.line ?? 0,
    key: buildFindingKey(finding),
  }));
  order.sort((a, b) => a.line - b.line || a.index - b.index);
  const seen = new Map<string, number>();
  const out: string[] = new Array(findings.length);
  for (const { index, key } of order) {
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    out[index] = createHash('sha256').update(`${key}\0${ordinal}`).digest('hex').slice(0, 32);
  }
  return out;
}

export function buildFindingKey({ id, path, identity, package: used, excerpt }: RawFinding): string {
  const own = identity ?? (used ? `${used.ecosystem}:${used.name}` : (excerpt ?? ''));
  return `${id}\0${path}\0${own.replace(/\s+/g, ' ').trim()}`;
}
