import { type CheerioAPI, load } from 'cheerio';
import { DomHandler, Parser } from 'htmlparser2';
import { EngineError } from './engine.ts';

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

export interface EmptyPage {
  /** Words that a page against robots shows. */
  readonly captcha: RegExp;
  /** Words by which the engine says that it found nothing. */
  readonly nothing: RegExp;
}

/** What a page without a single row is: no hits where its words say so. EngineError `captcha` or `changed` else. */
export function emptyPage($: CheerioAPI, question: string, { captcha, nothing }: EmptyPage): [] {
  const told = toldBy($, question);
  if (captcha.test(told)) throw new EngineError('captcha', 'it asks for a captcha');
  if (nothing.test(told)) return [];
  throw new EngineError('changed', 'its page has no results: the markup has changed');
}
