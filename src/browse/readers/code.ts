import LANGUAGES from './code-languages.json' with { type: 'json' };

/** Maps each name of a language, such as `cc`, to the language, such as `cpp`. */
const byName = (languages: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(languages).flatMap(([language, names]) => names.map((name) => [name, language] as const)),
  );

const [BY_EXTENSION, BY_NAME, BY_TYPE] = [LANGUAGES.extensions, LANGUAGES.names, LANGUAGES.types].map(byName);

export function detectCodeLanguage(contentType: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const extension = /\.([a-z0-9]+)$/.exec(name)?.[1] ?? '';
  const subtype = /^(?:text|application)\/(?:x-|vnd\.)?(.+)$/.exec(contentType)?.[1] ?? '';
  return BY_TYPE?.get(subtype) ?? BY_NAME?.get(name) ?? BY_EXTENSION?.get(extension);
}
