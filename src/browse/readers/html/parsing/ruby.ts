import { oneLine } from '../../markdown.ts';
import { elementsIn, type HtmlElement, HtmlText, textsOf } from './node.ts';

const MAX_CHARS = 100;
const MAX_RUBIES = 20;
const MAX_FOLLOWING_CHARS = 20;
const KANA = /^[\p{sc=Hiragana}\p{sc=Katakana}ー]+$/u;
const LATIN = /^[\p{sc=Latin}\p{M}\s]+$/u;

export function placeRubyReadings(root: HtmlElement, html: string): void {
  if (!/<ruby/i.test(html)) return;
  const rubies = [...elementsIn(root)].filter(({ tag }) => tag === 'ruby');
  for (let at = 0; at < rubies.length; ) {
    const group = [rubies[at] as HtmlElement];
    for (
      let next = rubies[at + group.length];
      next && next.previousSibling === group.at(-1) && isSameWord(next, group);
      next = rubies[at + group.length]
    )
      group.push(next);
    at += group.length;
    placeGroup(group);
  }
}

/** True if the next element continues the group's last word. In `三年住んで`, `住` begins a new word. */
function isSameWord(next: HtmlElement, group: readonly HtmlElement[]): boolean {
  const base = group.map((ruby) => readRuby(ruby).base).join('');
  const word = words.segment(base + readRuby(next).base).containing(base.length);
  return group.length < MAX_RUBIES && word !== undefined && word.index < base.length;
}

function placeGroup(group: readonly HtmlElement[]): void {
  const words = group.map(readRuby);
  const base = words.map((one) => one.base).join('');
  const readings = words.map((one) => one.reading).filter(Boolean);
  const [first] = group;
  const { nextSibling: after } = group.at(-1) ?? {};
  if (!first?.parentNode || base === '' || base.length > MAX_CHARS * group.length) return;
  const reading = joinReadings(readings);
  const tail = reading !== '' && after?.nodeType === 3 ? endOfWord(base, after.data) : '';
  if (after?.nodeType === 3) after.data = after.data.slice(tail.length);
  const text = reading === '' ? base : `${base}${tail}(${reading}${KANA.test(reading) ? tail : ''})`;
  first.parentNode.replaceChild(new HtmlText(text), first);
  for (const ruby of group.slice(1)) ruby.parentNode?.removeChild(ruby);
}

function readRuby(ruby: HtmlElement): { readonly base: string; readonly reading: string } {
  let base = '';
  const readings: string[] = [];
  const visit = (element: HtmlElement): void => {
    for (const node of element.childNodes) {
      if (node.nodeType === 3) base += node.data;
      else if (node.tag === 'rt' || node.tag === 'rtc') readings.push(oneLine(textsOf(node).join('')));
      else if (node.tag !== 'rp' && node.depth < ruby.depth + MAX_LEVELS) visit(node);
    }
  };
  visit(ruby);
  return { base: oneLine(base), reading: joinReadings(readings.filter(Boolean)) };
}

const MAX_LEVELS = 8;

function joinReadings(readings: readonly string[]): string {
  return readings.join(readings.every((one) => LATIN.test(one)) ? ' ' : '');
}

const words = new Intl.Segmenter('ja', { granularity: 'word' });

/** Returns the kana that end a word after its `<ruby>` element, for example `べる` of `食べる`. */
function endOfWord(base: string, following: string): string {
  const text = base + following.slice(0, MAX_FOLLOWING_CHARS);
  const word = words.segment(text).containing(base.length - 1);
  const tail = word ? text.slice(base.length, word.index + word.segment.length) : '';
  return KANA.test(tail) ? tail : '';
}
