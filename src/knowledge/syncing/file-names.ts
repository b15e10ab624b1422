/** This module makes file names that Windows, macOS, Linux and links in Obsidian accept. */

/** Maximum length of a name. File systems accept 255 bytes, including the extension and a number. */
const MAX_NAME_BYTES = 180;
const MAX_NAME_CHARS = 80;
/** Pattern of names that Windows reserves for devices, even with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
/** Names that a folder import skips or takes for names of a Notion export. They get a `_` at the end. */
const TAKEN = /^(?:node_modules|__pycache__|bower_components)$|[0-9a-f]{32}(?:_all)?$/i;

/** Makes a file name without extension from a text. Returns `other` if no character can be used. */
export function safeFileName(text: string, other: string): string {
  const plain = text
    .normalize('NFC')
    // Invisible characters make different names look equal. The joiners in emoji stay.
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}|[<>:"/\\|?*#^[\]]/gu, ' ')
    .replace(/\s+/g, ' ');
  const name = bounded(plain.replace(/^[ .]+/, '')).replace(/[ .\u200d]+$/, '');
  if (name === '') return other;
  if (DEVICE.test(name)) return `_${name}`;
  return TAKEN.test(name) ? `${name}_` : name;
}

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

/** Returns a function that makes names unique: an equal name gets a number. Ignores case and accents. */
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
