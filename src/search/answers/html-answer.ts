import { type CheerioAPI, load } from 'cheerio';
import { DomHandler, Parser } from 'htmlparser2';
import { EngineError, type SearchHit } from '../engine.ts';
import { type RawHit, toHits } from './hit.ts';

export type Nodes = ReturnType<CheerioAPI>;

/** Elements within one another; a page of results has some forty. */
const MAX_DEPTH = 400;
/** Elements in all; a page of results has some thousands, and selecting takes the square of its siblings. */
const MAX_ELEMENTS = 10_000;

/**
 * The page or feed of an engine. Read by htmlparser2 and not by cheerio's own parser, whose time grows with
 * the square of the nesting: two megabytes of opening tags would hold the event loop up for minutes.
 * EngineError `changed` for a body that is nested too deep or has too many elements.
 */
export function readHtml(body: string, { xml = false } = {}): CheerioAPI {
  const options = { xmlMode: xml, decodeEntities: true };
  const dom = new DomHandler();
  let depth = 0;
  let elements = 0;
  const parser = new Parser(
    {
      onparserinit: (made) => dom.onparserinit(made),
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) {
          throw new EngineError('changed', 'its markup has changed: it has no end of elements');
        }
        dom.onopentag(name, attributes);
      },
      onclosetag() {
        depth--;
        dom.onclosetag();
      },
      ontext: (text) => dom.ontext(text),
      oncdatastart: () => dom.oncdatastart(),
      oncdataend: () => dom.oncdataend(),
      onprocessinginstruction: (name, text) => dom.onprocessinginstruction(name, text),
      onend: () => dom.onend(),
    },
    options,
  );
  parser.end(body);
  return load(dom.root, { xml: { xmlMode: xml } });
}

/**
 * Where a link of a result leads: an absolute web address. Nothing for `javascript:` and the like, and for
 * pages of the engine itself (`own`: its domain), which are advertisements, settings and further searches.
 */
export function pageAddress(href: string | undefined, own: string): string | undefined {
  const raw = (href ?? '').trim();
  if (!raw || !URL.canParse(raw, `https://${own}`)) return undefined;
  const url = new URL(raw, `https://${own}`);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  return url.hostname === own || url.hostname.endsWith(`.${own}`) ? undefined : url.href;
}

/** Plain text in the form that `toHits` takes: its `<` and `&` are letters and no marks. */
export function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The words of a page that a reader would see, without those of the question, which it repeats. Empties its scripts. */
export function toldBy($: CheerioAPI, question: string): string {
  $('script, style, template').remove();
  return $.root().text().replaceAll(question, ' ').replace(/\s+/g, ' ');
}

/** The first node that one of the selectors finds, in their order and not in that of the page. */
export function firstOf(row: Nodes, selectors: readonly string[]): Nodes {
  for (const selector of selectors) {
    const found = row.find(selector).first();
    if (found.length > 0) return found;
  }
  return row.find(':not(*)');
}

/**
 * The hits of the rows that a page has, in their order; `read` leaves out what is none, as an advertisement.
 * EngineError `changed` where no row gives an address or none a title: a page with rows is never an empty list.
 */
export function readRows<Row>(rows: readonly Row[], read: (row: Row) => RawHit | undefined): SearchHit[] {
  const found = rows.flatMap((row) => read(row) ?? []);
  const hits = found.flatMap(toHits);
  if (hits.length > 0 && found.some(({ title }) => title?.trim())) return hits;
  throw new EngineError('changed', 'its results have no titles or no addresses: the markup has changed');
}

/**
 * What guards against robots leave in a page, whatever its language: Cloudflare, Anubis, ALTCHA, DataDome, Yandex, Google,
 * hCaptcha, AWS.
 */
const CAPTCHA_SIGNS = [
  '[name="cf-turnstile-response"], .cf-turnstile, #challenge-form, #challenge-running, #challenge-error-text',
  '#anubis_challenge',
  'altcha-widget, .captcha-wrap, script[src*="altcha"]',
  '[src*="captcha-delivery.com"]',
  '[class*="SmartCaptcha"], [class*="CheckboxCaptcha"], form[action*="checkcaptcha"]',
  '.g-recaptcha, .h-captcha, #captcha-form, #captcha, #b_captcha, .captcha-section',
  '#captcha-container, script[src*="awswaf.com"]',
].join(', ');
/** Forms that ask for consent to cookies before anything is shown: Google's and Yahoo's. */
const CONSENT_SIGNS =
  'form[action*="consent.google"], form[action*="/collectConsent"], form[action*="consent.yahoo"], form.consent-form';

/** EngineError where a page without results asks for proof that a person reads it, or for consent to cookies. */
export function checkGuard($: CheerioAPI): void {
  if ($(CAPTCHA_SIGNS).length > 0) throw new EngineError('captcha', 'it asks for a captcha');
  if ($(CONSENT_SIGNS).length > 0) {
    throw new EngineError('captcha', 'it asks for consent to cookies before it shows results');
  }
}

/** How result pages say that nothing was found, in the languages in which they come where no other was asked for. */
const NOTHING =
  /no results (?:found|for)|did not match any|keine (?:ergebnisse|treffer)|aucun r[ée]sultat|(?:ning[uú]n|nenhum) resultado|no (?:hemos|se han|se ha) encontrado|n[ãa]o encontr[aá]mos|nessun risultato|geen resultaten|brak wynik[óo]w|nie znaleziono|inga (?:resultat|träffar)|ingen (?:resultat|treff)|(?:ничего|по вашему запросу) не (?:наш|най)|sonuç bulunamadı|見つかりませんでした|(?:未|没有|沒有)(?:找到|搜索到)|검색결과가 없습니다/i;

export interface EmptyPage {
  /** Words that a page against robots shows. */
  readonly captcha: RegExp;
  /** Words by which the engine says that it found nothing, besides those that all engines use. */
  readonly nothing: RegExp;
  /** Selector of the element by which it says so in every language. */
  readonly sign?: string;
}

/** What a page without a single row is: no hits where it says so. EngineError `captcha` or `changed` else. */
export function emptyPage($: CheerioAPI, question: string, { captcha, nothing, sign }: EmptyPage): [] {
  checkGuard($);
  if (sign && $(sign).length > 0) return [];
  const told = toldBy($, question);
  if (captcha.test(told)) throw new EngineError('captcha', 'it asks for a captcha');
  if (nothing.test(told) || NOTHING.test(told)) return [];
  throw new EngineError('changed', 'its page has no results: the markup has changed');
}
