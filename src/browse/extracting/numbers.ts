import currencies from './currencies.json' with { type: 'json' };

const MAX_CHARS = 200;
/** Maps signs and names of currencies to ISO 4217 codes, or to '' if several currencies use the sign. */
const CURRENCIES: Readonly<Record<string, string>> = currencies;
const CODES =
  'EUR USD GBP JPY CHF CAD AUD NZD CNY INR BRL PLN CZK HUF SEK NOK DKK RON TRY ZAR MXN SGD HKD KRW THB VND UAH RUB ILS AED SAR PHP IDR MYR';
const SIGN = [
  ...Object.keys(CURRENCIES)
    .sort((a, b) => b.length - a.length)
    .map((sign) => sign.replace(/[$.]/g, '\\$&'))
    .map((sign) => (/^\p{L}/u.test(sign) ? `(?<!\\p{L})${sign}` : sign))
    .map((sign) => (/[\p{L}.]$/u.test(sign) ? `${sign}(?!\\p{L})` : sign)),
  `(?<!\\p{L})(?:${CODES.replaceAll(' ', '|')})(?!\\p{L})`,
].join('|');
const AMOUNT = "\\d[\\d.,'’ \\u00a0\\u202f]{0,20}";
const MONEY = new RegExp(
  `(${SIGN})[ \\u00a0\\u202f]{0,2}([-−]?${AMOUNT})|(${AMOUNT}?)[ \\u00a0\\u202f]{0,2}(${SIGN})`,
  'u',
);

export function findPrice(
  text: string,
): { readonly text: string; readonly amount: string; readonly currency: string } | undefined {
  const found = MONEY.exec(text.slice(0, MAX_CHARS));
  if (!found) return undefined;
  const sign = found[1] ?? found[4] ?? '';
  const amount = (found[2] ?? found[3] ?? '').trim();
  const known = Object.hasOwn(CURRENCIES, sign) ? CURRENCIES[sign] : sign;
  return { text: found[0].trim(), amount, currency: known ?? '' };
}

/** Returns a text's first price or number. The language decides if 1.234 is 1234 or a fraction. */
export function findNumber(text: string, language?: string): number | undefined {
  const plain = text.slice(0, MAX_CHARS).normalize('NFKC');
  const money = findPrice(plain);
  const found = /(?<![\p{L}\d])[-−]?\d[\d.,'’ ]{0,40}k?/iu.exec(money?.amount ?? plain)?.[0];
  const first = found ?? /\d[\d.,'’ ]{0,40}/.exec(money?.amount ?? plain)?.[0];
  if (first === undefined) return undefined;
  const digits = withoutGaps(first.replace('−', '-'));
  const number = Number(
    withPoint(digits.replace(/(?<![.,'’])[.,'’]+$/, ''), decimalSign(language, money !== undefined)),
  );
  const times = /\dk$/i.test(first) && !isLetter(plain[plain.indexOf(first) + first.length]) ? 1000 : 1;
  return Number.isFinite(number) ? number * times : undefined;
}

const isLetter = (character = ''): boolean => /\p{L}/u.test(character);

/** Joins groups of three digits, so that `1 234` becomes `1234`. Cuts the text at the first other space. */
function withoutGaps(text: string): string {
  const [head = '', ...groups] = text.replace(/k$/i, '').trim().split(/[ '’]/);
  if (!/^-?\d{1,3}$/.test(head)) return head;
  let digits = head;
  for (const group of groups) {
    if (!/^\d{3}(?!\d)/.test(group)) break;
    digits += group;
    if (group.length > 3) break;
  }
  return digits;
}

/** Returns the decimal separator, or '' if unknown. For money, returns `?`: `1.234` and `1,234` are 1234. */
function decimalSign(language: string | undefined, isMoney: boolean): string {
  if (isMoney) return '?';
  if (language === undefined) return '';
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.find(({ type }) => type === 'decimal')?.value ?? '';
  } catch {
    return '';
  }
}

function withPoint(digits: string, sign: string): string {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) {
    return comma > point ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  }
  const at = Math.max(comma, point);
  const mark = comma >= 0 ? ',' : '.';
  if (at < 0) return digits;
  const isSingle = digits.indexOf(mark) === at;
  const isThree = digits.length - at === 4 && at <= 4 && !/^-?0/.test(digits);
  const parts = isSingle ? isThree && (sign === '?' || (sign === '' ? mark === ',' : mark !== sign)) : true;
  return parts ? digits.replaceAll(mark, '') : digits.replace(',', '.');
}
