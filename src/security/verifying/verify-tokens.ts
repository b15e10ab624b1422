import { secretTokensIn } from '../scanners/secrets/token-scan.ts';
import { decodeFileText } from '../scans/file-job.ts';
import { createLineIndex } from '../trees/lines.ts';

export interface TokenJob {
  readonly content: Uint8Array;
  readonly places: readonly { readonly rule: string; readonly line: number }[];
}

export async function findTokensAtPlaces({ content, places }: TokenJob): Promise<string[][]> {
  const text = decodeFileText(content) ?? '';
  const lines = createLineIndex(text);
  const hits = secretTokensIn(text).map(({ rule, secret, start }) => ({
    rule: rule.id,
    secret,
    line: lines.lineAt(start),
  }));
  return places.map(({ rule, line }) => [
    ...new Set(hits.filter((hit) => hit.rule === rule && hit.line === line).map(({ secret }) => secret)),
  ]);
}
