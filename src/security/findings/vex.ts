import { PackageURL } from 'packageurl-js';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { DISTRIBUTION_PURLS, PURL_TYPES } from '../packages/package-url.ts';
import type { Finding } from './finding.ts';

/** What a VEX document says of one vulnerability in some packages. */
export interface VexStatement {
  /** Ids of the vulnerability in upper case: its name and its aliases. */
  readonly ids: readonly string[];
  /** Package URLs. Undefined if the statement is about the whole product, so about all its packages. */
  readonly packages: readonly string[] | undefined;
  /** Why the vulnerability does no harm. Undefined if it may do harm: the statement then ends an earlier one. */
  readonly harmless: string | undefined;
}

const HARMLESS = new Set(['not_affected', 'fixed', 'false_positive', 'resolved', 'resolved_with_pedigree']);
const MAX_STATEMENTS = 100_000;
const MAX_REASON_CHARACTERS = 500;

const product = z.object({
  '@id': z.string().optional(),
  identifiers: z.object({ purl: z.string().optional() }).optional(),
});
const openVex = z.object({
  '@context': z.string().startsWith('https://openvex.dev/ns'),
  statements: z
    .array(
      z.object({
        vulnerability: z.union([
          z.string().transform((name) => ({ name, aliases: [] as string[] })),
          z.object({ name: z.string(), aliases: z.array(z.string()).default([]) }),
        ]),
        products: z
          .array(
            z.union([
              z.string().transform((id) => ({ '@id': id, identifiers: undefined, subcomponents: [] })),
              product.extend({ subcomponents: z.array(product).default([]) }),
            ]),
          )
          .default([]),
        status: z.string(),
        justification: z.string().optional(),
        impact_statement: z.string().optional(),
        status_notes: z.string().optional(),
      }),
    )
    .max(MAX_STATEMENTS),
});
const cycloneDx = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z
    .array(z.object({ 'bom-ref': z.string().optional(), purl: z.string().optional() }))
    .default([]),
  vulnerabilities: z
    .array(
      z.object({
        id: z.string(),
        references: z.array(z.object({ id: z.string() })).default([]),
        affects: z.array(z.object({ ref: z.string() })).default([]),
        analysis: z
          .object({
            state: z.string().optional(),
            justification: z.string().optional(),
            detail: z.string().optional(),
          })
          .optional(),
      }),
    )
    .max(MAX_STATEMENTS),
});

/** Reads an OpenVEX or CycloneDX document. Throws AppError `bad_request` for any other file. */
export function readVex(text: string, fileName: string): VexStatement[] {
  const value = parseJson(text);
  const open = openVex.safeParse(value);
  if (open.success) return open.data.statements.map(readStatement);
  const bom = cycloneDx.safeParse(value);
  if (bom.success) return readAnalyses(bom.data);
  throw new AppError(
    'bad_request',
    `${fileName} is not a VEX document: --vex takes OpenVEX or CycloneDX in JSON`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readStatement(one: z.output<typeof openVex>['statements'][number]): VexStatement {
  const {
    vulnerability,
    products,
    status,
    justification,
    impact_statement: impact,
    status_notes: notes,
  } = one;
  const named = products.flatMap(({ subcomponents, ...whole }) =>
    subcomponents.length > 0 ? subcomponents : [whole],
  );
  const packages = named.map((each) => each.identifiers?.purl ?? each['@id'] ?? '');
  return {
    ids: [vulnerability.name, ...vulnerability.aliases].map((id) => id.toUpperCase()),
    packages: packages.every(isPackage) && packages.length > 0 ? packages : undefined,
    harmless: harmlessBy(status, [justification, impact ?? notes]),
  };
}

function readAnalyses({ components, vulnerabilities }: z.output<typeof cycloneDx>): VexStatement[] {
  const purls = new Map(components.map((one) => [one['bom-ref'], one.purl]));
  return vulnerabilities.flatMap(({ id, references, affects, analysis }) => {
    if (analysis?.state === undefined) return [];
    // A BOM-Link names a component in another document: `urn:cdx:<serial>/<version>#<bom-ref>`.
    const refs = affects.map(
      ({ ref }) => purls.get(ref) ?? decodeURIComponentOr(ref.replace(/^urn:cdx:[^#]*#/, '')),
    );
    return {
      ids: [id, ...references.map((one) => one.id)].map((one) => one.toUpperCase()),
      packages: refs.every(isPackage) && refs.length > 0 ? refs : undefined,
      harmless: harmlessBy(analysis.state, [analysis.justification, analysis.detail]),
    };
  });
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function harmlessBy(status: string, reasons: readonly (string | undefined)[]): string | undefined {
  if (!HARMLESS.has(status)) return undefined;
  return [status, ...reasons].filter(Boolean).join(': ').replaceAll('_', ' ').slice(0, MAX_REASON_CHARACTERS);
}

const TYPES = new Set([...PURL_TYPES.values(), ...[...DISTRIBUTION_PURLS.values()].map(([type]) => type)]);

/** True for the URL of a package in a registry. Images and applications, such as `pkg:oci/shop`, are products instead. */
function isPackage(purl: string): boolean {
  return TYPES.has(/^pkg:([a-z-]+)\//.exec(purl)?.[1] ?? '');
}

/** Returns the reason why the VEX documents hold a vulnerability to be harmless. The last statement about it decides. */
export function createVexJudge(
  statements: readonly VexStatement[],
): (finding: Pick<Finding, 'id' | 'aliases'>, purl: string) => string | undefined {
  const byId = new Map<string, VexStatement[]>();
  for (const one of statements)
    for (const id of one.ids) {
      const list = byId.get(id);
      if (list) list.push(one);
      else byId.set(id, [one]);
    }
  return ({ id, aliases = [] }, purl) => {
    const about = [id, ...aliases].flatMap((name) => byId.get(name.toUpperCase()) ?? []);
    return about.findLast(({ packages }) => !packages || packages.some((one) => isSame(one, purl)))?.harmless;
  };
}

/** True if the written URL names this package. Without a version, it names all versions. Qualifiers do not count. */
function isSame(written: string, purl: string): boolean {
  try {
    const [a, b] = [PackageURL.fromString(written), PackageURL.fromString(purl)];
    const same = a.type === b.type && (a.namespace ?? '') === (b.namespace ?? '') && a.name === b.name;
    return same && (!a.version || a.version.replace(/^v(?=\d)/, '') === b.version?.replace(/^v(?=\d)/, ''));
  } catch {
    return false;
  }
}
