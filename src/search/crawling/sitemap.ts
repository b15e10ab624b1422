import { Parser } from 'htmlparser2';

export interface Sitemap {
  readonly pages: readonly SitemapOrFeedPage[];
  readonly sitemaps: readonly string[];
  readonly cut: boolean;
}

export interface SitemapOrFeedPage {
  readonly url: string;
  readonly title?: string;
  readonly modified?: string;
}

const MAX_ADDRESSES = 50_000;
export const MAX_SITEMAP_BYTES = 52_428_800;
const MAX_ADDRESS_CHARS = 2048;
const MAX_CHARS = 10_000_000;
const MAX_TITLE_CHARS = 200;
const STEP_BYTES = 65_536;

const FIELDS: ReadonlyMap<string, 'address' | 'modified' | 'published' | 'title'> = new Map(
  Object.entries<'address' | 'modified' | 'published' | 'title'>({
    loc: 'address',
    lastmod: 'modified',
    'news:publication_date': 'published',
    'news:title': 'title',
  }),
);

const OTHERS = /^(?:image|video|news|xhtml):/;

export function isSitemap(body: Uint8Array): boolean {
  const head = new TextDecoder().decode(body.subarray(0, 4096));
  return /<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]/.test(head) || isAddressLines(head);
}

export function parseSitemap(body: Uint8Array, url: string): Sitemap {
  return isAddressLines(new TextDecoder().decode(body.subarray(0, 4096)))
    ? parseLines(body, url)
    : parseElements(body, url);
}

function parseElements(body: Uint8Array, url: string): Sitemap {
  const lists = createLists(url);
  let entry = '';
  let field: string | undefined;
  let texts: Record<string, string> = {};
  const parser = new Parser(
    {
      onopentag(name) {
        const local = name.replace(/^\w+:/, '');
        if (!OTHERS.test(name) && (local === 'url' || local === 'sitemap')) {
          entry = local;
          texts = {};
        }
        field = FIELDS.get(name) ?? (OTHERS.test(name) ? undefined : FIELDS.get(local));
        if (field !== undefined && texts[field] !== undefined) field = undefined;
      },
      ontext(part) {
        if (field === undefined) return;
        const text = texts[field] ?? '';
        if (text.length <= MAX_ADDRESS_CHARS) texts[field] = text + part;
      },
      onclosetag(name) {
        field = undefined;
        const local = name.replace(/^\w+:/, '');
        if (OTHERS.test(name) || local !== entry) return;
        const { address = '', modified, published, title } = texts;
        lists.add(entry, address, { modified: modified ?? published, title });
        entry = '';
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for (let at = 0; at < body.length && !lists.isFull(); at += STEP_BYTES) {
    parser.write(decoder.decode(body.subarray(at, at + STEP_BYTES), { stream: true }));
  }
  parser.end(decoder.decode());
  return lists.result();
}

function parseLines(body: Uint8Array, url: string): Sitemap {
  const lists = createLists(url);
  const decoder = new TextDecoder();
  let rest = '';
  for (let at = 0; at < body.length && !lists.isFull(); at += STEP_BYTES) {
    const lines = (rest + decoder.decode(body.subarray(at, at + STEP_BYTES), { stream: true })).split('\n');
    rest = lines.pop()?.slice(0, MAX_ADDRESS_CHARS + 1) ?? '';
    for (const line of lines) if (WHOLE.test(line)) lists.add('url', line, {});
  }
  if (WHOLE.test(rest)) lists.add('url', rest, {});
  return lists.result();
}

/** Matches a line that contains only an address, so that no part of a longer text matches. */
const WHOLE = /^\uFEFF?\s{0,100}https?:\/\/\S{1,2048}\s{0,100}$/;

function isAddressLines(head: string): boolean {
  return /^\uFEFF?\s{0,100}https?:\/\/[^\s<>"]{1,2000}\s{0,10}(?:\n\s{0,10}https?:\/\/|$)/.test(head);
}

function createLists(base: string) {
  const pages: SitemapOrFeedPage[] = [];
  const sitemaps: string[] = [];
  let chars = 0;
  const isFull = () => pages.length + sitemaps.length >= MAX_ADDRESSES || chars >= MAX_CHARS;
  let cut = false;
  return {
    isFull() {
      if (isFull()) cut = true;
      return isFull();
    },
    add(entry: string, text: string, facts: { modified?: string; title?: string }): void {
      const address = text.trim();
      if (address === '' || address.length > MAX_ADDRESS_CHARS || !URL.canParse(address, base)) return;
      const { href, protocol } = new URL(address, base);
      if (!/^https?:$/.test(protocol)) return;
      if (isFull()) {
        cut = true;
        return;
      }
      chars += href.length;
      if (entry === 'sitemap') sitemaps.push(href);
      else pages.push({ url: href, ...factsOf(facts) });
    },
    result: (): Sitemap => ({ pages, sitemaps, cut }),
  };
}

function factsOf({ modified = '', title = '' }: { modified?: string; title?: string }) {
  const date = /^\d{4}(?:-\d\d){0,2}(?:T[\d:.]{4,20}(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(modified.trim())?.[0];
  const words = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
  return { ...(words && { title: words }), ...(date && { modified: date }) };
}
