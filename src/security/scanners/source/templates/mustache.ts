import { putOnOneLine, RAW_OUTPUT_FUNCTION, replaceTags } from './tags.ts';

/** Matches tags that insert a page into a layout. They are skipped, because the page itself is also scanned. */
const FRAMED = /^(?:body|content|contents|yield|outlet|>)(?=$|\s)/;
const LIST = /^#(?:each\s{1,9}|with\s{1,9})?([\w./@-]{1,200})/;
const MAX_DEPTH = 20;

export function codeOfMustache(text: string): string {
  let depth = 0;
  const pairs = [
    ['{{{', '}}}'],
    ['{{', '}}'],
  ] as const;
  const code = replaceTags(text, pairs, ({ open, inner, text: mark }) => {
    const said = inner.replace(/^~|~$/g, '').trim();
    const shown = open === '{{{' ? said : said.startsWith('&') ? said.slice(1).trim() : undefined;
    if (shown !== undefined)
      return putOnOneLine(
        FRAMED.test(shown) ? '' : `${RAW_OUTPUT_FUNCTION}(${printed(shown, depth)});`,
        mark,
      );
    const list = LIST.exec(said)?.[1];
    if (list !== undefined && !/^(?:if|unless)$/.test(list) && depth < MAX_DEPTH) {
      depth++;
      return putOnOneLine(`for (const $${depth} of ${pathOf(list, depth - 1)}) {`, mark);
    }
    if (!/^\/(?!if\b|unless\b)/.test(said) || depth === 0) return putOnOneLine('', mark);
    depth--;
    return putOnOneLine('}', mark);
  });
  return code + ' }'.repeat(depth);
}

function printed(shown: string, depth: number): string {
  const [first = '', ...args] = shown.split(/\s+/);
  if (args.length === 0) return pathOf(first, depth);
  const given = args.map((one) => (/^[\w./@]+$/.test(one) ? pathOf(one, depth) : "''"));
  return `${pathOf(first, 0)}(${given.join(', ')})`;
}

/** Translates a path. In a loop, `name` may belong to the element or be a variable: `$1.name || name`. */
function pathOf(path: string, depth: number): string {
  const names = path.split(/[./@]/).filter((one) => one !== '' && one !== 'this');
  const outer = names.join('.') || "''";
  if (depth === 0 || path.startsWith('../')) return outer;
  const own = [`$${depth}`, ...names].join('.');
  return names.length > 0 ? `${own} || ${outer}` : own;
}
