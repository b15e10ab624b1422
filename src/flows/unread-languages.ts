/** Languages whose code no scanner of Magpie's own reads, by what names of files end in. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  C: ['c', 'h'],
  'C++': ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  'Objective-C': ['m', 'mm'],
  Clojure: ['clj', 'cljc', 'cljs'],
  ColdFusion: ['cfc', 'cfm'],
  Dart: ['dart'],
  EJS: ['ejs'],
  Elixir: ['eex', 'ex', 'exs', 'heex'],
  ERB: ['erb'],
  Erlang: ['erl'],
  'F#': ['fs'],
  Groovy: ['groovy', 'gsp'],
  Haskell: ['hs'],
  JSP: ['jsp', 'jspx'],
  Kotlin: ['kt'],
  Lua: ['lua'],
  Perl: ['cgi', 'pl', 'pm'],
  PowerShell: ['ps1', 'psm1'],
  Razor: ['cshtml', 'razor'],
  Rust: ['rs'],
  Scala: ['scala'],
  Shell: ['bash', 'ksh', 'sh', 'zsh'],
  Solidity: ['sol'],
  Svelte: ['svelte'],
  Swift: ['swift'],
  Twig: ['twig'],
  'Visual Basic': ['vb'],
  Vue: ['vue'],
};

/** Endings of all of them. */
export const UNREAD_ENDINGS: readonly string[] = Object.values(UNREAD).flat();

const LANGUAGES = new Map(Object.entries(UNREAD).flatMap(([name, of]) => of.map((ending) => [ending, name])));

/**
 * `Kotlin is not read` for each of these languages that paths are in, in the order of their names. Without counts, so
 * that one file more or less makes no other reason of it.
 */
export function unreadLanguages(paths: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const dot = path.lastIndexOf('.');
    const language = dot < 0 ? undefined : LANGUAGES.get(path.slice(dot + 1).toLowerCase());
    if (language !== undefined) found.add(language);
  }
  return [...found].sort().map((language) => `${language} is not read`);
}
