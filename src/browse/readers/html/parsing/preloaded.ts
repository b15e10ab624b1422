import { isJsonObject } from '../../../../lib/json-members.ts';
import { collectObjects, type LinkedDataObject, parseLenientJson, typesOf } from '../metadata/linked-data.ts';
import { elementsIn, type HtmlElement } from './node.ts';

const MAX_CHARS = 3_000_000;
const MAX_VALUES = 200_000;
const MAX_TEXT_CHARS = 1_000_000;
const MAX_LEVELS = 60;
const LEAST_WORDS = 8;

const PROSE =
  /^(?:content|body|html|text|cooked|copy|description|summary|excerpt|markdown|intro|lead|answer|question|paragraph|value|children|rendered|longdescription|articlebody|maincontent|bodyhtml|contenthtml|richtext)$/;
const OTHER =
  /^(?:__|_)|(?:query|schema|styles?|css|class(?:name)?|translations?|messages|i18n|locales?|consent|cookie|tracking|analytics)$/i;

/** Collects text from script data before scripts are removed. The returned function converts it to HTML. */
export function findPreloadedHtml(page: HtmlElement): () => string {
  const linked: string[] = [];
  const data: string[] = [];
  const topics: string[] = [];
  let pushed = '';
  let left = MAX_CHARS;
  const take = (text: string) => {
    left -= text.length;
    return left >= 0;
  };
  for (const node of elementsIn(page)) {
    const topic = node.attributes['data-preloaded'];
    if (topic && take(topic)) topics.push(topic);
    if (node.tag !== 'script') continue;
    const text = node.textContent;
    const isLinked = /ld\+json/i.test(node.attributes.type ?? '');
    if (!isLinked && node.attributes.id !== '__NEXT_DATA__' && !text.includes('__next_f.push')) continue;
    if (!take(text)) continue;
    if (isLinked) linked.push(text);
    else if (node.attributes.id === '__NEXT_DATA__') data.push(text);
    else pushed += pushedText(text);
  }
  return () =>
    [
      topics.map(postsOf).join(''),
      linked.map(linkedProse).join(''),
      data.map((text) => prose(parseLenientJson(text))).join(''),
      streamedProse(pushed),
    ]
      .reduce((best, html) => (html.length > best.length ? html : best), '')
      .slice(0, MAX_TEXT_CHARS);
}

function postsOf(preloaded: string): string {
  const stores = parseLenientJson(preloaded);
  if (!isJsonObject(stores)) return '';
  return Object.entries(stores)
    .flatMap(([key, value]) =>
      /^topic_\d/.test(key) && typeof value === 'string' ? [parseLenientJson(value)] : [],
    )
    .flatMap((topic) =>
      isJsonObject(topic) && isJsonObject(topic.post_stream) ? listOf(topic.post_stream.posts) : [],
    )
    .map((post) => {
      if (!isJsonObject(post) || typeof post.cooked !== 'string') return '';
      const day = typeof post.created_at === 'string' ? post.created_at.slice(0, 10) : '';
      return entry([post.username, day], post.cooked);
    })
    .join('');
}

function linkedProse(script: string): string {
  const things: LinkedDataObject[] = [];
  collectObjects(parseLenientJson(script), things);
  return things
    .filter((thing) =>
      typesOf(thing).some((type) => /Article|Posting|Report|Question|Product|Recipe$/.test(type)),
    )
    .map((thing) => {
      const replies = [thing.acceptedAnswer, thing.suggestedAnswer, thing.comment]
        .flatMap(listOf)
        .filter(isJsonObject);
      const own = thing.articleBody ?? thing.text ?? thing.description;
      if (typeof own !== 'string' && replies.length === 0) return '';
      return (
        entry([thing.headline ?? thing.name], own) +
        replies.map((reply) => entry([nameOf(reply.author)], reply.text)).join('')
      );
    })
    .join('');
}

function nameOf(author: unknown): unknown {
  const [first] = listOf(author);
  return isJsonObject(first) ? first.name : first;
}

function entry(names: readonly unknown[], text: unknown): string {
  const name = names.filter((one) => typeof one === 'string' && one !== '').join(' · ');
  return `${name ? `<h3>${escaped(name)}</h3>` : ''}${asHtml(text)}`;
}

function prose(data: unknown): string {
  const seen = new Set<string>();
  const found: string[] = [];
  let values = 0;
  const take = (text: string, name: string) => {
    if (seen.has(text) || !PROSE.test(name.toLowerCase().replace(/[^a-z]/g, '')) || !saysMuch(text)) return;
    seen.add(text);
    found.push(asHtml(text));
  };
  const walk = (value: unknown, name: string, level: number): void => {
    if (++values > MAX_VALUES || level > MAX_LEVELS) return;
    if (typeof value === 'string') take(value, name);
    for (const [key, one] of membersOf(value, name)) walk(one, key, level + 1);
  };
  walk(data, '', 0);
  return found.join('');
}

function membersOf(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((one) => [name, one] as const);
  return isJsonObject(value) ? Object.entries(value).filter(([key]) => !OTHER.test(key)) : [];
}

/** Joins the texts of all `self.__next_f.push([1,"..."])` calls, which form React's stream. */
function pushedText(script: string): string {
  const parts = script.matchAll(/__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)/gs);
  return [...parts]
    .map(([, text = '""']) => parseLenientJson(text))
    .filter((text) => typeof text === 'string')
    .join('');
}

function streamedProse(rows: string): string {
  let values = 0;
  const write = (value: unknown, level: number): string => {
    if (++values > MAX_VALUES || level > MAX_LEVELS) return '';
    if (typeof value === 'string') return value.startsWith('$') ? '' : escaped(value);
    if (!Array.isArray(value)) return '';
    const [mark, tag, , props] = value;
    if (mark !== '$') return value.map((one) => write(one, level + 1)).join('');
    if (tag === 'script' || tag === 'style' || !isJsonObject(props)) return '';
    const inner = write(props.children, level + 1);
    return SHOWN.has(tag) ? `<${tag}>${inner}</${tag}>` : inner;
  };
  return rows
    .split('\n')
    .map((row) => {
      const json = /^[0-9a-f]{1,8}:(?=\[)/.exec(row);
      return json ? write(parseLenientJson(row.slice(json[0].length)), 0) : '';
    })
    .filter((html) => /<(?:p|li|td|h\d)>/.test(html))
    .join('');
}

const SHOWN: ReadonlySet<unknown> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr th td blockquote pre code em strong dl dt dd figure figcaption'.split(
    ' ',
  ),
);

function asHtml(text: unknown): string {
  if (typeof text !== 'string') return '';
  if (/<(?:p|div|br|li|h\d|span|table)\b/i.test(text)) return `<div>${text}</div>`;
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escaped(paragraph)}</p>`)
    .join('');
}

function saysMuch(text: string): boolean {
  let words = 0;
  for (const _ of text.matchAll(/\S+/g)) if (++words >= LEAST_WORDS) return true;
  return false;
}

function escaped(text: string): string {
  return text.replace(/&(?![a-z#]\w{1,10};)/gi, '&amp;').replace(/</g, '&lt;');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
