import { inflateSync } from 'node:zlib';
import { attempt } from '../../../../lib/attempt.ts';

const STREAM_BYTES = 20_000_000;
const ALL_BYTES = 300_000_000;
const DICTIONARY_CHARACTERS = 2000;
const MAX_STREAMS = 200_000;

/** Patterns for a number from 0.9 to 1, a number below 0.1, and an operator that sets a white fill colour. */
const HIGH = String.raw`(?:1(?:\.0{0,9})?|0?\.9\d{0,9})`;
const LOW = String.raw`(?:0(?:\.0{0,9})?|0?\.0\d{0,9})`;
const before = (operand: string, count: number) => String.raw`(?:${operand}\s{1,9}){${count}}`;
const FILLS_WHITE = `(?:${before(HIGH, 3)}(?:rg|scn?)|${before(HIGH, 1)}(?:g|scn?)|${before(LOW, 4)}(?:k|scn?))`;
/** Matches operators that can hide text (rendering modes 3 and 7, white fill) and the key `ActualText`. */
const HIDING = new RegExp(
  String.raw`(?:^|[\s\])>])(?:[37]\s{1,9}Tr|${FILLS_WHITE})(?![\w.])|<<[^<>]{0,200}/ActualText`,
);
const TRANSPARENT =
  /\/ca\s{0,9}0?\.?0{1,9}[1-9]?(?![\d.])|\/OFF\s{0,9}(?:\[\s{0,9})?\d|\/(?:Base|View)State\s{0,9}\/OFF|\/P\s{0,9}\/A(?:ll|ny)Off|\/VE\s{0,9}[[\d]/;

export function mayHavePdfLayers(body: Uint8Array): boolean {
  return /\/OC\s{0,9}(?:\d|<<)/.test(
    Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'),
  );
}

const CONDITION = /<<[^<>]{0,300}\/P\s{0,9}\/A(?:ll|ny)Off[^<>]{0,300}>>/g;
const ONE_LAYER = /\/OCGs\s{1,9}(\d{1,9} \d{1,5} R)/;

/** Rewrites "the layer is off" from `/P/AllOff` to `/VE[/Not ...]`, because PDFium inverts the first form. */
export function withLayerExpressions(body: Uint8Array): Uint8Array {
  const file = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const changed = file.replace(CONDITION, (condition) => {
    const expression = condition.replace(ONE_LAYER, '/VE[/Not $1]');
    if (expression === condition) return condition;
    return expression.replace(/\/P\s{0,9}\/A(?:ll|ny)Off/, '').padEnd(condition.length);
  });
  return changed === file ? body : Buffer.from(changed, 'latin1');
}

/** True if a PDF may contain hidden text. Searches the file itself, because PDFium is slower. */
export function mayContainHiddenText(body: Uint8Array): boolean {
  const file = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (file.includes('/Encrypt')) return true;
  let [left, kept] = [ALL_BYTES, 0];
  for (let count = 0; count < MAX_STREAMS; count++) {
    const at = file.indexOf('stream', kept);
    if (at < 0) return TRANSPARENT.test(file.toString('latin1', kept));
    const between = file.toString('latin1', Math.max(kept, at - DICTIONARY_CHARACTERS), at);
    if (TRANSPARENT.test(between)) return true;
    const begin = at + 'stream'.length + (file[at + 6] === 13 ? 1 : 0) + 1;
    const end = file.indexOf('endstream', begin);
    if (end < 0) return true;
    kept = end + 'endstream'.length;
    const dictionary = between.slice(between.lastIndexOf(' obj') + 1);
    // Streams with pictures, fonts or metadata draw no text.
    if (/\/(?:Image|Length1|Type1C|CIDFontType0C|OpenType|XRef|Metadata)(?![A-Za-z\d])/.test(dictionary))
      continue;
    const text = unpacked(dictionary, file.subarray(begin, end));
    left -= text?.length ?? 0;
    if (text === undefined || left < 0 || HIDING.test(text) || TRANSPARENT.test(text) || mayCover(text))
      return true;
  }
  return true;
}

/** Matches operators for fill colours, rectangles, fills and text. Thin rectangles (`MAX_RULE`) are lines. */
const DRAWS =
  /(?<![^\s\])>])(?:([\d.]{1,9}(?:\s{1,3}[\d.]{1,9}){0,3}\s{1,3}(?:rg|g|k|scn?))|(-?[\d.]{1,12})\s{1,3}(-?[\d.]{1,12})\s{1,3}re|([fFBb]\*?)|(T[jJ]))(?![^\s[(/])/g;
const MAX_RULE = 5;
const BLACK = /^(?:0+ g|0+ 0+ 0+ rg|[\d.]+ [\d.]+ [\d.]+ 1 k)$/;

function mayCover(stream: string): boolean {
  let [colour, isRule, hasText] = ['0 g', false, false];
  const filled = new Set<string>();
  for (const [, set, width, height, fill, text] of stream.matchAll(DRAWS)) {
    if (set) colour = set.replace(/\s+/g, ' ');
    else if (width) isRule = Math.min(Math.abs(Number(width)), Math.abs(Number(height))) < MAX_RULE;
    else if (text) {
      if (filled.has(colour)) return true;
      hasText = true;
    } else if (fill && !isRule) {
      if (hasText) return true;
      if (!BLACK.test(colour)) filled.add(colour);
    }
  }
  return false;
}

function unpacked(dictionary: string, bytes: Buffer): string | undefined {
  if (!dictionary.includes('/Filter')) return bytes.toString('latin1');
  const [, list = '', single = ''] =
    /\/Filter\s{0,9}(?:\[([^\]]{0,200})\]|(\/\w{1,40}))/.exec(dictionary) ?? [];
  if (!/^\s*\/(?:FlateDecode|Fl)\s*$/.test(list || single)) return undefined;
  const options = { maxOutputLength: STREAM_BYTES, finishFlush: 2 };
  return attempt(() => inflateSync(bytes, options).toString('latin1'));
}
