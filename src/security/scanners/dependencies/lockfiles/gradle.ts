import type { LockfileParseFunction } from '../lockfile-reader.ts';

/** Reads `gradle.lockfile` and similar files. Their lines are `group:name:version=configurations`. */
export const gradle: LockfileParseFunction = (text, collector, { path }) => {
  // True for the lockfile of a build script. Its packages are used in the build but not shipped.
  const building = /(?:^|\/)buildscript-gradle\.lockfile$|\/buildscript-[^/]*$/.test(path);
  let odd = 0;
  let line = 0;
  for (const raw of text.split('\n')) {
    line++;
    const content = raw.trim();
    if (content === '' || content.startsWith('#') || content.startsWith('empty=')) continue;
    const [stated = '', configurations = ''] = content.split('=', 2);
    const [group, name, version, more] = stated.split(':');
    if (group === undefined || name === undefined || version === undefined || more !== undefined) {
      odd++;
      continue;
    }
    const used = configurations.split(',').filter((one) => one !== '');
    const development = building || (used.length > 0 && used.every((one) => /test/i.test(one)));
    collector.addPackage({ name: `${group}:${name}`, version, line, development });
  }
  if (odd > 0) collector.addNote(`${odd} lines that are not an entry of a lockfile`);
};
