import { Parser } from 'htmlparser2';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { withoutInvisible } from '../../lib/text/invisible.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import type { SearchHit } from '../engine.ts';

export interface RawHit {
  readonly url: string;
  readonly title?: string | null | undefined;
  readonly snippet?: string | null | undefined;
  readonly published?: string | number | null | undefined;
  readonly author?: string | null | undefined;
  readonly site?: string | null | undefined;
  /** Address of the page's website, for engines whose `url` is only a redirect address. */
  readonly home?: string | null | undefined;
  readonly image?: string | null | undefined;
}

const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 1000;
const MAX_NAME_CHARS = 120;

export function toHits({ url, title, snippet, published, author, site, home, image }: RawHit): SearchHit[] {
  const page = webAddress(url);
  if (!page) return [];
  return [
    {
      title: takeCharacters(htmlToPlainText(title ?? ''), MAX_TITLE_CHARS) || page.href,
      url: page.href,
      snippet: takeCharacters(htmlToPlainText(snippet ?? ''), MAX_SNIPPET_CHARS),
      published: parsePublishedDate(published),
      ...omitUndefined({
        author: nameOf(author),
        site: nameOf(site),
        host: webAddress(home ?? '')?.hostname,
        image: webAddress(image ?? '')?.href,
      }),
    },
  ];
}

function nameOf(written: string | null | undefined): string | undefined {
  const name = takeCharacters(htmlToPlainText(written ?? ''), MAX_NAME_CHARS);
  return /\p{L}/u.test(name) ? name : undefined;
}

function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const INLINE = /<\/?(?:a|abbr|b|code|em|font|i|kbd|mark|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?\/?>/gi;
const BLOCK = /<\/?(?:blockquote|br|div|h[1-6]|hr|li|ol|p|pre|td|th|tr|ul)(?:\s[^<>]*)?\/?>/gi;

export function htmlToPlainText(html: string): string {
  const marked = html.slice(0, 20_000).replace(INLINE, '').replace(BLOCK, ' ');
  const text = withoutInvisible(marked.includes('&') ? decoded(marked) : marked);
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function decoded(text: string): string {
  let out = '';
  const parser = new Parser({ ontext: (part) => (out += part) }, { decodeEntities: true });
  parser.end(text.replaceAll('<', '&lt;'));
  return out;
}

const AGO = /^(\d{1,3}) (minute|min|hour|day|week|month|year)s? ago$/i;
const MINUTE_MS = 60_000;
const DAY = 24 * 60 * MINUTE_MS;
const UNITS: Readonly<Record<string, number>> = {
  min: MINUTE_MS,
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

/** Parses a date of a service, as milliseconds since 1970. Without a zone, the time is in UTC. */
export function parsePublishedDate(
  written: string | number | null | undefined,
  now = Date.now(),
): number | undefined {
  if (typeof written === 'number') return likely(written, now);
  const text = (written ?? '').trim();
  if (text === '' || text.length > 60) return undefined;
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  if (count) return now - Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
  const date = parseInstant(text);
  return date === undefined ? undefined : likely(date, now);
}

function likely(date: number, now: number): number | undefined {
  return date > Date.UTC(1990, 0) && date < now + DAY ? date : undefined;
}
