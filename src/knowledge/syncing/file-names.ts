/** Names of files that every system takes: Windows, macOS, Linux, and Obsidian's links. */

/** Bytes in UTF-8, and characters; file systems take 255 bytes with the ending and a number. */
const MAX_NAME_BYTES = 180;
const MAX_NAME_CHARS = 80;

/** What Windows takes for devices, also with an ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
/** Names that readers of folders leave out or take for another program's. */
const TAKEN = /^(?:node_modules|__pycache__|bower_components)$|[0-9a-f]{32}(?:_all)?$/i;

/** A name that is like a text, without an ending; `other` where nothing is left of it. */
export function safeName(text: string, other: string): string {
  const plain = text
    .normalize('NFC')
    // Joiners of emoji are kept: all other invisible characters make names that differ in nothing one sees.
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}|[<>:"/\\|?*#^[\]]/gu, ' ')
    .replace(/\s+/g, ' ');
  const name = bounded(plain.replace(/^[ .]+/, '')).replace(/[ .\u200d]+$/, '');
  if (name === '') return other;
  if (DEVICE.test(name)) return `_${name}`;
  return TAKEN.test(name) ? `${name}_` : name;
}

/** The beginning within both bounds, cut between characters as a reader sees them. */
function bounded(text: string): string {
  if (text.length <= MAX_NAME_CHARS && Buffer.byteLength(text) <= MAX_NAME_BYTES) return text;
  let [kept, bytes] = ['', 0];
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, 4 * MAX_NAME_CHARS))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > MAX_NAME_BYTES || kept.length + segment.length > MAX_NAME_CHARS) break;
    kept += segment;
  }
  return kept;
}

/** Gives each name once, also where upper and lower case, or ways to write an accent, are one: the second gets a 2. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Map<string, number>();
  const fold = (name: string) => name.normalize('NFKD').toUpperCase().toLowerCase();
  return (name) => {
    for (let number = taken.get(fold(name)) ?? 1; ; number++) {
      const numbered = number === 1 ? name : `${name} ${number}`;
      if (number > 1 && taken.has(fold(numbered))) continue;
      taken.set(fold(numbered), Math.max(2, taken.get(fold(numbered)) ?? 2));
      taken.set(fold(name), number + 1);
      return numbered;
    }
  };
}
