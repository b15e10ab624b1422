import { Tokenizer } from 'htmlparser2';
import { HtmlElement, HtmlText } from './node.ts';
import { ENDS_P, FORMATTING, HEADING, SCOPE, VOID } from './tags.ts';

/** Levels of elements kept; what nests deeper stands side by side on the last one. Browsers stop at 512. */
const DEPTH = 200;
/** Elements kept; what comes after them is left out. */
const ELEMENTS = 400_000;

/** Per start tag: the open elements that it ends, looked for up to the nearest of the second set. */
const ENDS: Readonly<Record<string, readonly [ReadonlySet<string>, ReadonlySet<string>]>> = (() => {
  const rule = (ends: string, within: string) =>
    [new Set(ends.split(' ')), new Set(within.split(' '))] as const;
  const cell = rule('td th caption', 'table tr');
  const group = rule('thead tbody tfoot caption colgroup tr td th', 'table');
  return {
    li: rule('li', 'ul ol menu dir table td th'),
    dt: rule('dt dd', 'dl table td th'),
    dd: rule('dt dd', 'dl table td th'),
    td: cell,
    th: cell,
    tr: rule('tr td th caption colgroup', 'table tbody thead tfoot'),
    thead: group,
    tbody: group,
    tfoot: group,
    option: rule('option', 'select datalist'),
    optgroup: rule('option optgroup', 'select'),
    a: rule('a', 'table td th'),
  };
})();

/**
 * HTML as a tree, in one pass, whatever the markup: end tags may be missing, crossed or too many. <html>,
 * <head> and <body> are not in the tree (they may be left out, and mean nothing for reading): the root
 * stands for all three and carries their attributes.
 */
export function parseHtml(html: string): HtmlElement {
  const root = new HtmlElement('html');
  const xml = /^\s*<\?xml/.test(html.slice(0, 200));
  const open: HtmlElement[] = [root];
  /** How many of each tag are open, so that a stray end tag costs no search. */
  const counts = new Map<string, number>();
  let current = root;
  let text = '';
  let tag = '';
  let attributes: Record<string, string> = {};
  let name = '';
  let value = '';
  let elements = 0;

  function flush(): void {
    if (text === '') return;
    const { lastChild: last } = current;
    if (last?.nodeType === 3) last.data += text;
    else current.appendChild(new HtmlText(text));
    text = '';
  }

  function popTo(length: number): void {
    flush();
    while (open.length > length) {
      const { tag: popped } = open.pop() as HtmlElement;
      counts.set(popped, (counts.get(popped) ?? 1) - 1);
    }
    current = open.at(-1) ?? root;
  }

  /** Where the nearest open element of one of the tags stands, not looking past one of `within`. */
  function nearest(tags: ReadonlySet<string>, within: ReadonlySet<string>): number {
    for (let i = open.length - 1; i > 0; i--) {
      const { tag: at } = open[i] as HtmlElement;
      if (tags.has(at)) return i;
      if (within.has(at)) return -1;
    }
    return -1;
  }

  const P: ReadonlySet<string> = new Set(['p']);
  const P_WITHIN: ReadonlySet<string> = new Set([...SCOPE, 'button']);

  function imply(): void {
    const rule = ENDS[tag];
    if (rule) {
      // As long as there is one: a <tr> ends the cell and the row around it.
      for (let at = nearest(...rule); at > 0; at = nearest(...rule)) popTo(at);
    }
    if ((counts.get('p') ?? 0) > 0 && ENDS_P.has(tag)) {
      const at = nearest(P, P_WITHIN);
      if (at > 0) popTo(at);
    }
    if (HEADING.has(tag) && HEADING.has(current.tag)) popTo(open.length - 1);
  }

  function start(closed: boolean): void {
    const own = attributes;
    attributes = {};
    if (tag === 'html' || tag === 'head' || tag === 'body') {
      for (const key of Object.keys(own)) root.attributes[key] ??= own[key] ?? '';
      return;
    }
    if (elements >= ELEMENTS) return;
    elements++;
    imply();
    flush();
    const element = new HtmlElement(tag, own, open.length);
    current.appendChild(element);
    const foreign = (counts.get('svg') ?? 0) > 0 || (counts.get('math') ?? 0) > 0;
    if (VOID.has(tag) || (closed && (xml || foreign)) || open.length > DEPTH) return;
    open.push(element);
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
    current = element;
  }

  function end(closed: string): void {
    if (closed === 'br') {
      flush();
      current.appendChild(new HtmlElement('br', {}, open.length));
      return;
    }
    if (!counts.get(closed)) return;
    const format = FORMATTING.has(closed);
    for (let i = open.length - 1; i > 0; i--) {
      const { tag: at } = open[i] as HtmlElement;
      if (at === closed) {
        popTo(i);
        return;
      }
      if (SCOPE.has(at) && !SCOPE.has(closed) && !TABLE_PARTS.has(closed)) return;
      // A crossed end of <b> ends with its block; <a> around blocks is allowed, and its end counts.
      if (format && closed !== 'a' && ENDS_P.has(at)) return;
    }
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => {
        text += html.slice(from, to);
      },
      ontextentity: (code) => {
        text += String.fromCodePoint(code);
      },
      onopentagname: (from, to) => {
        const named = html.slice(from, to).toLowerCase();
        tag = NAMES[named] ?? named;
      },
      onattribname: (from, to) => {
        name = html.slice(from, to).toLowerCase();
        value = '';
      },
      onattribdata: (from, to) => {
        value += html.slice(from, to);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      onattribend: () => {
        if (!Object.hasOwn(attributes, name)) attributes[name] = value;
      },
      onopentagend: () => start(false),
      onselfclosingtag: () => start(true),
      onclosetag: (from, to) => end(html.slice(from, to).toLowerCase()),
      oncdata: (from, to, offset) => {
        if (xml) text += html.slice(from, to - offset);
      },
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  flush();
  return root;
}

/** Tags that stand for another one. */
const NAMES: Readonly<Record<string, string>> = { image: 'img', 'amp-img': 'img', 'amp-anim': 'img' };

const TABLE_PARTS: ReadonlySet<string> = new Set(['tr', 'tbody', 'thead', 'tfoot']);
