import { load } from 'cheerio';
import { badRequestError, upstreamError } from '../../../errors.ts';
import words from '../../changes/watch-words.json' with { type: 'json' };
import type { WatchedPart } from '../../reading/page.ts';

const AD = new RegExp(`^(?:${words.ads})$`, 'i');
const FRAME = new RegExp(`^(?:${words.ads}|${words.frames})$`, 'i');
const AD_LABEL = new RegExp(`^[\\s\\p{P}]{0,5}(?:${words.adLabels})[\\s\\p{P}]{0,5}$`, 'iu');
const MAX_AD_CHARS = 600;
const KEPT = 'html, body, main, article, section, table, tbody, tr, td, ul, ol';

/** Takes the watched part out of an HTML page, or its text without what frames it. Throws AppError `upstream`. */
export function takeWatchedHtml(html: string, url: string, { selector }: WatchedPart): string {
  const page = load(html);
  const framing = selector === undefined ? FRAME : AD;
  if (selector === undefined)
    page('aside, nav, footer, body > header, [role=complementary], [role=navigation]').remove();
  page('[class], [id], [aria-label]')
    .filter((_, { attribs: { class: classes = '', id = '', 'aria-label': label = '' } }) => {
      const names = `${classes} ${id}`.slice(0, 500).split(/\s+/);
      return names.some((name) => framing.test(name)) || AD_LABEL.test(label);
    })
    .not(KEPT)
    .remove();
  page('span, p, div, small, h2, h3, h4, h5, h6, strong, b, em, label').each((_, element) => {
    const [only, ...more] = element.children;
    if (only?.type !== 'text' || more.length > 0 || only.data.length > 40 || !AD_LABEL.test(only.data))
      return;
    const box = page(element).parent();
    (box.is(KEPT) || box.text().length > MAX_AD_CHARS ? page(element) : box).remove();
  });
  if (selector === undefined) return page.html();
  const parts = select(page, selector);
  if (parts.length === 0) throw upstreamError(`${url} has nothing that matches ${selector}`);
  return parts.map((part) => wrap(page.html(part), 'name' in part ? part.name : '')).join('\n');
}

/** Puts a part of a table or list into one, since it is none by itself. */
function wrap(html: string, tag: string): string {
  if (tag === 'li') return `<ul>${html}</ul>`;
  if (tag === 'td' || tag === 'th') return `<table><tr>${html}</tr></table>`;
  return /^t(?:r|body|head)$/.test(tag) ? `<table>${html}</table>` : `<div>${html}</div>`;
}

const MAX_PARTS = 200;

function select(page: ReturnType<typeof load>, selector: string) {
  try {
    return page(selector).toArray().slice(0, MAX_PARTS);
  } catch (cause) {
    throw badRequestError(`the selector ${JSON.stringify(selector)} is not CSS that can be read`, { cause });
  }
}

/** Throws AppError `bad_request` for a text that is not a selector. */
export function checkSelector(selector: string): void {
  select(load(''), selector);
}
