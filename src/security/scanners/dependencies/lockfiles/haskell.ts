import type { LockfileParseFunction } from '../lockfile-reader.ts';

const CONSTRAINT = /^(?:any\.)?([A-Za-z][\w-]{0,200}) *==([\d.]{1,100})$/;

export const cabalFreeze: LockfileParseFunction = (text, collector) => {
  text.split(/\r?\n/).forEach((content, at) => {
    const start = content.startsWith('constraints:') ? 'constraints:'.length : 0;
    for (const part of content.slice(start).split(',')) {
      const [, name, version] = CONSTRAINT.exec(part.trim()) ?? [];
      if (name !== undefined && version !== undefined) collector.addPackage({ name, version, line: at + 1 });
    }
  });
};

const HACKAGE = /^(?:- )?hackage: ["']?([A-Za-z][\w-]{0,200})-(\d[\d.]{0,100})(?:@|["']?$)/;

/** Reads `stack.yaml.lock`. The file lists only packages that are not in the snapshot on stackage.org. */
export const stackLock: LockfileParseFunction = (text, collector) => {
  const seen = new Set<string>();
  let snapshots = false;
  text.split(/\r?\n/).forEach((content, at) => {
    const line = content.trim();
    if (line === 'snapshots:') snapshots = true;
    const [, name, version] = HACKAGE.exec(line) ?? [];
    if (name === undefined || version === undefined || seen.has(`${name} ${version}`)) return;
    // The file lists each package twice, as requested and as resolved. `seen` skips the second entry.
    seen.add(`${name} ${version}`);
    collector.addDirect(collector.addPackage({ name, version, line: at + 1 }));
  });
  if (snapshots) collector.addNote('packages of its snapshot are not listed in it');
};
