import { createLineIndex } from '../../../trees/lines.ts';
import { BrokenLockfileError, type LockfileParseFunction } from '../lockfile-reader.ts';
import { childOf, childrenOf, type LocatedXmlElement, parseXml, textOf } from './xml-tree.ts';

const MAX_PROPERTY_DEPTH = 8;

export const pom: LockfileParseFunction = (text, collector) => {
  const project = parseXml(text);
  if (project.name !== 'project') throw new BrokenLockfileError('it is not a Maven project');
  const lines = createLineIndex(text);
  const properties = propertiesOf(project);
  const managed = new Map<string, LocatedXmlElement>();
  const management = childOf(childOf(project, 'dependencyManagement'), 'dependencies');
  const place = (one: LocatedXmlElement) =>
    ['groupId', 'artifactId'].map((part) => filled(textOf(one, part) ?? '', properties)).join(':');
  for (const one of childrenOf(management, 'dependency')) managed.set(place(one), one);
  let unknown = 0;
  for (const one of childrenOf(childOf(project, 'dependencies'), 'dependency')) {
    const name = place(one);
    const rule = managed.get(name);
    const version = filled(textOf(one, 'version') ?? textOf(rule, 'version') ?? '', properties);
    const scope = textOf(one, 'scope') ?? textOf(rule, 'scope');
    // The version is unknown if it is a range, or if another file defines it, such as the parent POM.
    if (version === '' || /[$[\](),]/.test(version) || name.includes('$')) unknown++;
    else
      collector.addPackage({
        name,
        version,
        line: lines.lineAt(one.at),
        direct: true,
        development: scope === 'test',
        local: scope === 'system',
      });
  }
  if (unknown > 0)
    collector.addNote(`${unknown} dependencies whose version is a range, or is in a parent or another POM`);
};

function propertiesOf(project: LocatedXmlElement): Map<string, string> {
  const properties = new Map<string, string>();
  const parent = childOf(project, 'parent');
  for (const part of ['groupId', 'artifactId', 'version']) {
    const own = textOf(project, part) ?? textOf(parent, part);
    if (own !== undefined)
      for (const prefix of ['project.', 'pom.', '']) properties.set(`${prefix}${part}`, own);
    const inherited = textOf(parent, part);
    if (inherited !== undefined) properties.set(`project.parent.${part}`, inherited);
  }
  for (const { name, text } of childOf(project, 'properties')?.children ?? [])
    properties.set(name, text.trim());
  return properties;
}

/** Replaces `${name}` by the property's value. The number of steps is limited, because a property may refer to itself. */
function filled(text: string, properties: ReadonlyMap<string, string>): string {
  let result = text;
  for (let step = 0; step < MAX_PROPERTY_DEPTH && result.includes('${') && result.length < 1000; step++)
    result = result.replace(
      /\$\{([^{}]{1,200})\}/g,
      (whole, name: string) => properties.get(name.trim()) ?? whole,
    );
  return result.trim();
}
