import { type FileLookup, folderOf, joinPath } from './files.ts';

export interface ImportTarget {
  readonly file?: string;
  readonly folder?: string;
  readonly name?: string;
}

export type FindImport = (
  files: FileLookup,
  from: string,
  module: string,
  name: string,
) => ImportTarget | undefined;

const JAVASCRIPT_ENDINGS = ['', '.js', '.ts', '.tsx', '.jsx', '.mjs', '.cjs', '.mts', '.cts'];
const ROOTS = ['src/', '', 'app/', 'lib/'];

/** Resolves JavaScript imports. `./users` is relative to the file, `@/users` to one of the `ROOTS`. */
const javascript: FindImport = (files, from, module, name) => {
  const bases = /^\.{1,2}(?:\/|$)/.test(module)
    ? [joinPath(folderOf(from), module)]
    : /^[@~]\/./.test(module)
      ? ROOTS.map((root) => `${root}${module.slice(2)}`)
      : /^(?:src|app|lib|server)\//.test(module)
        ? [module]
        : [];
  const file = files.first(bases.flatMap((base) => (base === undefined ? [] : candidates(base))));
  return file === undefined ? undefined : { file, name: name === '' ? undefined : name };
};

/** Returns the paths to try. An import of `./users.js` can also mean the TypeScript file `users.ts`. */
function candidates(base: string): string[] {
  const source = base.replace(/\.[cm]?js$/, '');
  const plain = JAVASCRIPT_ENDINGS.map((ending) => base + ending);
  const index = JAVASCRIPT_ENDINGS.slice(1).map((ending) =>
    base === '' ? `index${ending}` : `${base}/index${ending}`,
  );
  return [...plain, ...(source === base ? [] : [`${source}.ts`, `${source}.tsx`, `${source}.mts`]), ...index];
}

/** Resolves Python imports. `.models` is in the file's folder, `models.user` there or in a parent folder. */
const python: FindImport = (files, from, module, name) => {
  const [dots = ''] = /^\.*/.exec(module) ?? [];
  const path = module.slice(dots.length).replaceAll('.', '/');
  let folder = folderOf(from);
  for (let up = 1; up < dots.length; up++) folder = folderOf(folder);
  const folders = dots === '' ? above(folder) : [folder];
  for (const base of folders) {
    const at = joinPath(base, path);
    if (at === undefined) continue;
    const whole = at === '' ? '' : `${at}/`;
    const part = name === '' ? undefined : files.first([`${whole}${name}.py`, `${whole}${name}/__init__.py`]);
    if (part !== undefined) return { file: part };
    const file = files.first([`${at}.py`, `${whole}__init__.py`]);
    if (file !== undefined) return { file, name: name === '' ? undefined : name };
  }
  return undefined;
};

function above(folder: string): string[] {
  const out = [folder];
  for (let at = folder; at !== ''; ) {
    at = folderOf(at);
    out.push(at);
  }
  return out;
}

/** Maximum number of path parts of a Go module's name. `github.com/owner/app` has three. */
const MAX_MODULE_PARTS = 4;

/** Resolves a Go import such as `github.com/owner/app/users` to a folder whose path ends with `users`. */
const go: FindImport = (files, _, module) => {
  const parts = module.split('/');
  const first = parts[0]?.includes('.') ? 1 : 0;
  for (let skip = first; skip <= Math.min(MAX_MODULE_PARTS, parts.length - 1); skip++) {
    // Imports without a host, such as `net/http`, are mostly standard library, so only two paths are tried.
    if (first === 0 && skip > 1) break;
    if (first === 0 && skip === 0 && parts.length === 1) break;
    const folder = files.folderEnding(parts.slice(skip).join('/'));
    if (
      folder !== undefined &&
      (first === 1 || parts.length - skip > 1 || folder === parts.slice(skip).join('/'))
    )
      return { folder };
  }
  return undefined;
};

const NONE: FindImport = () => undefined;

export function importResolverOf(language: string): FindImport {
  if (language === 'JavaScript' || language === 'TypeScript') return javascript;
  if (language === 'Python') return python;
  return language === 'Go' ? go : NONE;
}
