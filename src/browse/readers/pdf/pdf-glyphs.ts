import { constants, deflateSync, inflateSync } from 'node:zlib';
import { DINGBATS } from './runs/pdf-dingbats.ts';

/** Maps the substitute characters in a changed PDF to their original texts. */
export type GlyphTexts = ReadonlyMap<string, string>;

/** Maps texts to the characters that replace them in the PDF. `controls` is for short glyph names. */
interface Signs {
  /** Signs of ZapfDingbats by names such as `a20`, or none, as Type 3 fonts use such names for letters. */
  readonly dingbats: ReadonlyMap<string, string>;
  readonly controls: Map<string, string>;
  readonly others: Map<string, string>;
}

/** First of the private-use characters that replace texts. Icon fonts rarely use this range. */
const FIRST_PRIVATE = 0xec00;
const MAX_TEXTS = 0x400;
const LAST_CONTROL = 0x9f;
const MAX_CONTROLS = 32;
const SOFT_HYPHEN = '\u00ad';
const DIFFERENCES = '/Differences';
const MAX_NAMES_BYTES = 20_000;
/** Maximum bytes of a stream in the file. Larger streams stay unchanged. */
const STREAM_BYTES = 200_000;
const UNPACKED_BYTES = 4_000_000;
const ALL_BYTES = 200_000_000;
const DICTIONARY_BYTES = 400;
/** Number of bytes at the start of a stream that show what the stream contains. */
const PEEKED_BYTES = 100;
const HEAD_BYTES = 2000;
const STREAM_COST = 1000;
/** Matches a line of a ToUnicode map: `<41> <5a> <0061>` maps the codes 41 to 5A to `a` to `z`. */
const MAPPED =
  /(?<=(?:[\r\n]|bfchar|bfrange)[ \t]{0,9})<([\da-f]{2,8})>[ \t]{0,9}(?:<([\da-f]{2,8})>[ \t]{0,9})?<(00[\da-f]{2})>(?=[ \t]{0,9}(?:[\r\n]|endbf))/gi;

/** Maps all two-byte codes to characters that `cleanPdfText` drops. The lines of the font's map override it. */
const UNDECODED_CODES = '2 beginbfrange <0000> <001f> <dbc0dc00> <0021> <03ff> <dbc0dc21> endbfrange';
/** Matches a line of a map that gives several characters. */
const SEVERAL = /([\r\n][ \t]{0,9}<([\da-f]{2,8})>[ \t]{0,9}(?:<\2>[ \t]{0,9})?)<((?:[\da-f]{4}){2,12})>/gi;
/** Matches letters with a combining mark. pdf.js computes no width for a glyph that stands for them. */
const CLUSTER = /^[\u0900-\u1cff](?<!\p{Mn}).*\p{Mn}/u;

/**
 * Changes a PDF in place. pdf.js drops soft hyphens, and glyphs that are named after several characters, such
 * as `uni0066006A` and `t_t`. Both are replaced by characters that pdf.js returns.
 */
export function replaceGlyphs(body: Uint8Array): GlyphTexts {
  const file = Buffer.from(body.buffer, body.byteOffset, body.length);
  const hasDingbats = file.includes('Dingbats') && !file.includes('/CharProcs');
  const signs: Signs = {
    dingbats: hasDingbats ? DINGBATS : new Map(),
    controls: new Map(),
    others: new Map(),
  };
  let left = file.includes('/Encrypt') ? 0 : ALL_BYTES;
  for (let at = 0; left > 0; ) {
    const begin = file.indexOf('stream', at);
    const end = begin < 0 ? -1 : file.indexOf('endstream', begin);
    renameGlyphs(file.subarray(at, end < 0 ? file.length : begin), signs);
    if (end < 0) break;
    at = end + 'endstream'.length;
    const before = file.toString('latin1', Math.max(0, begin - DICTIONARY_BYTES), begin);
    const stream = file.subarray(begin + 'stream'.length + (file[begin + 6] === 13 ? 2 : 1), end);
    left -= STREAM_COST + replaceInStream(stream, before.slice(before.lastIndexOf(' obj') + 1), signs);
  }
  return new Map([...signs.controls, ...signs.others].map(([text, sign]) => [sign, text]));
}

/** Returns how many bytes were unpacked, or `UNPACKED_BYTES` if the stream cannot be unpacked completely. */
function replaceInStream(stream: Buffer, dictionary: string, signs: Signs): number {
  const isPacked = dictionary.includes('/FlateDecode');
  if ((!isPacked && dictionary.includes('/Filter')) || stream.length > STREAM_BYTES) return 0;
  if (/\/(?:Image|Length1|Type1C|CIDFontType0C|OpenType|XRef|Predictor)(?![A-Za-z\d])/.test(dictionary))
    return 0;
  const unpack = (bytes: Buffer, maxOutputLength: number) =>
    isPacked ? inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }) : bytes;
  let unpacked = 0;
  try {
    const isObjects = /\/ObjStm(?![A-Za-z])/.test(dictionary);
    const head = isObjects ? 'CIDInit' : unpack(stream.subarray(0, PEEKED_BYTES), HEAD_BYTES);
    if (!head.includes('CIDInit') && !head.includes('begincmap')) return unpacked;
    unpacked = UNPACKED_BYTES;
    const text = unpack(stream, UNPACKED_BYTES);
    unpacked = text.length;
    const changed = isObjects ? (renameGlyphs(text, signs) ? [text] : []) : changedMaps(text, signs);
    const packed = isPacked ? changed.map((one) => deflateSync(one, { level: 9 })) : changed;
    const fitting = packed.find(({ length }) => length <= stream.length);
    if (fitting) stream.fill(isPacked ? 0 : ' ').set(fitting);
  } catch {
    // A stream that cannot be unpacked stays as it is. The PDF library reports it.
  }
  return unpacked;
}

/** Renames glyphs by rules of the Adobe Glyph List Specification that pdf.js does not support. */
function renameGlyphs(bytes: Buffer, signs: Signs): boolean {
  let isChanged = false;
  for (let at = bytes.indexOf(DIFFERENCES); at >= 0; ) {
    const end = bytes.indexOf(']', at);
    if (end < 0) break;
    if (!/^\s{0,9}\[/.test(bytes.toString('latin1', at + DIFFERENCES.length, at + DIFFERENCES.length + 10))) {
      at = bytes.indexOf(DIFFERENCES, at + DIFFERENCES.length);
      continue;
    }
    const names = bytes.toString('latin1', at, Math.min(at + MAX_NAMES_BYTES, end));
    const renamed = names.replace(/\/[\w.]{3,60}(?![\w.])/g, (name) =>
      renamedGlyph(name, signs).padEnd(name.length),
    );
    if (renamed !== names) {
      bytes.write(renamed, at, 'latin1');
      isChanged = true;
    }
    at = bytes.indexOf(DIFFERENCES, end);
  }
  return isChanged;
}

/** Returns a new name that is at most as long: `/a` for `/a.sc`, `/uEC00` for `/uni0066006A`. */
function renamedGlyph(name: string, signs: Signs): string {
  const bare = name.replace(/(?<=\w)\..{0,60}/, '');
  const groups = /^\/uni((?:[\dA-F]{4}){2,12})$/.exec(bare)?.[1]?.match(/.{4}/g);
  const dingbat = signs.dingbats.get(bare.slice(1)) ?? '';
  const letters = /^\/[A-Za-z](?:_[A-Za-z]){1,4}$/.test(bare) ? bare.replace(/[/_]/g, '') : dingbat;
  const several = groups?.map((code) => String.fromCharCode(Number.parseInt(code, 16))).join('') ?? letters;
  const text = /^\/(?:uni00AD|so?fthyphen)$/.test(bare) ? SOFT_HYPHEN : several;
  const isShort = name.length < '/uE800'.length;
  const sign = text && signFor(text, isShort, signs);
  return sign ? `/${isShort ? 'G' : 'u'}${hexOf(sign)}` : bare;
}

/** Returns the character for a text, or undefined if none is left. `isShort` asks for a control character. */
function signFor(text: string, isShort: boolean, signs: Signs): string | undefined {
  const known = isShort ? signs.controls : signs.others;
  const isFull = known.size >= (isShort ? MAX_CONTROLS : MAX_TEXTS);
  const next = isShort ? LAST_CONTROL - known.size : FIRST_PRIVATE + known.size;
  const sign = known.get(text) ?? (isFull ? undefined : String.fromCharCode(next));
  if (sign !== undefined) known.set(text, sign);
  return sign;
}

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase();

/** Returns changed ToUnicode maps, the best first. Removes the map's header to save space. */
function changedMaps(map: Buffer, signs: Signs): Buffer[] {
  const text = map.toString('latin1');
  const start = /\d{1,3}\s{1,9}begincodespacerange/.exec(text)?.index;
  const sign = () => `<${hexOf(signFor(SOFT_HYPHEN, false, signs) ?? SOFT_HYPHEN).padStart(4, '0')}>`;
  const changed = text
    .slice(start)
    .replace(/\[[^[\]]{0,4000}\]/g, (list) => list.replace(/<00ad>/gi, sign))
    .replace(MAPPED, (line, from: string, to: string | undefined, character: string) => {
      const [first = 0, last = first, value = 0] = [from, to ?? from, character].map((hex) =>
        Number(`0x${hex}`),
      );
      const at = first + SOFT_HYPHEN.charCodeAt(0) - value;
      if (at < first || at > last) return line;
      const code = (number: number) => `<${number.toString(16).padStart(from.length, '0')}>`;
      if (to === undefined) return code(at) + sign();
      const before = at > first ? `${code(first)}${code(at - 1)}<${character}>\n` : '';
      const behind = at < last ? `\n${code(at + 1)}${code(last)}<00ae>` : '';
      return `${before}${code(at)}${code(at)}${sign()}${behind}`;
    });
  const filled = changed
    .replace(SEVERAL, (line, code: string, _, hex: string) => {
      const letters = Buffer.from(hex, 'hex').swap16().toString('utf16le');
      const cluster = CLUSTER.test(letters) && signFor(letters, false, signs);
      return cluster ? `${code}<${hexOf(cluster)}>` : line;
    })
    .replace(/<[\da-f]{4}>\s{0,9}endcodespacerange/i, `$& ${UNDECODED_CODES}`);
  const found = start === undefined ? [] : [filled, changed].filter((one) => one !== text.slice(start));
  return found.map((one) => Buffer.from(`begincmap\n${one}`));
}
