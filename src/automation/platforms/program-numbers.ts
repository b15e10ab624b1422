import tables from './program-tables.json' with { type: 'json' };

/** `n8n-code.ts` copies these functions into n8n's Code node, so they may call only `program-*` files. */

/** `currency` is a code, a sign that several currencies share, or '' if unknown. */
export interface Money {
  readonly value: number;
  readonly currency: string;
  readonly at: number;
  readonly text: string;
}

/** Parses a number. A single separator before exactly three digits groups thousands: `1.234` is 1234. */
export function readNumber(text: string): number {
  const negative = /^[-−–]/.test(text);
  const digits = text.replace(/[^\d.,]/g, '').replace(/[.,]$/, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits.charAt(last);
  const other = mark === '.' ? ',' : '.';
  const thousands =
    last >= 0 && !digits.includes(other) && (digits.indexOf(mark) !== last || /^\d{1,3}.\d{3}$/.test(digits));
  const whole = last < 0 || thousands ? digits : digits.slice(0, last);
  const rest = last < 0 || thousands ? '' : `.${digits.slice(last + 1)}`;
  const value = digits === '' ? Number.NaN : Number(whole.replace(/[.,]/g, '') + rest);
  return negative ? -value : value;
}

/** Codes of currencies by their lower-case signs. A sign that several currencies share is its own code. */
export const CURRENCY_SIGNS: Readonly<Record<string, string>> = tables.currencySigns;
export const SHARED_SIGNS: Readonly<Record<string, string>> = tables.sharedSigns;

export function currencyOf(sign: string): string {
  const name = sign.trim().toLowerCase().replace(/\.$/, '');
  return CURRENCY_SIGNS[name] ?? (/^[A-Z]{3}$/.test(sign.trim()) ? sign.trim() : '');
}

export function sameCurrency(one: string, other: string): boolean {
  if (one === '' || other === '' || one === other) return true;
  return (SHARED_SIGNS[one] ?? '').includes(other) || (SHARED_SIGNS[other] ?? '').includes(one);
}

/** Finds amounts in a text. `codes` are the ISO 4217 codes, separated by `|`. */
export function moneyIn(text: string, codes: string): Money[] {
  const starts = /[\d$€£¥￥₹₽₩₺₴₫฿₪₱₦₡₲₸A-Zk]/g;
  const number = /\d[\d.,'’]{0,20}/y;
  const found: Money[] = [];
  for (let start = starts.exec(text); start && found.length < 500; start = starts.exec(text)) {
    const money = amountAt(text, start.index, `|${codes}|RMB|`);
    number.lastIndex = start.index;
    if (money) {
      found.push(money);
      starts.lastIndex = start.index + Math.max(1, money.text.length);
    } else if (number.test(text)) starts.lastIndex = number.lastIndex;
  }
  return found;
}

export function amountAt(text: string, at: number, known: string): Money | undefined {
  const before =
    /(R\$|US\$|CA?\$|AU?\$|NZ\$|HK\$|S\$|NT\$|MX\$|CN¥|JP¥|[$€£¥￥₹₽₩₺₴₫฿₪₱₦₡₲₸]|(?<![A-Za-z])(?:[A-Z]{3}|kr|Rs|Fr)(?![A-Za-z]))\s?\.?\s?(\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,2})?(?!\d))/y;
  const after =
    /(\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,2})?(?!\d))\s?(万|億|亿)?(?:,-|,–|\.-)?\s?([$€£¥￥₹₽₩₺₴₫฿₪₱₦₡₲₸円元块원]|人民币|zł|Kč|(?:kr|Ft|TL|Rs|Fr|lei|RMB|[A-Z]{3})(?![A-Za-zł])|(?:руб|грн|лв)|р(?=[.\s]|$)|[Ee]uros?(?![a-z]))/y;
  before.lastIndex = at;
  after.lastIndex = at;
  const isKnown = (sign: string) => !/^[A-Z]{3}$/.test(sign) || known.includes(`|${sign}|`);
  const money = (whole: string, sign: string, digits: string, factor: number): Money | undefined => {
    const value = readNumber(digits) * factor;
    return Number.isFinite(value) ? { value, currency: currencyOf(sign), at, text: whole } : undefined;
  };
  const lead = before.exec(text);
  if (lead && isKnown(lead[1] ?? '')) return money(lead[0], lead[1] ?? '', lead[2] ?? '', 1);
  const trail = after.exec(text);
  if (!trail || !isKnown(trail[3] ?? '')) return undefined;
  const factor = trail[2] === undefined ? 1 : trail[2] === '万' ? 10_000 : 100_000_000;
  return money(trail[0], trail[3] ?? '', trail[1] ?? '', factor);
}

export function numbersIn(text: string, label: string | undefined): number[] {
  const pattern = /(?<![\d.,])[-−–]?\d[\d.,'’]{0,15}/g;
  if (label === undefined) {
    return [...text.matchAll(pattern)]
      .slice(0, 2000)
      .map((match) => readNumber(match[0]))
      .filter(Number.isFinite);
  }
  const low = text.toLowerCase();
  const word = label.toLowerCase();
  for (
    let at = low.indexOf(word), tries = 0;
    at >= 0 && tries < 20;
    at = low.indexOf(word, at + word.length), tries++
  ) {
    const start = Math.max(0, at - 40);
    const end = at + word.length;
    const near = [...text.slice(start, end + 60).matchAll(pattern)].map((match) => {
      const place = start + match.index;
      const far = place >= end ? place - end : at - place - match[0].length + 1;
      return { value: readNumber(match[0]), far: Math.abs(far) };
    });
    const nearest = near.filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.far - b.far)[0];
    if (nearest) return [nearest.value];
  }
  return [];
}
