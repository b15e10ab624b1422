import { format, getFormatFromId, isDateFormat } from 'numfmt';
import { childrenOf, findAllBelow, findByPath, type XmlElement } from '../xml.ts';

/** Maximum characters of a format code, as in Excel. */
const MAX_CODE_CHARACTERS = 255;
/** Difference in days between Excel's two date systems, which begin on 1900-01-00 and 1904-01-01. */
const DAYS_TO_1904 = 1462;
/** Date formats in ISO 8601. They replace formats that depend on the computer's settings. */
const LOCAL_DATE = 'yyyy-mm-dd';
const LOCAL_TIME = 'yyyy-mm-dd hh:mm';

/** Shows a value as Excel does. `style` is the index of the cell's style. */
export type ShowValue = (value: number | string | boolean | Date, style: number) => string;

/** Reads the number formats of a workbook's styles. `uses1904` is true if dates are days since 1904. */
export function createCellFormatter(styles: XmlElement | undefined, uses1904: boolean): ShowValue {
  const own = new Map(
    childrenOf(findByPath(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      attributes.numFmtId,
      attributes.formatCode ?? '',
    ]),
  );
  const formats = childrenOf(findByPath(styles, 'cellXfs'), 'xf');
  // In Excel 2024, the element `xfComplement` in a cell's format shows TRUE and FALSE as a check box.
  const isBox = formats.map((one) => findAllBelow(one, 'xfComplement').length > 0);
  const codes = formats.map(({ attributes: { numFmtId = '0' } }) =>
    prepared(own.get(numFmtId) || independent(getFormatFromId(Number(numFmtId)) ?? '')),
  );
  return (value, style) => {
    const code = codes[style] ?? '';
    if (typeof value === 'boolean')
      return isBox[style] ? `[${value ? 'x' : ' '}]` : String(value).toUpperCase();
    // A format applies to a text only if it contains `@` or begins with `;;;`, which hides all values.
    if (typeof value === 'string') return /@|^;{3}/.test(code) ? shown(code, value) : value;
    return typeof value === 'number'
      ? showNumber(value, code, uses1904)
      : showDate((value.getTime() - FIRST_DAY) / DAY_MS, code, uses1904);
  };
}

function showDate(days: number, code: string, uses1904: boolean): string {
  if (code === '' && days < 1) return shown('hh:mm:ss', days);
  if (code === '') return shown(Number.isInteger(days) ? LOCAL_DATE : LOCAL_TIME, days);
  return showNumber(uses1904 && days >= 1 ? days - DAYS_TO_1904 : days, code, uses1904);
}

function showNumber(value: number, code: string, uses1904: boolean): string {
  // Rounds to 15 digits, which hides errors such as 0.30000000000000004. Excel rounds to the cell's width.
  if (code === '')
    return String(Number(value.toPrecision(15))).replace(
      /e([+-])(\d+)$/,
      (_all, sign: string, digits: string) => `E${sign}${digits.padStart(2, '0')}`,
    );
  const isShifted = uses1904 && isDateFormat(code) && !DURATION.test(code);
  return shown(code, isShifted ? value + DAYS_TO_1904 : value);
}

export function formatChartValue(text: string, code: string, uses1904: boolean): string {
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? showNumber(number, prepared(independent(code)), uses1904) : text;
}

const DURATION = /\[(?:h+|m+|s+)\]/i;
/** Matches a currency or language in brackets, for example `[$€-407]` or `[$-F800]`. */
const LOCALE = /\[\$([^\]-]{0,20})(-[^\]]{0,20})?\]/g;

/** Replaces `[$€-407]` by `"€"` in number formats. Returns '' for "General" and for too long formats. */
function prepared(code: string): string {
  if (code.length > MAX_CODE_CHARACTERS || /^general$/i.test(code.trim())) return '';
  // Date formats keep the language, because it decides the names of months.
  return isDateFormat(code) ? code : code.replace(LOCALE, (_all, sign: string) => sign && `"${sign}"`);
}

function independent(code: string): string {
  if (!code.startsWith('m/d/yyyy')) return code;
  return code.includes('h') ? LOCAL_TIME : LOCAL_DATE;
}

const DAY_MS = 24 * 3_600_000;
export const FIRST_DAY = Date.UTC(1899, 11, 30);
const JAPANESE = /\[\$-(?:[\dA-F]{0,6}411|ja-JP[^\]]{0,40})\]/i;

/** Writes the date's Japanese era and year in place of `g` and `e` in a Japanese format such as `ggge`. */
function withEra(code: string, value: number | string): string {
  if (typeof value === 'string' || !JAPANESE.test(code)) return code;
  const date = new Date(FIRST_DAY + Math.floor(value) * DAY_MS);
  if (Number.isNaN(date.getTime())) return code;
  const part = (language: string, era: 'long' | 'narrow', name: string) =>
    new Intl.DateTimeFormat(`${language}-u-ca-japanese`, { era, year: 'numeric', timeZone: 'UTC' })
      .formatToParts(date)
      .find(({ type }) => type === name)?.value ?? '';
  return code.replace(/"[^"]{0,255}"|\\.|\[[^\]]{0,255}\]|g{1,3}|e{1,2}/gi, (token) => {
    if (/^e/i.test(token)) return `"${part('en', 'long', 'year').padStart(token.length, '0')}"`;
    if (!/^g/i.test(token)) return token;
    if (token.length === 1) return `"${part('en', 'narrow', 'era')}"`;
    return `"${part('ja', 'long', 'era').slice(0, token.length === 2 ? 1 : undefined)}"`;
  });
}

function shown(code: string, value: number | string): string {
  try {
    return format(withEra(code, value), value, { dateSpanLarge: false });
  } catch {
    return String(value);
  }
}
