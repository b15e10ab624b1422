import { tokensIn } from '../scanners/secrets/token-scan.ts';
import { decodeText } from '../scans/file-job.ts';
import { linesOf } from '../trees/lines.ts';

export interface TokenJob {
  readonly content: Uint8Array;
  readonly places: readonly { readonly rule: string; readonly line: number }[];
}

export async function findTokensAtPlaces({ content, places }: TokenJob): Promise<string[][]> {
  const text = decodeText(content) ?? '';
  const lines = linesOf(text);
  const hits = tokensIn(text).map(({ rule, secret, start }) => ({
    rule: rule.id,
    secret,
    line: lines.lineAt(start),
  }));
  return places.map(({ rule, line }) => [
    ...new Set(hits.filter((hit) => hit.rule === rule && hit.line === line).map(({ secret }) => secret)),
  ]);
}
