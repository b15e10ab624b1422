import type { LineIndex } from '../../../trees/lines.ts';
import type { LockfileParseFunction, PackageCollector } from '../lockfile-reader.ts';
import { isObject, itemsIn, type Json, objectIn, parseJson, textIn } from './json-tree.ts';

/** Matches `zlib/1.2.11@user/channel#revision%time`. References to ConanCenter's packages have no user. */
const REFERENCE =
  /^([\da-z_][\w+.-]{1,100})\/([\w+.-]{1,100})(?:@([\w+.-]{1,100})\/[\w+.-]{1,100}|@)?(?:[#:%]\S{0,300})?$/i;

const MAX_MISSED = 20;

function read(reference: string) {
  const [, name, version, user] = REFERENCE.exec(reference.trim()) ?? [];
  if (name === undefined || version === undefined) return undefined;
  return { name, version, local: user !== undefined && user !== '_' };
}

export const conanLock: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  addGraph(collector, root, lines);
  addList(collector, itemsIn(root, 'requires'), lines, text);
  for (const name of ['build_requires', 'python_requires'])
    addList(collector, itemsIn(root, name), lines, text, true);
};

function addGraph(collector: PackageCollector, root: Json, lines: LineIndex): void {
  const nodes = objectIn(objectIn(root, 'graph_lock'), 'nodes').members;
  const indexes = new Map<string, number>();
  for (const [id, node] of nodes) {
    const found = read(textIn(node, 'ref') ?? '');
    if (found && isObject(node))
      indexes.set(id, collector.addPackage({ ...found, line: lines.lineAt(node.at) }));
  }
  for (const [id, node] of nodes) {
    for (const to of itemsIn(node, 'requires')) {
      const [from = -1, needed] = [indexes.get(id), indexes.get(String(to))];
      // A node without a package reference is the project itself.
      if (from < 0) collector.addDirect(needed);
      else collector.addNeed(from, needed);
    }
  }
}

function addList(
  collector: PackageCollector,
  list: readonly Json[],
  lines: LineIndex,
  text: string,
  development?: true,
): void {
  let [from, missed] = [0, 0];
  for (const item of list) {
    const found = typeof item === 'string' ? read(item) : undefined;
    if (!found) continue;
    const at = missed < MAX_MISSED ? text.indexOf(JSON.stringify(item), from) : -1;
    if (at < 0) missed++;
    else from = at;
    collector.addPackage({ ...found, line: lines.lineAt(from), development });
  }
}

export const conanfile: LockfileParseFunction = (text, collector) => {
  let section = '';
  let ranges = 0;
  text.split(/\r?\n/).forEach((content, at) => {
    const line = content.split('#', 1)[0]?.trim() ?? '';
    const [, name] = /^\[([\w-]{1,50})\]$/.exec(line) ?? [];
    if (name !== undefined) section = name;
    else if (line !== '' && /^(?:requires|build_requires|tool_requires|test_requires)$/.test(section)) {
      const found = read(line);
      if (!found) ranges++;
      else
        collector.addDirect(
          collector.addPackage({ ...found, line: at + 1 }),
          undefined,
          section !== 'requires',
        );
    }
  });
  if (ranges > 0) collector.addNote(`${ranges} packages that are asked for by ranges of versions`);
};
