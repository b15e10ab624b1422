import configuration from './unscanned-configuration.json' with { type: 'json' };
import languages from './unscanned-languages.json' with { type: 'json' };

const UNREAD: Readonly<Record<string, readonly string[]>> = languages;

export const UNSCANNED_EXTENSIONS: readonly string[] = Object.values(UNREAD).flat();

const LANGUAGES = new Map(Object.entries(UNREAD).flatMap(([name, of]) => of.map((ending) => [ending, name])));

/** Scripts that are scanned only for secrets, because their other weaknesses are seldom exploitable. */
const SCRIPTS: ReadonlySet<string> = new Set(['PowerShell', 'Shell']);
/** Scripts that are not scanned. They are counted, but no compliance control fails because of them. */
const OTHER_SCRIPTS: readonly (readonly [name: string, path: RegExp])[] = [
  ['Batch', /\.(?:bat|cmd)$/i],
  ['Make', /(?:^|\/)(?:gnu)?makefile$|\.mk$/i],
  ['SQL', /\.(?:sql|pls|pkb|pks|plsql)$/i],
  [
    'scripts without an ending',
    /(?:^|\/)(?:bin|sbin|scripts?|hack|ci|\.husky|\.githooks)\/(?!(?:Dockerfile|LICENSE|OWNERS|README)$)[\w-]{1,100}$/,
  ],
];
const CONFIGURATION = Object.entries(configuration).map(
  ([name, path]) => [name, new RegExp(path, 'i')] as const,
);

/** Returns a sentence for each language that is not scanned, for example `Kotlin is not read`. */
export function describeUnscannedLanguages(paths: Iterable<string>): string[] {
  const found = new Set(Array.from(paths, languageOf).filter((language) => language !== undefined));
  return [...found].sort().map((language) => `${language} is not read`);
}

export interface UnscannedFiles {
  readonly name: string;
  readonly kind: 'language' | 'script' | 'configuration';
  readonly files: number;
}

export function countUnscannedFiles(paths: Iterable<string>): UnscannedFiles[] {
  const counts = new Map<string, UnscannedFiles>();
  const add = (name: string, kind: UnscannedFiles['kind']) =>
    counts.set(name, { name, kind, files: (counts.get(name)?.files ?? 0) + 1 });
  for (const path of paths) {
    const language = languageOf(path);
    const configuration = CONFIGURATION.find(([, pattern]) => pattern.test(path))?.[0];
    if (language !== undefined) add(language, SCRIPTS.has(language) ? 'script' : 'language');
    else if (configuration !== undefined) add(configuration, 'configuration');
    else {
      const script = OTHER_SCRIPTS.find(([, pattern]) => pattern.test(path))?.[0];
      if (script !== undefined) add(script, 'script');
    }
  }
  return [...counts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function languageOf(path: string): string | undefined {
  // Files with `.cls` are Apex in a folder `classes`, elsewhere often LaTeX or Visual Basic.
  if (/(?:^|\/)classes\/[^/]{1,100}\.cls$/i.test(path)) return 'Apex';
  // Partial templates of Helm (`_helpers.tpl`) create no Kubernetes resource, so they need no scan.
  if (/(?:^|\/)templates\/_[^/]{1,100}\.tpl$/i.test(path)) return undefined;
  const dot = path.lastIndexOf('.');
  return dot < 0 ? undefined : LANGUAGES.get(path.slice(dot + 1).toLowerCase());
}
