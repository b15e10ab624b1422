import { badRequestError } from '../../errors.ts';
import type { AutomationPlan } from '../plans/plan.ts';
import type { JsonRecord } from '../platform.ts';
import { listSimpleConditions } from '../reading/condition.ts';

const CURRENCY = `(?:[$€£¥￥₹₽₩₺₴₫฿₪₱₦₡₲₸円元块원]|zł|Kč|kr|Ft|TL|lei|руб|грн|${Intl.supportedValuesOf('currency').join('|')})`;
const DIGITS = "(\\d{1,3}(?:[.,’' ]\\d{3})+|\\d{1,12})(?:[.,](\\d{1,2}))?(?!\\d)";
/** Matches `$12.50` (groups 1 and 2: `12` and `50`) or `12.50 zł` (groups 3 and 4). */
const PRICE = `${CURRENCY}\\s?${DIGITS}|${DIGITS}\\s?${CURRENCY}`;
const PLAIN = DIGITS;
/** Matches a price in JSON-LD, Open Graph or microdata. Other prices on a page are less reliable. */
const STRUCTURED =
  '(?:"(?:low[Pp]rice|price)"\\s{0,3}:\\s{0,3}"?|(?:product|og):price:amount["\']\\s{1,3}content\\s?=\\s?["\']|itemprop\\s?=\\s?["\']price["\'][^<>]{0,200}?content\\s?=\\s?["\'])(\\d{1,12})(?:[.](\\d{1,2}))?';
/** Selectors that a regular expression can replace: a tag, a class, an id, or a tag with class or id. */
const SIMPLE = /^([a-z][a-z0-9]{0,15})?(?:([.#])([a-z_][\w-]{0,60}))?$/i;

/**
 * Builds modules that extract data from module `page`. Throws AppError `bad_request` for an unsupported selector.
 * `found` is the formula of the extracted data, without braces.
 */
export function buildMakeModules(plan: AutomationPlan, page: number, first: number) {
  const { extract, when } = plan;
  const counts = listSimpleConditions(when).some((one) => 'value' in one);
  if (extract.kind !== 'text' && extract.kind !== 'prices') {
    const pattern = patternOf(extract);
    return {
      modules: [
        parser(first, pattern, `{{${page}.data}}`, true),
        {
          id: first + 1,
          module: 'util:TextAggregator',
          version: 1,
          parameters: { rowSeparator: '\n', feeder: page },
          mapper: { value: `{{replace(${first}.\`$1\`; "/<[^<>]*>/g"; "")}}` },
        },
        ...(counts ? [parser(first + 2, PLAIN, `{{${first + 1}.text}}`, false)] : []),
      ],
      found: `${first + 1}.text`,
      number: counts ? numberOf(first + 2) : '',
    };
  }
  const text = {
    id: first,
    module: 'regexp:HTMLToText',
    version: 1,
    parameters: {},
    mapper: { html: `{{${page}.data}}`, newline: 'lf', uppercaseHeadings: false },
  };
  const prices = extract.kind === 'prices';
  if (!prices && !counts) return { modules: [text], found: `${first}.text`, number: '' };
  const matcher = parser(first + 1, prices ? PRICE : PLAIN, `{{${first}.text}}`, false);
  if (!prices) return { modules: [text, matcher], found: `${first}.text`, number: numberOf(first + 1) };
  const own = parser(first + 2, STRUCTURED, `{{${page}.data}}`, false);
  const [structured, plain] = [numberOf(first + 2), numberOf(first + 1)].map((one) => one.slice(2, -2));
  return {
    modules: [text, matcher, own],
    found: `ifempty(${first + 2}.\`$1\`; ${first + 1}.\`$0\`)`,
    number: `{{ifempty(${structured}; ${plain})}}`,
  };
}

function numberOf(module: number): string {
  const group = (one: number, other: number) => `ifempty(${module}.\`$${one}\`; ${module}.\`$${other}\`)`;
  const whole = `replace(${group(1, 3)}; "/[^0-9]/g"; "")`;
  return `{{if(${group(1, 3)}; join(add(emptyarray; ${whole}; ifempty(${group(2, 4)}; "0")); "."); "")}}`;
}

function parser(id: number, pattern: string, text: string, global: boolean): JsonRecord {
  return {
    id,
    module: 'regexp:Parser',
    version: 1,
    parameters: {
      pattern,
      global,
      sensitive: false,
      multiline: false,
      singleline: false,
      continueWhenNoRes: true,
      ignoreInfiniteLoopsWhenGlobal: false,
    },
    mapper: { text },
  };
}

function patternOf(extract: AutomationPlan['extract']): string {
  if (extract.kind === 'links') return '<a\\s[^<>]*?href\\s*=\\s*["\']([^"\'<>]{1,2000})["\']';
  if (extract.kind === 'title') return '<title[^<>]{0,200}>([^<]{1,500})</title>';
  if (extract.kind === 'items')
    return '<(?:title|h[1-4])(?:\\s[^<>]{0,300})?>([\\s\\S]{1,500}?)</(?:title|h[1-4])>';
  if (extract.kind === 'headings') return '<h[1-3][^<>]*>([\\s\\S]{1,500}?)</h[1-3]>';
  const selector = extract.kind === 'selector' ? extract.selector : '';
  const [, tag = '[a-z][a-z0-9]*', sign, name = ''] = SIMPLE.exec(selector) ?? [];
  if (!SIMPLE.test(selector)) {
    throw badRequestError(
      `Make has no CSS selectors, and ${JSON.stringify(selector)} is more than a tag, .class or #id: name platform n8n or apify`,
    );
  }
  const attribute = sign === '.' ? 'class' : 'id';
  const value = sign === '.' ? `(?:[^"'<>]*\\s)?${name}(?:\\s[^"'<>]*)?` : name;
  const having = sign ? `\\s(?:[^<>]*?\\s)?${attribute}\\s*=\\s*["']${value}["']` : '(?:\\s)?';
  return `<${tag}${having}[^<>]*>([\\s\\S]{1,5000}?)</${tag}>`;
}
