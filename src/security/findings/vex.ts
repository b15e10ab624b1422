import { PackageURL } from 'packageurl-js';
import { z } from 'zod';
import { badRequestError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { pushTo } from '../../lib/push-to.ts';
import { decodePercent } from '../../lib/text/decode-percent.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { DISTRIBUTION_PURLS, PURL_TYPES } from '../packages/package-url.ts';
import type { Finding } from './finding.ts';

export interface VexStatement {
  /** Ids of the vulnerability in upper case: its name and its aliases. */
  readonly ids: readonly string[];
  /** `packages` is undefined if the statement is about all packages of the product. */
  readonly packages: readonly VexPackage[] | undefined;
  /** Reason why the vulnerability does no harm. `undefined` withdraws the reason of an earlier statement. */
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
interface BomComponent {
  readonly 'bom-ref'?: string | undefined;
  readonly purl?: string | undefined;
  readonly components?: readonly BomComponent[] | undefined;
}
const bomComponent: z.ZodType<BomComponent> = z.object({
  'bom-ref': z.string().optional(),
  purl: z.string().optional(),
  get components() {
    return z.array(bomComponent).optional();
  },
});
const cycloneDx = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: bomComponent.optional() }).optional(),
  components: z.array(bomComponent).default([]),
  vulnerabilities: z
    .array(
      z.object({
        id: z.string(),
        references: z.array(z.object({ id: z.string() })).default([]),
        affects: z
          .array(z.object({ ref: z.string(), versions: z.array(z.unknown()).optional() }))
          .default([]),
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
  const value = parseJsonOrNothing(text);
  const open = openVex.safeParse(value);
  if (open.success) return open.data.statements.map(readStatement);
  const bom = cycloneDx.safeParse(value);
  if (bom.success) return readAnalyses(bom.data);
  throw badRequestError(`${fileName} is not a VEX document: --vex takes OpenVEX or CycloneDX in JSON`);
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
  const names = products.map((each) => each.identifiers?.purl ?? each['@id'] ?? '');
  const parts = products.flatMap(({ subcomponents }) => subcomponents);
  const isWhole = parts.length === 0 && names.length > 0 && names.every(isProduct);
  const packages =
    parts.length > 0 ? parts.map((each) => each.identifiers?.purl ?? each['@id'] ?? '') : names;
  return {
    ids: [vulnerability.name, ...vulnerability.aliases].map((id) => id.toUpperCase()),
    packages: isWhole ? undefined : packages.flatMap((purl) => readPackage(purl) ?? []),
    harmless: harmlessBy(status, [justification, impact ?? notes]),
  };
}

/** True if a name stands for a whole product or container image, not for one package. */
const isProduct = (name: string): boolean => !/^pkg:/i.test(name) || /^pkg:(?:oci|docker)\//i.test(name);

function readAnalyses({ metadata, components, vulnerabilities }: z.output<typeof cycloneDx>): VexStatement[] {
  const purls = new Map<string | undefined, string | undefined>();
  const open = [...components];
  for (let one = open.pop(); one; one = open.pop()) {
    purls.set(one['bom-ref'], one.purl);
    open.push(...(one.components ?? []));
  }
  const product = metadata?.component?.['bom-ref'];
  return vulnerabilities.flatMap(({ id, references, affects, analysis }) => {
    if (analysis?.state === undefined) return [];
    const packages = affects.flatMap(({ ref, versions }) => {
      // Resolves a BOM-Link to a component in another document: `urn:cdx:<serial>/<version>#<bom-ref>`.
      const purl = purls.get(ref) ?? decodePercent(ref.replace(/^urn:cdx:[^#]*#/, ''));
      // An entry that lists versions is ignored, because the listed versions may be the affected ones.
      return versions && versions.length > 0 ? [] : (readPackage(purl) ?? []);
    });
    const isWhole = product !== undefined && affects.some(({ ref }) => ref === product);
    return {
      ids: [id, ...references.map((one) => one.id)].map((one) => one.toUpperCase()),
      packages: isWhole ? undefined : packages,
      harmless: harmlessBy(analysis.state, [analysis.justification, analysis.detail]),
    };
  });
}

function harmlessBy(status: string, reasons: readonly (string | undefined)[]): string | undefined {
  if (!HARMLESS.has(status)) return undefined;
  return [status, ...reasons].filter(Boolean).join(': ').replaceAll('_', ' ').slice(0, MAX_REASON_CHARACTERS);
}

export function createVexJudge(
  statements: readonly VexStatement[],
): (finding: Pick<Finding, 'id' | 'aliases'>, purl: string) => string | undefined {
  const byId = new Map<string, { readonly at: number; readonly one: VexStatement }[]>();
  for (const [at, one] of statements.entries()) for (const id of one.ids) pushTo(byId, id, { at, one });
  return ({ id, aliases = [] }, purl) => {
    const used = readPackage(purl);
    const isAbout = ({ name, version, distro }: VexPackage) =>
      name === used?.name &&
      (version === undefined || version === used.version) &&
      (distro === undefined || used.distro === undefined || distro === used.distro);
    const about = [id, ...aliases]
      .flatMap((name) => byId.get(name.toUpperCase()) ?? [])
      .filter(({ one: { packages } }) => !packages || packages.some(isAbout));
    return about.sort((a, b) => a.at - b.at).at(-1)?.one.harmless;
  };
}

interface VexPackage {
  /** `type/namespace/name` of the package URL. The namespace may be empty: `npm//lodash`. */
  readonly name: string;
  /** `version` is undefined if the VEX statement covers all versions of the package. */
  readonly version: string | undefined;
  /** Release of a Linux distribution, for example `debian-12`. `distro` is undefined for other packages. */
  readonly distro: string | undefined;
}

const TYPES = new Set([...PURL_TYPES.values(), ...[...DISTRIBUTION_PURLS.values()].map(([type]) => type)]);

function readPackage(purl: string): VexPackage | undefined {
  const { type, namespace, name, version, qualifiers } = attempt(() => PackageURL.fromString(purl)) ?? {};
  if (type === undefined || !TYPES.has(type)) return undefined;
  const plain = version?.replace(/^v(?=\d)/, '');
  return { name: `${type}/${namespace ?? ''}/${name}`, version: plain, distro: qualifiers?.distro };
}
