import { maxOf } from '../../../lib/long-lists.ts';
import { lineBeside } from './pdf-comments.ts';
import type { PdfLine } from './pdf-lines.ts';
import { objectsOf, type PdfObject, streamOf } from './pdf-repair.ts';

const MAX_FONTS = 50;
const MAX_FONT_BYTES = 64_000_000;
const MAX_CODES = 200_000;
const DICTIONARY_BYTES = 300_000;
const NUMBERED = /\/Encoding\s{0,9}\/Identity-/;
const REFERENCES =
  /(?:^|\/(DescendantFonts|FontDescriptor|FontFile|CIDToGIDMap|CIDSystemInfo)[23]?)\s{0,9}\[?\s{0,9}(\d{1,9}) \d{1,5} R/g;
const hexOf = (code: number): string => `<${code.toString(16).padStart(4, '0')}>`;
/** Maps all codes to characters that `cleanPdfText` removes. */
const UNKNOWN_CODES = Array.from({ length: 64 }, (_, block) =>
  [block * 0x400, block * 0x400 + 0x3ff, 0xdbc1dc00].map(hexOf).join(' '),
);
const UNKNOWN_GLYPHS = /[\u{100400}-\u{1007ff}]/u;
export const UNREADABLE = 'text in a font that does not say which letters its signs are';

export function unreadableLines(texts: readonly { readonly str: string }[]): PdfLine[] {
  return texts.some(({ str }) => UNKNOWN_GLYPHS.test(str)) ? [lineBeside('Unreadable', UNREADABLE)] : [];
}

/** Appends maps (ToUnicode) of fonts that only number their glyphs, by the `cmap` of the embedded fonts. */
export function withFontMaps(body: Uint8Array): Uint8Array {
  const file = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (file.includes('/Encrypt') || !(file.includes('/Identity-') || file.includes('/ObjStm'))) return body;
  const objects = new Map(objectsOf(file).map((one) => [one.number, one]));
  const fonts = [...objects.values()].filter(
    ({ head }) => NUMBERED.test(head) && !head.includes('/ToUnicode'),
  );
  const lastOf = (key: string, pattern: RegExp) => {
    const at = Math.max(0, file.lastIndexOf(key));
    return pattern.exec(file.toString('latin1', at, at + 60))?.[0] ?? '';
  };
  const previous = lastOf('startxref', /(?<=^startxref\s{1,9})\d{1,15}/);
  const facts = ['/Root', '/Info'].map((key) => lastOf(key, /^\/\w{4}\s{1,9}\d{1,9} \d{1,5} R/));
  if (fonts.length === 0 || !previous || !facts[0]) return body;
  const start = Math.max(0, file.subarray(0, 1024).indexOf('%PDF-'));
  const [added, table]: [string[], string[]] = [['\n'], []];
  let [end, number, left] = [file.length + 1 - start, maxOf(objects.keys()) + 1, MAX_FONT_BYTES];
  const add = (of: number, content: string) => {
    table.push(`${of} 1\n${String(end).padStart(10, '0')} 00000 n \n`);
    end += added[added.push(`${of} 0 obj\n${content}\nendobj\n`) - 1]?.length ?? 0;
  };
  for (const font of fonts.slice(0, MAX_FONTS)) {
    const program = programOf(font, objects, file);
    if (!program) continue;
    const stream = streamOf(file, program.at + program.head.length, left) ?? '';
    left -= stream.length;
    const map = mapOf(Buffer.from(stream, 'latin1'));
    add(number, `<< /Length ${map.length} >>\nstream\n${map}\nendstream`);
    add(font.number, font.head.trimEnd().replace(/>>$/, `/ToUnicode ${number++} 0 R >>`));
  }
  if (table.length === 0) return body;
  const trailer = `trailer\n<< /Size ${number} ${facts.join(' ')} /Prev ${previous} >>\nstartxref\n${end}`;
  const update = Buffer.from(`${added.join('')}xref\n${table.join('')}${trailer}\n%%EOF\n`, 'latin1');
  return Uint8Array.from(Buffer.concat([file, update]));
}

/** Returns the embedded font, or undefined if there is none, or pdf.js knows what its codes are. */
function programOf(font: PdfObject, objects: ReadonlyMap<number, PdfObject>, file: Buffer) {
  const followed = (text: string, key: string) => {
    const found = [...text.matchAll(REFERENCES)].find(([, name = '']) => name === key)?.[2];
    return found === undefined ? undefined : objects.get(Number(found));
  };
  const textOf = ({ at, head }: Omit<PdfObject, 'number'> = { at: -1, head: '' }) => {
    const text = at < 0 ? head : file.toString('latin1', at, at + DICTIONARY_BYTES);
    return text.slice(0, DICTIONARY_BYTES).split('endobj', 1).join('');
  };
  const first = textOf(followed(font.head, 'DescendantFonts'));
  const descendant = /^\s{0,9}\[/.test(first) ? textOf(followed(first, '')) : first;
  const collection = descendant + textOf(followed(descendant, 'CIDSystemInfo'));
  const isKnown = /\((?:GB1|CNS1|Japan1|Korea1|KR)\)/.test(collection);
  if (isKnown || followed(descendant, 'CIDToGIDMap')) return undefined;
  return followed(textOf(followed(descendant, 'FontDescriptor')), 'FontFile');
}

function mapOf(program: Buffer): string {
  const letters = new Map<number, string>();
  try {
    readLetters(program, letters);
  } catch {
    // A table that ends early leaves the letters found so far.
  }
  const lines = [...letters].map(
    ([code, letter]) => `${hexOf(code)} <${Buffer.from(letter, 'utf16le').swap16().toString('hex')}>`,
  );
  const unknown = `${UNKNOWN_CODES.length} beginbfrange\n${UNKNOWN_CODES.join('\n')}\nendbfrange`;
  const known = lines.length > 0 ? `${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar` : '';
  return `1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${unknown}\n${known}\nendcmap`;
}

/** Reads the letter of each glyph from a `cmap` of format 4. A glyph's lowest code is its letter. */
function readLetters(font: Buffer, letters: Map<number, string>): void {
  const u16 = (at: number) => font.readUInt16BE(at);
  const cmap = font.readUInt32BE(font.indexOf('cmap') + 8);
  let left = MAX_CODES;
  for (let at = cmap + 4; at < cmap + 4 + 8 * u16(cmap + 2); at += 8) {
    const table = cmap + font.readUInt32BE(at + 4);
    const size = u16(table) === 4 ? u16(table + 6) : 0;
    for (let end = table + 14; end < table + 14 + size; end += 2) {
      const [first, delta, offset] = [1, 2, 3].map((list) => u16(end + list * size + 2)) as [
        number,
        number,
        number,
      ];
      for (let code = first; code <= Math.min(u16(end), 0xfffe) && left-- > 0; code++) {
        const listed = offset ? u16(end + 3 * size + 2 + offset + 2 * (code - first)) : code;
        const [glyph, letter] = [listed && (listed + delta) & 0xffff, String.fromCharCode(code)];
        const isLetter = glyph > 0 && !/(?![\uf000-\uf0ff])\p{C}/u.test(letter);
        if (isLetter && !letters.has(glyph)) letters.set(glyph, letter);
      }
    }
  }
}
