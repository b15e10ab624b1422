import type { Lines } from '../../../trees/lines.ts';
import { type Collector, createCollector, type LockfileReader } from '../locked.ts';
import { isObject, itemsIn, type Json, objectIn, parseJson, textIn } from './json-tree.ts';

/** `zlib/1.2.11@user/channel#revision%time`: only without a user it is ConanCenter's. */
const REFERENCE =
  /^([\da-z_][\w+.-]{1,100})\/([\w+.-]{1,100})(?:@([\w+.-]{1,100})\/[\w+.-]{1,100}|@)?(?:[#:%]\S{0,300})?$/i;

/** Items of a list that are not found in its text; behind them all stand on the line of the last one that was. */
const MAX_MISSED = 20;

interface Reference {
  readonly name: string;
  readonly version: string;
  readonly local?: true;
}

function read(reference: string): Reference | undefined {
  const [, name, version, user] = REFERENCE.exec(reference.trim()) ?? [];
  if (name === undefined || version === undefined) return undefined;
  return user === undefined || user === '_' ? { name, version } : { name, version, local: true };
}

/** `conan.lock` of Conan 1, with a graph, and of Conan 2, with lists. */
export const conanLock: LockfileReader = {
  kind: 'conan.lock',
  ecosystem: 'ConanCenter',
  wants: (path) => /(?:^|\/)conan\.lock$/.test(path),
  parse(text) {
    const { root, lines } = parseJson(text);
    const collector = createCollector();
    addGraph(collector, root, lines);
    addList(collector, itemsIn(root, 'requires'), lines, text);
    for (const name of ['build_requires', 'python_requires'])
      addList(collector, itemsIn(root, name), lines, text, true);
    return collector.finish();
  },
};

function addGraph(collector: Collector, root: Json, lines: Lines): void {
  const nodes = objectIn(objectIn(root, 'graph_lock'), 'nodes').members;
  const indexes = new Map<string, number>();
  for (const [id, node] of nodes) {
    const found = read(textIn(node, 'ref') ?? '');
    if (found && isObject(node))
      indexes.set(id, collector.addPackage({ ...found, line: lines.lineAt(node.at) }));
  }
  for (const [id, node] of nodes) {
    for (const to of itemsIn(node, 'requires')) {
      const [from, needed] = [indexes.get(id) ?? -1, indexes.get(String(to)) ?? -1];
      // The first node is the project itself, whose reference may be empty.
      if (from < 0) collector.addDirect(needed);
      else collector.addNeed(from, needed);
    }
  }
}

function addList(
  collector: Collector,
  list: readonly Json[],
  lines: Lines,
  text: string,
  development?: true,
): void {
  let [from, missed] = [0, 0];
  for (const item of list) {
    const found = typeof item === 'string' ? read(item) : undefined;
    if (!found) continue;
    // Each is searched for behind the one before it, so that the text is read once; one that is written otherwise, to the end.
    const at = missed < MAX_MISSED ? text.indexOf(JSON.stringify(item), from) : -1;
    if (at < 0) missed++;
    else from = at;
    collector.addPackage({ ...found, line: lines.lineAt(from), ...(development ? { development } : {}) });
  }
}

/** `conanfile.txt`, whose lists mostly name single versions. */
export const conanfile: LockfileReader = {
  kind: 'conanfile.txt',
  ecosystem: 'ConanCenter',
  wants: (path) => /(?:^|\/)conanfile\.txt$/.test(path),
  advice: 'write a lockfile (conan lock create .) and commit it',
  parse(text) {
    const collector = createCollector();
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
    return collector.finish();
  },
};
