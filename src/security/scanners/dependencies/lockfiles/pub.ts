import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { entryIn, parseIndented, valueIn } from './indented.ts';

/** Reads `pubspec.lock` of Dart and Flutter. The file does not say which package requires which other package. */
export const pub: LockfileParseFunction = (text, collector) => {
  for (const { key, line, entries } of entryIn(parseIndented(text), 'packages')?.entries ?? []) {
    const asked = valueIn(entries, 'dependency') ?? '';
    const index = collector.addPackage({
      name: key,
      version: valueIn(entries, 'version') ?? '',
      line,
      local: valueIn(entries, 'source') !== 'hosted',
    });
    if (asked.startsWith('direct')) collector.addDirect(index, undefined, asked === 'direct dev');
  }
};
