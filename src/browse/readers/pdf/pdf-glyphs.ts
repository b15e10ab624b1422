import { constants, deflateSync, inflateSync } from 'node:zlib';

/** Texts that pdf.js cannot return, by the private or control characters that stand for them. */
export type GlyphTexts = Map<string, string>;

const FIRST_PRIVATE = 0xe800;
const MAX_TEXTS = 0x400;
const LAST_CONTROL = 0x9f;
const MAX_CONTROLS = 32;
const DIFFERENCES = '/Differences';
const MAX_NAMES_BYTES = 20_000;
const MAX_STREAMS = 200_000;
/** Limits of a packed stream, of its dictionary, and of the packed bytes that show what a stream contains. */
const STREAM_BYTES = 200_000;
const UNPACKED_BYTES = 4_000_000;
const DICTIONARY_BYTES = 400;
const PEEKED_BYTES = 100;
/** Matches a soft hyphen that a ToUnicode map gives for one code, on a line of its own. */
const SOFT_HYPHEN = /((?:<[\da-f]{2,8}>[ \t]{0,9}){1,2})<00ad>(?=[ \t]{0,9}(?:[\r\n]|endbf))/gi;

/**
 * Changes a PDF in place, so that pdf.js returns other characters for glyphs that it otherwise drops: soft
 * hyphens, and glyphs that are named after several characters, such as `uni0066006A` and `t_t`.
 */
export function replaceGlyphs(body: Uint8Array): GlyphTexts {
  const texts: GlyphTexts = new Map();
  const file = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (file.includes('/Encrypt')) return texts;
  renameGlyphs(file, texts);
  for (let count = 0, at = 0; count < MAX_STREAMS; count++) {
    const begin = file.indexOf('stream', at);
    const end = begin < 0 ? -1 : file.indexOf('endstream', begin);
    if (end < 0) break;
    at = end + 'endstream'.length;
    const before = file.toString('latin1', Math.max(0, begin - DICTIONARY_BYTES), begin);
    const stream = file.subarray(begin + 'stream'.length + (file[begin + 6] === 13 ? 2 : 1), end);
    replaceInStream(stream, before.slice(before.lastIndexOf(' obj') + 1), texts);
  }
  return texts;
}

function replaceInStream(stream: Buffer, dictionary: string, texts: GlyphTexts): void {
  if (!dictionary.includes('/FlateDecode') || stream.length > STREAM_BYTES) return;
  if (/\/(?:Image|Length1|Type1C|CIDFontType0C|OpenType|XRef|Predictor)(?![A-Za-z\d])/.test(dictionary))
    return;
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: UNPACKED_BYTES };
  try {
    const isObjects = /\/ObjStm(?![A-Za-z])/.test(dictionary);
    const head = isObjects ? 'CIDInit' : inflateSync(stream.subarray(0, PEEKED_BYTES), options);
    if (!head.includes('CIDInit') && !head.includes('begincmap')) return;
    const text = inflateSync(stream, options);
    const changed = isObjects ? renameGlyphs(text, texts) && text : withSoftHyphens(text, texts);
    const packed = changed && deflateSync(changed, { level: 9 });
    if (packed && packed.length <= stream.length) stream.fill(0).set(packed);
  } catch {
    // A stream that cannot be unpacked stays as it is. The PDF library reports it.
  }
}

/** Renames glyphs of fonts by the rules for names of the Adobe Glyph List Specification, which pdf.js lacks. */
function renameGlyphs(bytes: Buffer, texts: GlyphTexts): boolean {
  let isChanged = false;
  for (let at = bytes.indexOf(DIFFERENCES); at >= 0; at = bytes.indexOf(DIFFERENCES, at + 1)) {
    const names = bytes.toString('latin1', at, Math.min(at + MAX_NAMES_BYTES, bytes.indexOf(']', at)));
    const renamed = names.replace(/\/[\w.]{3,60}(?![\w.])/g, (name) =>
      renamedGlyph(name, texts).padEnd(name.length),
    );
    if (renamed === names) continue;
    bytes.write(renamed, at, 'latin1');
    isChanged = true;
  }
  return isChanged;
}

/** Returns a name of at most the same length. Drops suffixes as in `a.sc`. */
function renamedGlyph(name: string, texts: GlyphTexts): string {
  const bare = name.replace(/(?<=\w)\..{0,60}/, '');
  const groups = /^\/uni((?:[\dA-F]{4}){2,12})$/.exec(bare)?.[1]?.match(/.{4}/g);
  const letters = /^\/[A-Za-z](?:_[A-Za-z]){1,4}$/.test(bare) ? bare.replace(/[/_]/g, '') : '';
  const text = groups ? String.fromCharCode(...groups.map((code) => Number.parseInt(code, 16))) : letters;
  const isShort = name.length < '/uE800'.length;
  const sign = text && signFor(text, isShort, texts);
  return sign ? `/${isShort ? 'G' : 'u'}${hexOf(sign)}` : bare;
}

function signFor(text: string, isShort: boolean, texts: GlyphTexts): string | undefined {
  const signs = [...texts.keys()].filter((sign) => sign < '\u0100' === isShort);
  const known = signs.find((sign) => texts.get(sign) === text);
  if (known !== undefined || signs.length >= (isShort ? MAX_CONTROLS : MAX_TEXTS)) return known;
  const sign = String.fromCharCode(isShort ? LAST_CONTROL - signs.length : FIRST_PRIVATE + signs.length);
  texts.set(sign, text);
  return sign;
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase();
}

/** Drops the map's head, so that the packed map gets no longer. */
function withSoftHyphens(map: Buffer, texts: GlyphTexts): Buffer | undefined {
  const text = map.toString('latin1');
  const start = /\d{1,3}\s{1,9}begincodespacerange/.exec(text)?.index;
  const sign = start !== undefined && text.search(SOFT_HYPHEN) >= 0 && signFor('\u00ad', false, texts);
  return sign
    ? Buffer.from(`begincmap\n${text.slice(start).replace(SOFT_HYPHEN, `$1<${hexOf(sign)}>`)}`)
    : undefined;
}
