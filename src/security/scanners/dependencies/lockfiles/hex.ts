import type { LockfileParseFunction } from '../lockfile-reader.ts';

const ENTRY = /^ {2}"([\w.-]{1,200})": \{:(\w{1,20}), (?::([\w.-]{1,200}), "([^"]{1,100})")?/;
const NEED = /\{:(\w{1,200}), "([^"]{0,200})"/g;

export const hex: LockfileParseFunction = (text, collector) => {
  const entries = text.split(/\r?\n/).flatMap((content, at) => {
    const [, own, kind, name = own, version = '0'] = ENTRY.exec(content) ?? [];
    if (own === undefined || name === undefined) return [];
    return [
      { own, content, index: collector.addPackage({ name, version, line: at + 1, local: kind !== 'hex' }) },
    ];
  });
  const indexes = new Map(entries.map(({ own, index }) => [own, index]));
  for (const { content, index } of entries) {
    for (const [, name = '', range = ''] of content.matchAll(NEED)) {
      collector.addNeed(index, indexes.get(name), range);
    }
  }
};
