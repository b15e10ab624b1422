import { decodePercent } from '../../../lib/text/decode-percent.ts';
import type { Archive } from '../archive.ts';
import { findAllBelow, parseXml } from '../xml.ts';

export interface Relation {
  /** Path of the target in the archive. */
  readonly target: string;
  readonly type: string;
}

/** Returns the relationships of a part of an Office Open XML file, keyed by their ids. */
export function readRelations(archive: Archive, path: string): Map<string, Relation> {
  const name = path.lastIndexOf('/') + 1;
  const file = `${path.slice(0, name)}_rels/${path.slice(name)}.rels`;
  const all = findAllBelow(parseXml(archive.xml(file) ?? ''), 'Relationship');
  return new Map(
    all.map(({ attributes: { Id = '', Target = '', Type = '' } }) => {
      const target = URL.canParse(Target, `file:///${path}`)
        ? decodePercent(new URL(Target, `file:///${path}`).pathname).slice(1)
        : '';
      return [Id, { target, type: Type }];
    }),
  );
}

/** Returns the relationship that an element's attribute names. The attribute's prefix differs between files. */
export function findRelation(
  relations: ReadonlyMap<string, Relation>,
  attributes: Readonly<Record<string, string>>,
): Relation | undefined {
  return Object.values(attributes)
    .map((id) => relations.get(id))
    .find(Boolean);
}
