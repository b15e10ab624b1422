import { folderOf } from './files.ts';

interface DeclaredClass {
  /** Names of the classes and modules that the file declares. For PHP and Go, functions are included. */
  readonly names: readonly string[];
  readonly bases: readonly string[];
  /** Names of Go methods. They are needed to find the types that implement an interface. */
  readonly methods: readonly string[];
}

const DECLARES: Readonly<Record<string, RegExp>> = {
  Java: /\b(?:class|interface|enum|record)[ \t]{1,9}([A-Z]\w{0,80})/g,
  'C#': /\b(?:class|interface|struct|record)[ \t]{1,9}([A-Za-z]\w{0,80})/g,
  PHP: /\b(?:class|interface|trait|function)[ \t]{1,9}&?([A-Za-z_]\w{0,80})/g,
  Ruby: /^[ \t]{0,40}(?:class|module)[ \t]{1,9}(?:\w{1,80}::){0,5}([A-Z]\w{0,80})/gm,
  Go: /^(?:func|type|var|const)[ \t]{1,9}(?:\([ \t]{0,9}\w{0,80}[ \t]{0,9}\*?(?=\w{1,80}\)))?(\w{1,80})/gm,
};
const BASES =
  /\b(?:implements|extends)[ \t]{1,9}([\w.<>, \t]{1,300})|\b(?:class|record)[ \t]{1,9}\w{1,80}[^:{\n]{0,100}:[ \t]{0,9}([\w.<>, \t]{1,300})/g;
const METHODS = /^func[ \t]{1,9}\([^()\n]{1,100}\)[ \t]{0,9}(\w{1,80})/gm;
const MAX_NAMES = 2000;

/** Finds a file's declarations with regular expressions. Only files with a needed declaration are parsed. */
function declaredIn(language: string, text: string): DeclaredClass {
  const pattern = DECLARES[language];
  if (!pattern) return { names: [], bases: [], methods: [] };
  const names = new Set<string>();
  for (const [, name = ''] of text.matchAll(pattern)) if (names.size < MAX_NAMES) names.add(name);
  const bases = new Set<string>();
  if (language === 'Java' || language === 'C#')
    for (const [, first, second] of text.matchAll(BASES))
      for (const name of (first ?? second ?? '').match(/[A-Z]\w*/g) ?? [])
        if (bases.size < MAX_NAMES) bases.add(name);
  return { names: [...names], bases: [...bases], methods: language === 'Go' ? methodsIn(text) : [] };
}

function methodsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, name = ''] of text.matchAll(METHODS)) if (found.size < MAX_NAMES) found.add(name);
  return [...found];
}

export function nearestPath(paths: readonly string[], to: string): string | undefined {
  if (paths.length <= 1) return paths[0];
  const folder = folderOf(to).split('/');
  const shared = (path: string) => {
    const own = folderOf(path).split('/');
    const other = folder.findIndex((part, at) => part !== own[at]);
    return other < 0 ? folder.length : other;
  };
  return [...paths].sort((a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1))[0];
}

/** Maps names to the files that declare them. `: A` maps to subclasses of `A`, `. f` to Go methods `f`. */
export function declarationsOf(
  files: readonly { readonly path: string; readonly text: string; readonly language: string }[],
): Map<string, string[]> {
  const out = new Map<string, string[]>();
  const add = (name: string, path: string) => {
    const list = out.get(name);
    if (list) list.push(path);
    else out.set(name, [path]);
  };
  for (const { path, text, language } of files) {
    const { names, bases, methods } = declaredIn(language, text);
    for (const name of names) add(name, path);
    for (const name of bases) add(`: ${name}`, path);
    for (const name of methods) add(`. ${name}`, path);
  }
  return out;
}
