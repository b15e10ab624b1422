/** Edits of source text that `npm run new` makes: imports, list entries and blocks of union types. */

/** `my-engine` as `myEngine`. */
export function camel(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `my-engine` as `MyEngine`. */
export function pascal(name: string): string {
  return camel(name).replace(/^./, (letter) => letter.toUpperCase());
}

/** `my-engine` as `My engine`. */
export function words(name: string): string {
  return name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** `my-things` as `my-thing`; a word that ends in none of the usual plurals stays. */
export function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
}

/** Adds an import after the last one. */
export function addImport(text: string, line: string): string {
  const last = [...text.matchAll(/^import [^;]*;\n|^import \{[^}]*\} from [^;]*;\n/gms)].at(-1);
  const at = last ? last.index + last[0].length : 0;
  return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
}

/**
 * Adds an entry at the end of the list, object or template that begins with `start`; `end` closes it. Throws Error where
 * the text has changed so that it is not found.
 */
export function addEntry(text: string, start: string, end: string, entry: string): string {
  const from = text.indexOf(start);
  const at = from < 0 ? -1 : text.indexOf(end, from + start.length);
  if (at < 0) throw new Error(`the list that begins with ${JSON.stringify(start)} is not where it was`);
  return `${text.slice(0, at)}${entry}${text.slice(at)}`;
}

/**
 * Adds a name to the list between `start` and the next full stop: `a.` becomes `a and b.`, and that `a, b and c.` Throws
 * Error where the text has changed so that it is not found.
 */
export function addToSentence(text: string, start: string, name: string): string {
  const at = text.indexOf(start) + start.length;
  const end = text.indexOf('.', at);
  if (at < start.length || end < 0)
    throw new Error(`the sentence ${JSON.stringify(start)} is not where it was`);
  return `${text.slice(0, at)}${text.slice(at, end).replace(' and ', ', ')} and ${name}${text.slice(end)}`;
}
