import { parseXml, textOf } from '../xml.ts';
import { escapeXmlText } from './docx-xml.ts';

const TOKEN = /"((?:[^"\\]|\\[\s\S]?){0,10000})(?:"|$)|\\([a-z@*#!])(?=[\s"]|$)|[^\s"]{1,4000}/gi;

/** Returns the target of a field such as `HYPERLINK "url" \l "part" \o "tip"`. Undefined for other fields. */
export function targetOfHyperlink(code: string): string | undefined {
  if (!/^\s{0,99}HYPERLINK(?=[\s"]|$)/i.test(code)) return undefined;
  const [, ...rest] = code.slice(0, 10_000).matchAll(TOKEN);
  let [address, part, owner] = ['', '', ''];
  for (const [token, quoted, letter] of rest) {
    const value = (quoted ?? token).replace(/\\(["\\])/g, '$1').trim();
    if (letter === undefined && owner === 'l') part = value;
    else if (letter === undefined && owner === '') address ||= value;
    // Only the switches `\l`, `\o`, `\t`, `\@`, `\*` and `\#` have a value after them.
    owner = letter !== undefined && /[lot@*#]/i.test(letter) ? letter.toLowerCase() : '';
  }
  return part === '' || address.includes('#') ? address : `${address}#${part}`;
}

const FIELD_PARTS =
  /(<w:fldChar (?:[^<>]{0,200} )?w:fldCharType=")(begin|separate|end)|<(\/?)w:(t|instrText)(?=[ >])/g;

/** Joins the result of a field inside another field's code to this code, because a code is not text. */
export function withPlainCodes(xml: string): string {
  // In a file with a field that has no end, this would take the text after it for code.
  const count = (type: string) => xml.split(`w:fldCharType="${type}"`).length;
  if (count('begin') !== count('end')) return xml;
  // For each open field, `open` says whether its code is read. `codes` counts these.
  const open: boolean[] = [];
  let codes = 0;
  const isInnerMark = (type: string): boolean => {
    const isInner = codes > 0;
    if (type !== 'begin' && open.pop()) codes--;
    if (type === 'begin') codes++;
    if (type !== 'end') open.push(type === 'begin');
    return isInner && (type === 'begin' || codes > 0);
  };
  return xml.replace(FIELD_PARTS, (tag, mark: string, type, close: string, name) => {
    if (type !== undefined) return isInnerMark(type) ? `${mark}none` : tag;
    const isOwn = codes === 1 && (name === 't' || open.at(-1));
    return codes === 0 ? tag : `<${close}w:${isOwn ? 'instrText' : 'delInstrText'}`;
  });
}

const CODE = /(<w:instrText(?: [^<>]{0,200})?>)([^<>]*)(?=<\/w:instrText>)/g;
const SIMPLE = /<w:fldSimple (?:[^<>]{0,200} )?w:instr="([^"<>]{1,10000})"[^<>]{0,200}>/g;

/** Rewrites hyperlink fields for Mammoth, which reads neither `fldSimple` nor options such as `\o`. */
export function withPlainHyperlinks(xml: string): string {
  if (!/HYPERLINK/i.test(xml)) return xml;
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"></w:fldChar></w:r>`;
  const fields = xml.split('</w:fldSimple>').map((piece, at, all) => {
    const last = at < all.length - 1 ? [...piece.matchAll(SIMPLE)].at(-1) : undefined;
    const code = plainCode(last?.[1] ?? '');
    if (last === undefined || code === undefined)
      return `${piece}${at < all.length - 1 ? '</w:fldSimple>' : ''}`;
    const before = `${mark('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${mark('separate')}`;
    return `${piece.slice(0, last.index)}${before}${piece.slice(last.index + last[0].length)}${mark('end')}`;
  });
  return fields.join('').split('w:fldCharType="begin"').map(withPlainCode).join('w:fldCharType="begin"');
}

/** Shortens the code of a hyperlink field to its target. `field` is the XML after the field's beginning. */
function withPlainCode(field: string): string {
  const length = field.search(/w:fldCharType="(?:separate|end)"/);
  const head = field.slice(0, Math.max(0, length));
  let code = plainCode([...head.matchAll(CODE)].map(([, , piece]) => piece).join(''));
  if (code === undefined) return field;
  const take = (_all: string, tag: string) => {
    const text = `${tag}${code}`;
    code = '';
    return text;
  };
  return head.replace(CODE, take) + field.slice(length);
}

function plainCode(code: string): string | undefined {
  const target = targetOfHyperlink(textOf(parseXml(`<x>${code}</x>`)))?.replaceAll('"', '%22');
  if (target === undefined) return undefined;
  return escapeXmlText(
    target.startsWith('#') ? `HYPERLINK \\l "${target.slice(1)}"` : `HYPERLINK "${target}"`,
  );
}
