import { createLineIndex, type LineIndex } from '../../../trees/lines.ts';
import type { LockfileParseFunction, PackageCollector } from '../lockfile-reader.ts';
import { hexHash } from './hashes.ts';
import { isObject, type Json, type JsonObject, objectIn, parseJson, textIn, textsIn } from './json-tree.ts';
import { type LocatedXmlElement, parseXml, textOf } from './xml-tree.ts';

export const nugetLock: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  for (const [, framework] of objectIn(root, 'dependencies').members) {
    if (isObject(framework)) addFramework(framework, lines, collector);
  }
};

function addFramework(framework: JsonObject, lines: LineIndex, collector: PackageCollector): void {
  const indexes = new Map<string, number>();
  const entries: { readonly own: number; readonly entry: Json }[] = [];
  for (const [name, entry] of framework.members) {
    if (!isObject(entry)) continue;
    const kind = textIn(entry, 'type');
    const project = kind === 'Project';
    const hash = Buffer.from(textIn(entry, 'contentHash') ?? '', 'base64').toString('hex');
    const own = collector.addPackage({
      name,
      version: textIn(entry, 'resolved') ?? (project ? '0' : ''),
      line: lines.lineAt(entry.at),
      local: project,
      hashes: hexHash('sha512', hash),
    });
    indexes.set(name.toLowerCase(), own);
    entries.push({ own, entry });
    if (kind === 'Direct') collector.addDirect(own, textIn(entry, 'requested'));
  }
  for (const { own, entry } of entries) {
    for (const [name, range] of textsIn(entry, 'dependencies'))
      collector.addNeed(own, indexes.get(name.toLowerCase()), range);
  }
}

export const nugetConfig: LockfileParseFunction = (text, collector) => {
  const root = parseXml(text);
  const lines = createLineIndex(text);
  for (const { name, at, attributes } of root.children) {
    if (name !== 'package') continue;
    const { id = '', version = '', developmentDependency } = attributes;
    const development = developmentDependency?.toLowerCase() === 'true';
    collector.addPackage({ name: id, version, line: lines.lineAt(at), development });
  }
};

export const nugetProject: LockfileParseFunction = (text, collector, { beside }) => {
  if (beside('packages.lock.json') !== undefined) return;
  const lines = createLineIndex(text);
  let unknown = 0;
  const visit = (element: LocatedXmlElement): void => {
    for (const child of element.children) {
      if (child.name !== 'PackageReference' && child.name !== 'PackageVersion') {
        visit(child);
        continue;
      }
      const {
        Include = child.attributes.Update ?? '',
        Version,
        VersionOverride,
        PrivateAssets,
      } = child.attributes;
      const range = VersionOverride ?? Version ?? textOf(child, 'Version');
      const version = leastOf(range ?? '');
      if (version === undefined) {
        // References without a version are not counted: Directory.Packages.props may set their version.
        if (range !== undefined) unknown++;
        continue;
      }
      const assets = PrivateAssets ?? textOf(child, 'PrivateAssets') ?? '';
      const index = collector.addPackage({ name: Include, version, line: lines.lineAt(child.at) });
      collector.addDirect(index, range, /^all$/i.test(assets));
    }
  };
  visit(parseXml(text));
  if (unknown > 0) collector.addNote(`${unknown} package references whose version is not a plain one`);
};

/** Returns the lowest version of a range, which NuGet installs: 1.2 for `1.2` and `[1.2,2.0)`. */
function leastOf(range: string): string | undefined {
  const [, least] = /^\[?\s*(\d[\w.+-]*)\s*(?:,[^,]*)?[\])]?$/.exec(range.trim()) ?? [];
  return least;
}
