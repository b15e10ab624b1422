import { decodePercent } from '../../../lib/text/decode-percent.ts';
import type { ZipArchive } from '../archive.ts';
import { escapeAddress } from '../html/parsing/addresses.ts';
import { findAllBelow, parseXml } from '../xml.ts';

export interface OfficeRelation {
  readonly target: string;
  readonly type: string;
  readonly address?: string;
}

export function readRelations(archive: ZipArchive, path: string): Map<string, OfficeRelation> {
  const name = path.lastIndexOf('/') + 1;
  const file = `${path.slice(0, name)}_rels/${path.slice(name)}.rels`;
  const all = findAllBelow(parseXml(archive.xml(file) ?? ''), 'Relationship');
  return new Map(
    all.map(({ attributes: { Id = '', Target = '', Type = '', TargetMode } }) => {
      const target = URL.canParse(Target, `file:///${path}`)
        ? decodePercent(new URL(Target, `file:///${path}`).pathname).slice(1)
        : '';
      return [Id, { target, type: Type, ...(TargetMode === 'External' && { address: Target }) }];
    }),
  );
}

/** Returns the path of an Office file's main part. A few programs do not give the part its usual name. */
export function mainPart(archive: ZipArchive, usual: string): string {
  const [named = ''] = targetsOf(readRelations(archive, ''), 'officeDocument');
  return archive.bytes(named) ? named : usual;
}

export function targetsOf(relations: ReadonlyMap<string, OfficeRelation>, type: string): string[] {
  const found = [...relations.values()].filter((one) => one.type.endsWith(`/${type}`));
  return [...new Set(found.map(({ target }) => target))];
}

export function linkTo(relation: OfficeRelation | undefined, text: string): string {
  const address = relation?.address ?? '';
  return text.trim() && /^(?:https?|mailto):/i.test(address) && !text.includes(address)
    ? `[${text.trim()}](${escapeAddress(address.replace(/[\s<>]/g, encodeURIComponent))})`
    : text;
}

/** Finds the relation whose id is in any of the attributes, because the attribute's prefix varies. */
export function findRelation(
  relations: ReadonlyMap<string, OfficeRelation>,
  attributes: Readonly<Record<string, string>>,
): OfficeRelation | undefined {
  return Object.values(attributes)
    .map((id) => relations.get(id))
    .find(Boolean);
}
