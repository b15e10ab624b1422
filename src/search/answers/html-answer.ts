import { type CheerioAPI, load } from 'cheerio';
import { DomHandler, Parser } from 'htmlparser2';
import { EngineError, type SearchEngine, type SearchHit, type SearchQuery } from '../engine.ts';
import { type RawHit, toHits } from './hit.ts';
import { escapeHtmlText } from './json-answer.ts';
import selectors from './result-selectors.json' with { type: 'json' };

export type HtmlNodes = ReturnType<CheerioAPI>;
const MAX_DEPTH = 400;
/** Maximum number of elements in a page, because selectors may take quadratic time. */
const MAX_ELEMENTS = 10_000;

class BoundedHandler extends DomHandler {
  #elements = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MAX_DEPTH || ++this.#elements > MAX_ELEMENTS)
      throw new EngineError('changed', 'its markup has changed: it has no end of elements');
    super.onopentag(name, attributes);
  }

  override oncomment(): void {}
}

/** Parses a page or feed. Throws EngineError `changed` for too many elements or too deep nesting. */
export function readHtml(body: string, { xml = false } = {}): CheerioAPI {
  const dom = new BoundedHandler();
  new Parser(dom, { xmlMode: xml, decodeEntities: true }).end(body);
  return load(dom.root, { xml: { xmlMode: xml } });
}

/** Returns a result's web address. Returns undefined for other schemes and for links to the engine. */
export function resolveResultLink(href: string | undefined, engineDomain: string): string | undefined {
  const raw = (href ?? '').trim();
  if (!raw || !URL.canParse(raw, `https://${engineDomain}`)) return undefined;
  const url = new URL(raw, `https://${engineDomain}`);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  return url.hostname === engineDomain || url.hostname.endsWith(`.${engineDomain}`) ? undefined : url.href;
}

export function readTextWithoutQuestion($: CheerioAPI, question: string): string {
  $('script, style, template').remove();
  return $.root().text().replaceAll(question, ' ').replace(/\s+/g, ' ');
}

export function findFirstMatch(row: HtmlNodes, selectors: readonly string[]): HtmlNodes {
  for (const selector of selectors) {
    const found = row.find(selector).first();
    if (found.length > 0) return found;
  }
  return row.find(':not(*)');
}

/** Converts rows to hits. Throws EngineError `changed` if no row has an address or no row has a title. */
export function readRows<Row>(rows: readonly Row[], read: (row: Row) => RawHit | undefined): SearchHit[] {
  const found = rows.flatMap((row) => read(row) ?? []);
  const hits = found.flatMap(toHits);
  if (hits.length > 0 && found.some(({ title }) => title?.trim())) return hits;
  throw new EngineError('changed', 'its results have no titles or no addresses: the markup has changed');
}

const [CAPTCHA_SIGNS, CONSENT_SIGNS] = [selectors.everyEngine.captcha, selectors.everyEngine.consent].map(
  (list) => list.join(', '),
) as [string, string];

/** Throws EngineError `captcha` if the page asks for a captcha or for consent to cookies. */
export function throwIfCaptcha($: CheerioAPI): void {
  if ($(CAPTCHA_SIGNS).length > 0) throw new EngineError('captcha', 'it asks for a captcha');
  if ($(CONSENT_SIGNS).length > 0) {
    throw new EngineError('captcha', 'it asks for consent to cookies before it shows results');
  }
}

const NOTHING =
  /no results (?:found|for)|did not match any|keine (?:ergebnisse|treffer)|aucun r[ée]sultat|(?:ning[uú]n|nenhum) resultado|no (?:hemos|se han|se ha) encontrado|n[ãa]o encontr[aá]mos|nessun risultato|geen resultaten|brak wynik[óo]w|nie znaleziono|inga (?:resultat|träffar)|ingen (?:resultat|treff)|(?:ничего|по вашему запросу) не (?:наш|най)|sonuç bulunamadı|見つかりませんでした|(?:未|没有|沒有)(?:找到|搜索到)|검색결과가 없습니다/i;

export interface EmptyPageSigns {
  readonly captcha: RegExp;
  /** Matches phrases for "nothing found" that only this engine uses. Common phrases are always recognized. */
  readonly nothing: RegExp;
  readonly sign?: string;
}

/** Returns [] if the page says "nothing found". Otherwise throws EngineError `captcha` or `changed`. */
export function readEmptyPage(
  $: CheerioAPI,
  question: string,
  { captcha, nothing, sign }: EmptyPageSigns,
): [] {
  throwIfCaptcha($);
  if (sign && $(sign).length > 0) return [];
  const told = readTextWithoutQuestion($, question);
  if (captcha.test(told)) throw new EngineError('captcha', 'it asks for a captcha');
  if (nothing.test(told) || NOTHING.test(told)) return [];
  throw new EngineError('changed', 'its page has no results: the markup has changed');
}

/** Returns the hits of a result page, or [] if the page says "nothing found". Throws EngineError. */
export function readResultPage(
  body: string,
  query: SearchQuery,
  { rows, ...empty }: EmptyPageSigns & { readonly rows: string | (($: CheerioAPI) => HtmlNodes) },
  readRow: (row: HtmlNodes) => RawHit | undefined,
): SearchHit[] {
  const $ = readHtml(body);
  const found = (typeof rows === 'string' ? $(rows) : rows($)).toArray();
  if (found.length === 0) return readEmptyPage($, query.text, empty);
  return readRows(found, (one) => {
    const { title, snippet, ...row } = readRow($(one)) ?? { url: '' };
    return row.url
      ? { ...row, title: escapeHtmlText(title ?? ''), snippet: escapeHtmlText(snippet ?? '') }
      : undefined;
  });
}

/** Options of an engine that needs cookies. `statuses`: HTTP statuses by which it refuses programs. */
export function describeRobotRefusals(
  ...statuses: number[]
): Pick<SearchEngine, 'cookies' | 'pauses' | 'refusals'> {
  const refusals = Object.fromEntries(
    statuses.map((status) => [status, 'it refuses what seems to be a robot']),
  );
  return { cookies: true, pauses: statuses, refusals };
}

export function newsOrImagesCategory({ category }: SearchQuery): 'news' | 'images' | undefined {
  return category === 'news' || category === 'images' ? category : undefined;
}
