import { PackageURL } from 'packageurl-js';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { DISTRIBUTION_PURLS, PURL_TYPES } from '../packages/package-url.ts';
import type { Finding } from './finding.ts';

/** What a VEX document says of one vulnerability in some packages. */
export interface VexStatement {
  /** Ids of the vulnerability in upper case: its name and its aliases. */
  readonly ids: readonly string[];
  /** Undefined if the statement is about the whole product, so about all its packages. */
  readonly packages: readonly NamedPackage[] | undefined;
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
  return {
    ids: [vulnerability.name, ...vulnerability.aliases].map((id) => id.toUpperCase()),
    packages: readPackages(named.map((each) => each.identifiers?.purl ?? each['@id'] ?? '')),
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
      packages: readPackages(refs),
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
    const used = readPackage(purl);
    const isAbout = ({ name, version }: NamedPackage) =>
      name === used?.name && (version === undefined || version === used.version);
    const statementsOf = [id, ...aliases].flatMap((one) => byId.get(one.toUpperCase()) ?? []);
    return statementsOf.findLast(({ packages }) => !packages || packages.some(isAbout))?.harmless;
  };
}

interface NamedPackage {
  /** Package URL without version, qualifiers and path. */
  readonly name: string;
  /** Undefined if all versions are meant. */
  readonly version: string | undefined;
}

/** Returns the packages that the URLs name. Undefined if all of them name images or applications: `pkg:oci/shop`. */
function readPackages(purls: readonly string[]): NamedPackage[] | undefined {
  const ofRegistries = purls.filter((purl) =>
    TYPES.has(/^pkg:([a-z-]{1,50})\//i.exec(purl)?.[1]?.toLowerCase() ?? ''),
  );
  return ofRegistries.length > 0 ? ofRegistries.flatMap((purl) => readPackage(purl) ?? []) : undefined;
}

/** Returns undefined for an invalid URL. */
function readPackage(purl: string): NamedPackage | undefined {
  try {
    const { type, namespace, name, version } = PackageURL.fromString(purl);
    return { name: `${type}/${namespace ?? ''}/${name}`, version: version?.replace(/^v(?=\d)/, '') };
  } catch {
    return undefined;
  }
}
