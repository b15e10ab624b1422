/** Words of a question for a package that say nothing about the package: registries need every word. */
const EMPTY = new Set(
  'a an the for of to in on with and or best good popular latest new find which what is there any how i need npm pip pip3 pypi cargo crate crates crates.io rust python javascript typescript node node.js nodejs package packages library libraries module modules install add pnpm uv use'.split(
    ' ',
  ),
);

/** What a registry is asked for. The question itself where nothing else is left of it. */
export function packageWords(question: string): string {
  const words = question
    .replace(/["?!,;()]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const telling = words.filter((word) => !EMPTY.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).slice(0, 8).join(' ') || '-';
}

/** Names of packages that a question may mean: one word, or two that are joined; in the form of PyPI (PEP 503). */
export function packageNames(question: string): string {
  return packageWords(question)
    .toLowerCase()
    .split(' ')
    .slice(0, 3)
    .join('-')
    .replace(/[-_.]+/g, '-');
}
