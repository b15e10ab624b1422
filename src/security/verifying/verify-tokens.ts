import { tokensIn } from '../scanners/secrets/token-scan.ts';
import { decodeText } from '../scans/file-job.ts';
import { linesOf } from '../trees/lines.ts';

export interface TokenJob {
  readonly content: Uint8Array;
  readonly places: readonly { readonly rule: string; readonly line: number }[];
}

export async function findTokensAtPlaces({ content, places }: TokenJob): Promise<(string | undefined)[]> {
  const text = decodeText(content) ?? '';
  const lines = linesOf(text);
  const hits = tokensIn(text).map(({ rule, secret, start }) => ({
    rule: rule.id,
    secret,
    line: lines.lineAt(start),
  }));
  return places.map(({ rule, line }) => hits.find((hit) => hit.rule === rule && hit.line === line)?.secret);
}
