import type { ScannedFile } from '../../../scans/scanner.ts';
import { analyseProgram } from '../analyse.ts';
import type { AnalysisRun, CrossFileLinker } from '../flow/run.ts';
import { createVariableScope } from '../flow/values/scope.ts';
import type {
  AbstractValue,
  ClassInfo,
  Closure,
  FlowStep,
  LinkedImport,
  VariableScope,
} from '../flow/values/value.ts';
import { grammarOf } from '../grammars.ts';
import { templateTypeOf } from '../templates/kinds.ts';
import { declarationsOf, nearestPath } from './declarations.ts';
import { type FileLookup, filesOf, folderOf, joinPath } from './files.ts';
import { importResolverOf } from './imports.ts';
import type { ProgramFiles } from './program-files.ts';
import { classIn, findInterfaceMethods, findMethodInOtherClass, isMadeFrom, readExport } from './scopes.ts';
import { type ApplicationSettings, findSetting } from './settings.ts';

/** Maximum depth of nested includes, and maximum number of files that an outermost include runs in total. */
const [MAX_INCLUDED_FILES, MAX_INCLUSIONS] = [12, 64];
/** Maximum number of PHP files that `include "pages/$name"` reads. If the folder has more, none is read. */
const MAX_FOLDER_FILES = 8;
const MAX_IMPORTS_LENGTH = 5000;

export function createLinker(
  files: readonly ScannedFile[],
  units: ProgramFiles,
  operations: ReadonlyMap<string, FlowStep>,
  settings: ApplicationSettings,
  cut: (name: string) => void,
): CrossFileLinker {
  const tree = filesOf(files.map(({ path }) => path));
  const declared = declarationsOf(files.map(({ path, text }) => ({ path, text, language: nameOf(path) })));
  const templates = templatesOf(files);
  let [included, inclusions] = [0, 0];

  function given(from: AnalysisRun, path: string, name: string | undefined): AbstractValue | undefined {
    const unit = units.open(path);
    if (!unit?.scope) return undefined;
    // Some rules require an import. Imports in an imported file also count for the file that imports it.
    const more = unit.run.imports.slice(0, MAX_IMPORTS_LENGTH);
    if (from.imports.length < 4 * MAX_IMPORTS_LENGTH && !from.imports.includes(more)) from.imports += more;
    return readExport(unit.scope, name);
  }

  function inFolder(folder: string, name: string, except: string): AbstractValue | undefined {
    for (const path of declared.get(name) ?? []) {
      if (path === except || folderOf(path) !== folder) continue;
      const value = units.open(path)?.scope?.values.get(name);
      if (value) return value;
    }
    return undefined;
  }

  function runWithin(path: string | undefined, scope: VariableScope): boolean {
    if (included === 0) inclusions = 0;
    const isMany = included >= MAX_INCLUDED_FILES || inclusions >= MAX_INCLUSIONS;
    const unit = path === undefined || isMany ? undefined : units.read(path);
    if (!unit) return false;
    inclusions++;
    included++;
    analyseProgram(unit.run, unit.program, scope);
    included--;
    return true;
  }

  return {
    imported(from, module, name): LinkedImport | undefined {
      const byName = classBehind(units, declared, from, module);
      if (byName) return byName;
      const target = importResolverOf(nameOf(from.path))(tree, from.path, module, name);
      if (!target || target.file === from.path) return undefined;
      const { file, folder, name: asked } = target;
      if (file === undefined)
        return folder === undefined
          ? undefined
          : { whole: () => undefined, member: (part) => inFolder(folder, part, '') };
      const isWhole = asked === undefined || asked === '*';
      return {
        whole: () => given(from, file, asked),
        member: (part) => given(from, file, isWhole ? part : asked),
      };
    },
    named(from, asked) {
      if (nameOf(from.path) === 'Go') return inFolder(folderOf(from.path), asked, from.path);
      const name = asked.slice(asked.lastIndexOf('.') + 1);
      const path = nearestPath(
        (declared.get(name) ?? []).filter((one) => one !== from.path),
        from.path,
      );
      return path === undefined ? undefined : classIn(units.open(path)?.scope, name);
    },
    setting: (key, file, from) => findSetting(settings, key, file, from.path),
    methodOf(of, name) {
      return otherMethod(units, declared, of, name, (passedOver) => {
        this.passedOver = passedOver;
      });
    },
    cut,
    report: (path, weakness) => units.read(path)?.run.report(weakness),
    include(from, file, scope) {
      const path = from.template ? templates.find(file, from.path) : includedPath(tree, from, file);
      return runWithin(path, scope);
    },
    filesIn: (from, folder) => includedFolder(tree, from, folder),
    render(name, from, data) {
      const path = templates.find(name, from.path);
      const isPhp = path !== undefined && grammarOf(path)?.name === 'PHP';
      const scope = createVariableScope(undefined);
      for (const [key, value] of data) scope.values.set(isPhp ? `$${key}` : key, value);
      runWithin(path, scope);
    },
    operation: (path, name) => operations.get(`${path} ${name}`),
    unescaped: templates.unescaped,
  };
}

const nameOf = (path: string): string => grammarOf(path)?.name ?? '';

/** Finds a class by its full name in an import of Java or PHP: `import app.users.Store`, `use App\\Users\\Store`. */
function classBehind(
  units: ProgramFiles,
  declared: ReadonlyMap<string, readonly string[]>,
  from: AnalysisRun,
  module: string,
): LinkedImport | undefined {
  const language = nameOf(from.path);
  if (language !== 'Java' && language !== 'PHP') return undefined;
  const parts = module.split(/[.\\]/);
  const name = parts.at(-1) ?? '';
  const all = (declared.get(name) ?? []).filter((one) => one !== from.path);
  const own =
    language === 'PHP' ? all : all.filter((one) => one.endsWith(`${parts.slice(-2).join('/')}.java`));
  const path = nearestPath(own, from.path);
  if (path === undefined) return undefined;
  return { whole: () => classIn(units.open(path)?.scope, name), member: () => undefined };
}

const MAX_IMPLEMENTERS = 4;
/** Maximum numbers of files that declare a class, and of files with subclasses. Above them, none is read. */
const [MAX_PARTS, MAX_HEIRS] = [16, 64];

function otherMethod(
  units: ProgramFiles,
  declared: ReadonlyMap<string, readonly string[]>,
  of: ClassInfo,
  name: string,
  cut: (name: string) => void,
): Closure | undefined {
  const scopesOf = (key: string, most: number) => {
    const paths = declared.get(key) ?? [];
    if (paths.length > most) cut(of.name);
    return paths.length > most ? [] : paths.flatMap((path) => units.open(path)?.scope ?? []);
  };
  const isGo = nameOf(of.home.path) === 'Go';
  for (const scope of isGo ? [] : scopesOf(of.name, MAX_PARTS)) {
    const part = findMethodInOtherClass(scope, of, name, (other) => other.name === of.name);
    if (part) return part;
  }
  const found = isGo
    ? facesOf(of, name) &&
      scopesOf(`. ${name}`, MAX_HEIRS).flatMap((scope) => findInterfaceMethods(scope, of, name))
    : scopesOf(`: ${of.name}`, MAX_HEIRS).flatMap(
        (scope) => findMethodInOtherClass(scope, of, name, (other) => isMadeFrom(other, of.name)) ?? [],
      );
  if (!found) return undefined;
  if (found.length > MAX_IMPLEMENTERS) cut(of.name);
  const [first, ...others] = found.slice(0, MAX_IMPLEMENTERS);
  return first && others.length > 0 ? { ...first, others } : first;
}

const facesOf = ({ methods }: ClassInfo, name: string): boolean =>
  methods.has(name) && [...methods.values()].every(({ fn }) => fn.body.length === 0);

/** Returns the PHP files in an included folder, as paths from the repository's root with a leading slash. */
function includedFolder(tree: FileLookup, from: AnalysisRun, folder: string): string[] {
  const beside = joinPath(folderOf(from.path), folder) ?? '';
  const found = tree.within(beside).length > 0 ? beside : tree.folderEnding(folder.replace(/^\/|\/$/g, ''));
  const paths = tree.within(found ?? ' ').filter((path) => path !== from.path && nameOf(path) === 'PHP');
  return paths.length > MAX_FOLDER_FILES ? [] : paths.map((path) => `/${path}`);
}

/** Finds an included file in the including file's folder, then the root. For `/a.php`, the root comes first. */
function includedPath(tree: FileLookup, from: AnalysisRun, file: string): string | undefined {
  const beside = joinPath(folderOf(from.path), file.replace(/^\/+/, ''));
  const places = [beside, joinPath('', file)].filter((one) => one !== undefined);
  const path = tree.first(file.startsWith('/') ? places.reverse() : places);
  return path === from.path ? undefined : path;
}

/** Matches the import of Sinatra. Templates of Sinatra do not escape output by default. */
const SINATRA = /^[ \t]{0,20}require[ \t(]{1,5}['"]sinatra(?:\/base)?['"]/m;
const SWITCHED_OFF = /\bautoescape['"]?\s{0,9}[:=]\s{0,9}(?:false|False)\b/;

function templatesOf(files: readonly ScannedFile[]) {
  const byName = new Map<string, string[]>();
  let unescaped = false;
  for (const { path, text } of files) {
    if (!templateTypeOf(path))
      unescaped ||= SWITCHED_OFF.test(text) || (SINATRA.test(text) && !text.includes('escape_html'));
    else {
      const name = plainName(path);
      byName.set(name, [...(byName.get(name) ?? []), path]);
    }
  }
  return {
    unescaped,
    /** Returns the path of the template `name` that the file `from` renders. `name` may lack the file extension. */
    find(name: string, from: string) {
      // In Laravel, template names have dots in place of slashes: `users.list` means `users/list`.
      const dotted = from.endsWith('.php') && !/\.(?:twig|php|html)$/.test(name);
      const asked = `/${(dotted ? name.replaceAll('.', '/') : name).replace(/^[./]+/, '')}`;
      const plain = plainName(asked);
      const all = byName.get(plain) ?? [];
      const folder = asked.slice(0, asked.lastIndexOf('/') + 1);
      return nearestPath(
        all.filter((path) => `/${path}`.includes(folder)),
        from,
      );
    },
  };
}

function plainName(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const dot = last.indexOf('.');
  return dot > 0 ? last.slice(0, dot) : last;
}
