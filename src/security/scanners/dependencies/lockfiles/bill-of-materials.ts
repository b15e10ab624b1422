import { formatCount } from '../../../../lib/text/format-count.ts';
import { readPackageUrl } from '../../../packages/package-url.ts';
import type {
  FoundPackage,
  LockedPackageIndex,
  LockfileParseFunction,
  PackageCollector,
} from '../lockfile-reader.ts';
import { isObject, itemsIn, type Json, objectIn, parseJson, textIn } from './json-tree.ts';

type IndexesById = Map<string, LockedPackageIndex>;

/** Reads CycloneDX and SPDX 2 in JSON. A note counts the packages without a package URL of a known type. */
export const billOfMaterials: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  const lineOf = (item: Json) => lines.lineAt(isObject(item) ? item.at : 0);
  if (textIn(root, 'spdxVersion') !== undefined) readSpdx(root, lineOf, collector);
  else if (textIn(root, 'bomFormat') === 'CycloneDX') readCycloneDx(root, lineOf, collector);
  else collector.addNote('a bill of materials that is neither CycloneDX nor SPDX 2');
};

function readCycloneDx(root: Json, lineOf: (item: Json) => number, collector: PackageCollector): void {
  const indexes: IndexesById = new Map();
  let unknown = 0;
  const open = [...itemsIn(root, 'components')].reverse();
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    open.push(...[...itemsIn(item, 'components')].reverse());
    const [license] = itemsIn(item, 'licenses');
    const licensed = objectIn(license, 'license');
    const index = addPackage(collector, textIn(item, 'purl'), {
      version: textIn(item, 'version') ?? '',
      line: lineOf(item),
      license: textIn(license, 'expression') ?? textIn(licensed, 'id') ?? textIn(licensed, 'name'),
      development: textIn(item, 'scope') === 'excluded' ? true : undefined,
    });
    if (index === undefined) unknown++;
    indexes.set(textIn(item, 'bom-ref') ?? '', index);
  }
  const project = textIn(objectIn(objectIn(root, 'metadata'), 'component'), 'bom-ref');
  for (const item of itemsIn(root, 'dependencies')) {
    const from = textIn(item, 'ref') ?? '';
    for (const to of itemsIn(item, 'dependsOn'))
      if (typeof to === 'string') addEdge(collector, indexes, { from, to, isProject: from === project });
  }
  noteUnknown(collector, unknown);
}

function readSpdx(root: Json, lineOf: (item: Json) => number, collector: PackageCollector): void {
  const indexes: IndexesById = new Map();
  const described = new Set(itemsIn(root, 'documentDescribes'));
  const relations = itemsIn(root, 'relationships').map((item) => ({
    kind: textIn(item, 'relationshipType') ?? '',
    from: textIn(item, 'spdxElementId') ?? '',
    to: textIn(item, 'relatedSpdxElement') ?? '',
  }));
  for (const { kind, from, to } of relations)
    if (kind === 'DESCRIBES' && from === 'SPDXRef-DOCUMENT') described.add(to);
  let unknown = 0;
  for (const item of itemsIn(root, 'packages')) {
    const id = textIn(item, 'SPDXID') ?? '';
    const purl = itemsIn(item, 'externalRefs').find((one) => textIn(one, 'referenceType') === 'purl');
    const [declared, concluded] = [textIn(item, 'licenseDeclared'), textIn(item, 'licenseConcluded')];
    const index = addPackage(collector, textIn(purl, 'referenceLocator'), {
      version: textIn(item, 'versionInfo') ?? '',
      line: lineOf(item),
      license: [declared, concluded].find((one) => one !== undefined && !/^(?:NOASSERTION|NONE)$/.test(one)),
    });
    if (index === undefined && !described.has(id)) unknown++;
    indexes.set(id, index);
  }
  for (const { kind, from, to } of relations) {
    // `A DEPENDENCY_OF B` says that B needs A.
    const isReversed = kind.endsWith('DEPENDENCY_OF');
    if (!isReversed && kind !== 'DEPENDS_ON') continue;
    const [user, used] = isReversed ? [to, from] : [from, to];
    const development = kind === 'DEV_DEPENDENCY_OF' || kind === 'TEST_DEPENDENCY_OF' || undefined;
    addEdge(collector, indexes, { from: user, to: used, isProject: described.has(user), development });
  }
  noteUnknown(collector, unknown);
}

function addPackage(
  collector: PackageCollector,
  purl: string | undefined,
  { version: stated, line, ...facts }: Omit<FoundPackage, 'name'>,
): LockedPackageIndex {
  const [scheme] = /^pkg:\/{0,3}/i.exec(purl ?? '') ?? [];
  if (purl === undefined || scheme === undefined) return undefined;
  try {
    const [ecosystem, named] = readPackageUrl(purl.slice(scheme.length));
    const cut = named.lastIndexOf('@');
    const [name, version] = cut > 0 ? [named.slice(0, cut), named.slice(cut + 1)] : [named, stated];
    // Package URLs of Go modules have a `v` before the version, which advisories do not have.
    const plain = ecosystem === 'Go' ? version.replace(/^v(?=\d)/, '') : version;
    return collector.addPackage({ name, version: plain, line, ecosystem, ...facts });
  } catch {
    return undefined;
  }
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly isProject: boolean;
  readonly development?: boolean | undefined;
}

function addEdge(collector: PackageCollector, indexes: IndexesById, edge: Edge): void {
  const used = indexes.get(edge.to);
  if (edge.isProject) collector.addDirect(used, undefined, edge.development);
  else collector.addNeed(indexes.get(edge.from), used);
}

function noteUnknown(collector: PackageCollector, count: number): void {
  if (count > 0)
    collector.addNote(`${formatCount(count, 'component')} without a package URL of a known registry`);
}
