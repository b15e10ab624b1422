import type { LockfileParseFunction } from '../lockfile-reader.ts';

/** Matches a package with its locked version: `"dune" {= "3.7.0"}`. The braces may contain further conditions. */
const LOCKED = /"([A-Za-z][\w+-]{0,200})"\s*\{[^{}"]{0,200}=\s*"([\w.+~-]{1,100})"[^{}]{0,300}\}/g;
/** Matches the first line of a list of packages. Only packages in the list `depends` are read. */
const DEPENDS = /^(depends|depopts|pin-depends|conflicts)\s*:/;

export const opam: LockfileParseFunction = (text, collector) => {
  let list = '';
  text.split(/\r?\n/).forEach((content, at) => {
    const [, name] = DEPENDS.exec(content) ?? [];
    if (name !== undefined) list = name;
    else if (/^[a-z-]{1,50}\s{0,10}:/.test(content)) list = '';
    if (list !== 'depends') return;
    for (const [whole, used = '', version = ''] of content.matchAll(LOCKED)) {
      const development = /with-(?:test|doc|dev-setup)/.test(whole);
      collector.addPackage({ name: used, version, line: at + 1, development: development || undefined });
    }
  });
};
