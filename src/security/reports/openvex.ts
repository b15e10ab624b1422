import { VERSION } from '../../version.ts';
import type { Finding } from '../findings/finding.ts';
import type { SecurityScan } from '../scans/scan.ts';
import { packageReferenceOf, unique, uuidOf } from './package-references.ts';

export function openVexOf(scan: SecurityScan, findings: readonly Finding[]): Record<string, unknown> {
  const known = findings.flatMap((one) =>
    one.package ? [{ ...one, ref: packageReferenceOf(one.package) }] : [],
  );
  const groups = Map.groupBy(known, ({ id, suppressed, fix }) =>
    JSON.stringify([id, suppressed?.by, suppressed?.reason ?? fix]),
  );
  const timestamp = new Date(scan.endedAt ?? 0).toISOString();
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${uuidOf(scan.id)}`,
    author: `Magpie ${VERSION}`,
    timestamp,
    version: 1,
    statements: [...groups.values()].flatMap(([first, ...rest]) => {
      if (!first) return [];
      const { id, aliases = [], suppressed, fix } = first;
      return {
        vulnerability: { name: id, aliases: aliases.length > 0 ? aliases : undefined },
        products: unique([first, ...rest].map(({ ref }) => ref)).map((ref) => ({ '@id': ref })),
        ...(suppressed?.by === 'vex'
          ? { status: 'not_affected', impact_statement: suppressed.reason }
          : { status: 'affected', action_statement: suppressed ? `Accepted: ${suppressed.reason}` : fix }),
      };
    }),
  };
}
