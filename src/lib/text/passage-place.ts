const MIN_LETTERS = 16;
const MAX_CHARS = 100_000;

export function placeOfPassage(
  text: string,
  passage: string,
): { readonly from: number; readonly to: number } | undefined {
  const whole = fold(text.slice(0, MAX_CHARS));
  // Removes the URLs of Markdown links, because the text of a PDF does not contain them.
  const sought = fold(passage.slice(0, MAX_CHARS).replaceAll(/\]\([^()\s]{1,2000}\)/g, ']')).letters;
  if (sought === '') return undefined;
  const endOf = (at: number) => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  const place = (from: number, letters: number) => ({
    from: whole.at[from] ?? 0,
    to: endOf(whole.at[from + letters - 1] ?? 0),
  });
  const start = whole.letters.indexOf(sought);
  if (start >= 0) return place(start, sought.length);
  for (let length = sought.length >> 1; length >= MIN_LETTERS; length >>= 1) {
    const head = whole.letters.indexOf(sought.slice(0, length));
    if (head < 0) continue;
    const tail = whole.letters.indexOf(sought.slice(-length), head);
    const near = tail >= 0 && tail - head < 2 * sought.length;
    return place(head, near ? tail - head + length : length);
  }
  return undefined;
}

function fold(text: string) {
  const at: number[] = [];
  let letters = '';
  for (const { 0: character, index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
    const folded = character < '\x80' ? character.toLowerCase() : foldedSign(character);
    letters += folded;
    for (let unit = 0; unit < folded.length; unit++) at.push(index);
    if (at.length >= MAX_CHARS) break;
  }
  return { letters, at };
}

function foldedSign(character: string): string {
  return character
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
