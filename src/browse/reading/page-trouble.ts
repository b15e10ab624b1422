import { readFileSync } from 'node:fs';
import type { Page } from './page.ts';

const PHRASES: Readonly<Record<'missing' | 'consent' | 'cut', readonly string[]>> = JSON.parse(
  readFileSync(new URL('./page-trouble.json', import.meta.url), 'utf8'),
);
/** A page with more letters than this has a text of its own, whatever it says of cookies. */
const MAX_NOTICE_CHARS = 900;
/** Characters at the end of a text in which a site offers the rest to its subscribers. */
const END_CHARS = 700;
const LINK_TARGET = /\]\([^()]{0,2000}\)/g;
const PARTED = /\s[|–—·»-]\s|: /;
const PAID_PART = /"isAccessibleForFree"\s{0,9}:\s{0,9}"?false/i;

/** Says that a page with status 200 is not what was asked for: an error page, a consent form, the start of a story. */
export function describePageTrouble(page: Page, body: Uint8Array): string | undefined {
  if (page.kind !== 'html') return undefined;
  const other = describeOtherPage(page);
  if (other === undefined && (isPaid(body) || has('cut', page.markdown.slice(-END_CHARS)))) {
    return 'the site may give the rest to subscribers alone; another page may have it';
  }
  return other;
}

/** Says that a page with status 200 stands in the place of the page that was asked for. */
export function describeOtherPage({ title, markdown }: Page): string | undefined {
  if (markdown.length <= MAX_NOTICE_CHARS) {
    const [heading = ''] = markdown.replaceAll(LINK_TARGET, '').split('\n', 1);
    if ([...title.split(PARTED), heading].some(isMissing)) {
      return 'the site shows this in place of a page that it does not have; check the address, or search for it';
    }
    if (has('consent', `${title}\n${markdown}`)) {
      return 'the site shows a form for consent in place of the page; try another page';
    }
  }
  return undefined;
}

/** True if a title or heading says little more than that the page is missing. */
function isMissing(title: string): boolean {
  const words = normalize(title);
  return PHRASES.missing.some((phrase) => words.includes(phrase) && words.length <= phrase.length * 2);
}

function has(kind: 'consent' | 'cut', text: string): boolean {
  const lower = normalize(text);
  return PHRASES[kind].some((phrase) => lower.includes(phrase));
}

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[\s#]+/, '')
    .trim();

function isPaid(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = bytes.indexOf('isAccessibleForFree');
  return at > 0 && PAID_PART.test(bytes.toString('latin1', at - 1, at + 60));
}
