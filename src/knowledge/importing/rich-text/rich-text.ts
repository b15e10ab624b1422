import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import { asObject, asTrimmedText, type ImportFields, toListOrEmpty } from '../import-values.ts';
import { readHtmlFragment } from '../note-html.ts';
import { readBlocks, readBlocksById } from './blocks.ts';
import { readDelta } from './delta.ts';
import NAMES from './elements.json' with { type: 'json' };

const ELEMENTS: Readonly<Record<string, string>> = NAMES.elements;
const MARKS: Readonly<Record<string, string>> = NAMES.marks;
const DETAILS = new Set(NAMES.details);
const UNREAD = new Set([...NAMES.details, ...NAMES.containers]);
const MAX_DEPTH = 30;
const MAX_CHARS = 2_000_000;
/** Matches the start of a document in JSON. */
const START = /^\s{0,99}(?:\{\s{0,99}"|\[\s{0,99}\{)/;

/**
 * Converts the JSON document of an editor to Markdown: of Lexical, ProseMirror, TipTap, BlockNote, Slate, Quill,
 * Editor.js, Anytype or Day One. Returns undefined for any other value.
 */
export function readRichText(value: unknown): string | undefined {
  const isJson = typeof value === 'string' && value.length < MAX_CHARS && START.test(value);
  const given = isJson ? parseJsonOrNothing(value) : value;
  const nodes = documentOf(given);
  return nodes && (readHtmlFragment(htmlOf(nodes, '')) || (Array.isArray(given) ? undefined : ''));
}

function documentOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value))
    return isListOf(value, ['type']) && value.every(isNode) && value.some(isKnown) ? value : undefined;
  const { root, document, ops, delta = ops, blocks, contents, type } = asObject(value);
  if (isListOf(delta, ['insert'])) return readDelta(toListOrEmpty(delta));
  if (isListOf(blocks, ['type', 'data'])) return readBlocks(toListOrEmpty(blocks));
  if (isListOf(contents, ['text'])) return readDelta(toListOrEmpty(contents));
  const parts = asObject(asObject(asObject(value).snapshot).data).blocks;
  if (isListOf(parts, ['id'])) return readBlocksById(toListOrEmpty(parts));
  const inner = root ?? document;
  if (isNode(inner)) return [inner];
  return /^(?:doc|document|page)$/.test(String(type)) && isNode(value) ? [value] : undefined;
}

function isListOf(value: unknown, names: readonly string[]): boolean {
  const list = toListOrEmpty(value);
  return list.length > 0 && list.every((one) => names.every((name) => asObject(one)[name] !== undefined));
}

function isNode(value: unknown): boolean {
  const { children, content, nodes } = asObject(value);
  return [children, content, nodes].some(Array.isArray);
}

const isKnown = (value: unknown): boolean => elementOf(asObject(value)) !== '';

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function htmlOf(value: unknown, parent: string, depth = 0): string {
  if (depth > MAX_DEPTH) return escapeHtml(wordsOf(value, DETAILS));
  if (Array.isArray(value)) return value.map((one) => htmlOf(one, parent, depth)).join('');
  if (typeof value === 'string') return escapeHtml(value);
  const node = asObject(value);
  if (typeof node.html === 'string') return node.html;
  if (typeof node.text === 'string') return textHtml(node.text, node);
  const given = { ...node, ...asObject(node.attrs), ...asObject(node.props), ...asObject(node.data) };
  const element = elementOf(given);
  return elementHtml(element, given, htmlOf(contentOf(node, given), element, depth + 1), parent);
}

/** Returns what is in a node. A block of BlockNote has words in `content`, and blocks below it in `children`. */
function contentOf({ content, children, nodes }: ImportFields, { delta }: ImportFields): readonly unknown[] {
  const rows = toListOrEmpty(asObject(content).rows).map((row) => ({
    type: 'tr',
    children: toListOrEmpty(asObject(row).cells).map((cell) => ({ type: 'td', children: [cell].flat() })),
  }));
  const lists = [readDelta(toListOrEmpty(delta)), rows, content, children, nodes];
  return lists.flatMap(toListOrEmpty);
}

function elementOf(node: ImportFields): string {
  const type = String(node.type)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
  const element = Object.hasOwn(ELEMENTS, type) ? (ELEMENTS[type] ?? '') : '';
  const { level = String(node.tag).slice(1), tag, listType, style } = node;
  if (element === 'heading') return `h${Math.min(Number(level) || 1, 6)}`;
  if (element !== 'list') return element;
  return tag === 'ol' || listType === 'number' || style === 'ordered' ? 'ol' : 'ul';
}

function elementHtml(element: string, given: ImportFields, inner: string, parent: string): string {
  const address = NAMES.address.map((name) => asTrimmedText(given[name])).find((one) => one !== undefined);
  const href = escapeHtml(address ?? '');
  const { checked, language = '', alt, caption, title, name } = given;
  const unknown = parent === '' || parent === 'div' ? 'p' : 'span';
  if (element === '') return `<${unknown}>${inner} ${escapeHtml(wordsOf(given))}</${unknown}>`;
  if (element === 'br' || element === 'hr') return `<${element}>${inner}`;
  if (element === 'a') return `<a href="${href}">${inner}</a>`;
  if (element === 'img')
    return `<img src="${href}" alt="${escapeHtml(wordsOf([alt ?? title ?? name, caption]))}">${inner}`;
  if (element === 'pre')
    return `<pre><code class="language-${escapeHtml(String(language ?? ''))}">${inner}</code></pre>`;
  const below = caption === undefined ? '' : `<p>${escapeHtml(wordsOf([caption]))}</p>`;
  if (element !== 'li' && element !== 'oli') return `<${element}>${inner}${below}</${element}>`;
  // Lexical puts a nested list into an item of its own.
  if (/^<[uo]l>/.test(inner)) return inner;
  const item = `<li${typeof checked === 'boolean' ? ` style="--en-checked:${checked}"` : ''}>${inner}</li>`;
  const list = element === 'oli' ? 'ol' : 'ul';
  return /^[uo]l$/.test(parent) ? item : `<${list}>${item}</${list}>`;
}

function textHtml(text: string, node: ImportFields): string {
  const marks = toListOrEmpty(node.marks).map((mark) =>
    typeof mark === 'string' ? { type: mark } : asObject(mark),
  );
  const bits = Number(node.format) || 0;
  const names = [
    ...marks.map(({ type }) => String(type)),
    ...Object.entries({ ...node, ...asObject(node.styles) }).flatMap(([name, is]) =>
      is === true ? [name] : [],
    ),
    ...NAMES.marksByBit.filter((_, bit) => (bits >> bit) % 2 === 1),
  ];
  const link = marks.map(({ type, attrs }) =>
    type === 'link' ? asTrimmedText(asObject(attrs).href) : undefined,
  );
  const elements = new Set(names.flatMap((name) => MARKS[name.toLowerCase()] ?? []));
  let html = escapeHtml(text).replaceAll('\n', '<br>');
  for (const element of elements) html = `<${element}>${html}</${element}>`;
  const [href] = link.filter((one) => one !== undefined);
  return href === undefined ? html : `<a href="${escapeHtml(href)}">${html}</a>`;
}

/** Returns the words of a node of an unknown type, such as the name in a mention. */
function wordsOf(value: unknown, unread: ReadonlySet<string> = UNREAD): string {
  const words: string[] = [];
  const stack = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const text = asTrimmedText(next);
    if (text !== undefined && !text.startsWith('data:')) words.push(text);
    const isRead = (name: string) => Array.isArray(next) || !unread.has(name);
    const inner = typeof next === 'object' && next !== null ? Object.entries(next).reverse() : [];
    for (const [name, one] of inner) if (isRead(name) && one !== undefined) stack.push(one);
  }
  return words.join(' ');
}
