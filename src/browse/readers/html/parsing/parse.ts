import { Tokenizer } from 'htmlparser2';
import { HtmlElement, HtmlText } from './node.ts';
import { FORMATTING_TAGS, HEADING_TAGS, PARAGRAPH_ENDING_TAGS, SCOPE_TAGS, VOID_TAGS } from './tags.ts';

/** Maximum nesting. Deeper elements become childless siblings on this level. Browsers allow 512 levels. */
export const MAX_HTML_DEPTH = 200;
export const MAX_ELEMENTS = 400_000;

/** Elements that a start tag closes: `<li>` closes an open `<li>`, but none outside of the nearest `<ul>`. */
const ENDS = ((): ReadonlyMap<string, readonly [ReadonlySet<string>, ReadonlySet<string>]> => {
  const rule = (ends: string, within: string) =>
    [new Set(ends.split(' ')), new Set(within.split(' '))] as const;
  const cell = rule('td th caption', 'table tr');
  const group = rule('thead tbody tfoot caption colgroup tr td th', 'table');
  return new Map(
    Object.entries({
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
    }),
  );
})();

export const parseHtml = (html: string): HtmlElement => parsePage(html).root;

export function parsePage(html: string): { readonly root: HtmlElement; readonly cut: boolean } {
  const xml = /^\s*<\?xml/.test(html.slice(0, 200));
  // In HTML, a CDATA section is a comment that ends at the first `>`, like a processing instruction.
  const source = xml ? html : html.replaceAll('<![CDATA[', '<?[CDATA[');
  const tree = new TreeBuilder(xml);
  let tag = '';
  let attributes: Record<string, string> = {};
  let [name, value] = ['', ''];
  const start = (closed: boolean) => {
    const own = attributes;
    attributes = {};
    tree.start(tag, own, closed);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => {
        tree.text += source.slice(from, to);
      },
      ontextentity: (code) => {
        tree.text += String.fromCodePoint(code);
      },
      onopentagname: (from, to) => {
        const named = source.slice(from, to).toLowerCase();
        tag = NAMES.get(named) ?? named;
      },
      onattribname: (from, to) => {
        name = source.slice(from, to).toLowerCase();
        value = '';
      },
      onattribdata: (from, to) => {
        value += source.slice(from, to);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      onattribend: () => {
        if (!Object.hasOwn(attributes, name)) attributes[name] = value;
      },
      onopentagend: () => start(false),
      onselfclosingtag: () => start(true),
      onclosetag: (from, to) => tree.end(source.slice(from, to).toLowerCase()),
      oncdata: (from, to, offset) => {
        if (xml) tree.text += source.slice(from, to - offset);
      },
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  tree.flush();
  return { root: tree.root, cut: tree.cut };
}

class TreeBuilder {
  readonly root = new HtmlElement('html');
  text = '';
  cut = false;
  readonly #xml: boolean;
  readonly #open: HtmlElement[] = [this.root];
  /** Number of open elements of each tag. If it is 0, an end tag needs no search. */
  readonly #counts = new Map<string, number>();
  #current = this.root;
  #elements = 0;

  constructor(xml: boolean) {
    this.#xml = xml;
  }

  flush(): void {
    if (this.text === '') return;
    const { lastChild: last } = this.#current;
    if (last?.nodeType === 3) last.data += this.text;
    else this.#current.appendChild(new HtmlText(this.text));
    this.text = '';
  }

  start(tag: string, attributes: Record<string, string>, closed: boolean): void {
    if (tag === 'html' || tag === 'head' || tag === 'body') {
      for (const key of Object.keys(attributes)) this.root.attributes[key] ??= attributes[key] ?? '';
      return;
    }
    if (RAW.has(this.#current.tag)) return;
    if (this.#elements >= MAX_ELEMENTS) {
      this.cut = true;
      return;
    }
    this.#elements++;
    this.#endImplied(tag);
    this.flush();
    const depth = this.#open.length;
    if (depth > MAX_HTML_DEPTH && this.#saysNothing(tag)) return;
    const element = new HtmlElement(tag, attributes, depth);
    this.#current.appendChild(element);
    if (VOID_TAGS.has(tag) || (closed && (this.#xml || this.#isForeign())) || depth > MAX_HTML_DEPTH) return;
    this.#open.push(element);
    this.#counts.set(tag, this.#countOf(tag) + 1);
    this.#current = element;
  }

  end(tag: string): void {
    if (RAW.has(this.#current.tag) && tag !== this.#current.tag) return;
    if (tag === 'br') {
      this.flush();
      this.#current.appendChild(new HtmlElement('br', {}, this.#open.length));
      return;
    }
    if (this.#countOf(tag) === 0) return;
    const at = this.#endedBy(tag);
    if (at > 0) this.#popTo(at);
  }

  #saysNothing(tag: string): boolean {
    const { lastChild: last } = this.#current;
    if (last?.nodeType !== 1 || VOID_TAGS.has(tag) || VOID_TAGS.has(last.tag)) return false;
    return PARAGRAPH_ENDING_TAGS.has(last.tag) || !PARAGRAPH_ENDING_TAGS.has(tag);
  }

  #endedBy(tag: string): number {
    const format = FORMATTING_TAGS.has(tag);
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { tag: at } = this.#open[i] as HtmlElement;
      if (at === tag) return i;
      if (SCOPE_TAGS.has(at) && !SCOPE_TAGS.has(tag) && !TABLE_PARTS.has(tag)) return -1;
      // An end tag such as `</b>` closes nothing outside of its block. `</a>` does: an `<a>` may contain blocks.
      if (format && tag !== 'a' && PARAGRAPH_ENDING_TAGS.has(at)) return -1;
    }
    return -1;
  }

  #endImplied(tag: string): void {
    const rule = ENDS.get(tag);
    if (rule) {
      for (let at = this.#nearest(...rule); at > 0; at = this.#nearest(...rule)) {
        if (tag === 'a' && this.#hasBlockAbove(at)) {
          delete this.#open[at]?.attributes.href;
          break;
        }
        this.#popTo(at);
      }
    }
    if (PARAGRAPH_ENDING_TAGS.has(tag) && this.#countOf('p') > 0) {
      const at = this.#nearest(P, P_WITHIN);
      if (at > 0) this.#popTo(at);
    }
    if (HEADING_TAGS.has(tag) && HEADING_TAGS.has(this.#current.tag)) this.#popTo(this.#open.length - 1);
  }

  /** True if a block is open in the link at `at`. A new link then only removes the `href` of that link. */
  #hasBlockAbove(at: number): boolean {
    return this.#open.some(({ tag }, i) => i > at && PARAGRAPH_ENDING_TAGS.has(tag));
  }

  #popTo(length: number): void {
    this.flush();
    while (this.#open.length > length) {
      const { tag } = this.#open.pop() as HtmlElement;
      this.#counts.set(tag, (this.#counts.get(tag) ?? 1) - 1);
    }
    this.#current = this.#open.at(-1) ?? this.root;
  }

  /** Returns the index of the innermost open element in `tags`, or -1 if an element in `within` is nearer. */
  #nearest(tags: ReadonlySet<string>, within: ReadonlySet<string>): number {
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { tag } = this.#open[i] as HtmlElement;
      if (tags.has(tag)) return i;
      if (within.has(tag)) return -1;
    }
    return -1;
  }

  #countOf(tag: string): number {
    return this.#counts.get(tag) ?? 0;
  }

  #isForeign(): boolean {
    return this.#countOf('svg') > 0 || this.#countOf('math') > 0;
  }
}

const RAW: ReadonlySet<string> = new Set(['script', 'style']);
const P: ReadonlySet<string> = new Set(['p']);
const P_WITHIN: ReadonlySet<string> = new Set([...SCOPE_TAGS, 'button']);

const NAMES: ReadonlyMap<string, string> = new Map([
  ['image', 'img'],
  ['amp-img', 'img'],
  ['amp-anim', 'img'],
]);

const TABLE_PARTS: ReadonlySet<string> = new Set(['tr', 'tbody', 'thead', 'tfoot']);
