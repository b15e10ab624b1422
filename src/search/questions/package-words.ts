/** Words that are removed from a query for packages, because registries require every word to match. */
const EMPTY = new Set(
  'a an the for of to in on with and or best good popular latest new find which what is there any how i need npm pip pip3 pypi cargo crate crates crates.io rust python javascript typescript node node.js nodejs package packages library libraries module modules install add pnpm uv use'.split(
    ' ',
  ),
);

export function extractPackageWords(question: string): string {
  const words = question
    .replace(/["?!,;()]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const telling = words.filter((word) => !EMPTY.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).slice(0, 8).join(' ') || '-';
}

export function guessPackageName(question: string): string {
  return extractPackageWords(question)
    .toLowerCase()
    .split(' ')
    .slice(0, 3)
    .join('-')
    .replace(/[-_.]+/g, '-');
}
