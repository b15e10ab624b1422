import { createCollector, type LockfileReader } from '../locked.ts';
import { hexHash, withHashes } from './hashes.ts';
import { isObject, itemsIn, type Json, objectIn, parseJson, textIn, textsIn } from './json-tree.ts';

/** `composer.lock`, with the ranges of composer.json beside it. */
export const composer: LockfileReader = {
  kind: 'composer.lock',
  ecosystem: 'Packagist',
  wants: (path) => /(?:^|\/)composer\.lock$/.test(path),
  beside: ['composer.json'],
  parse(text, { beside }) {
    const { root, lines } = parseJson(text);
    const collector = createCollector();
    const indexes = new Map<string, number>();
    const facts: { readonly own: number; readonly entry: Json }[] = [];
    for (const [section, development] of [
      ['packages', false],
      ['packages-dev', true],
    ] as const) {
      for (const entry of itemsIn(root, section)) {
        if (!isObject(entry)) continue;
        const name = (textIn(entry, 'name') ?? '').toLowerCase();
        const version = (textIn(entry, 'version') ?? '').replace(/^v(?=\d)/i, '');
        const named = text.indexOf('"name"', entry.at);
        const licenses = itemsIn(entry, 'license').filter((one) => typeof one === 'string');
        const own = collector.add({
          name,
          version,
          line: lines.lineAt(named < 0 ? entry.at : named),
          development,
          license: licenses.length > 0 ? licenses.join(' OR ') : undefined,
          local: /^dev-|-dev$/.test(version) ? (true as const) : undefined,
          ...withHashes(hexHash('sha1', textIn(objectIn(entry, 'dist'), 'shasum') ?? '')),
        });
        indexes.set(name, own);
        facts.push({ own, entry });
      }
    }
    const find = (name: string) => indexes.get(name.toLowerCase()) ?? -1;
    for (const { own, entry } of facts) {
      for (const [name, range] of textsIn(entry, 'require')) collector.link(own, find(name), range);
    }
    const manifest = beside('composer.json');
    const wished = manifest === undefined ? undefined : parseJson(manifest).root;
    for (const [kind, development] of [
      ['require', false],
      ['require-dev', true],
    ] as const) {
      for (const [name, range] of textsIn(wished, kind)) collector.wish(find(name), range, development);
    }
    return collector.done();
  },
};
