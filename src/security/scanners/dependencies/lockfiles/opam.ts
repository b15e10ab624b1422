import { createCollector, type LockfileReader } from '../locked.ts';

/** `"dune" {= "3.7.0"}`, with other conditions beside it. */
const LOCKED = /"([A-Za-z][\w+-]{0,200})"\s*\{[^{}"]{0,200}=\s*"([\w.+~-]{1,100})"[^{}]{0,300}\}/g;
/** Lists that name packages: of those that only conflict, none is installed. */
const DEPENDS = /^(depends|depopts|pin-depends|conflicts)\s*:/;

/** `<name>.opam.locked` of OCaml, which `opam lock` writes. */
export const opam: LockfileReader = {
  kind: 'opam.locked',
  ecosystem: 'opam',
  wants: (path) => /(?:^|\/)(?:[\w.+-]{1,200}\.)?opam\.locked$/.test(path),
  parse(text) {
    const collector = createCollector();
    let list = '';
    text.split(/\r?\n/).forEach((content, at) => {
      const [, name] = DEPENDS.exec(content) ?? [];
      if (name !== undefined) list = name;
      else if (/^[a-z-]{1,50}\s{0,10}:/.test(content)) list = '';
      if (list !== 'depends') return;
      for (const [whole, used = '', version = ''] of content.matchAll(LOCKED)) {
        const development = /with-(?:test|doc|dev-setup)/.test(whole);
        collector.addPackage({
          name: used,
          version,
          line: at + 1,
          ...(development ? { development } : {}),
        });
      }
    });
    return collector.finish();
  },
};
