import { descendants, drop, type HtmlElement } from './node.ts';
import { BLOCK } from './tags.ts';

const NUMBERS =
  /(?:^|\s)(?:gutter|line-?numbers?(?:-rows)?|linenos?|lineno|blob-num|rouge-gutter|hljs-ln-numbers?|ln-num|lntd?|lnos?)(?=\s|$)/i;
/** How highlighters write the language into a class; some as a class of its own behind theirs. */
const LANGUAGE = /^(?:language|lang|highlight-source|highlight|sourcecode|brush|code)[-:](.+)$/i;
const AHEAD = /^(?:sourcecode|brush:|prettyprint|src)$/i;
/** What stands where a language would, and is none. */
const NO_LANGUAGE =
  /^(?:none|plain|plaintext|text|txt|auto|default|block|wrapper|container|toolbar|highlight|snippet|example|box|numbers?|line)$/i;

/** A code block in a fence longer than any inside, with the language that its highlighter names. */
export function writeCode(pre: HtmlElement): string {
  const text = codeText(pre).replace(/^\n+/, '').trimEnd();
  const longest = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 2;
  const fence = '`'.repeat(longest + 1);
  return `${fence}${languageOf(pre)}\n${text}\n${fence}`;
}

/** Takes the line numbers out of the code blocks of a page: some stand in a column of a table of their own. */
export function dropLineNumbers(root: HtmlElement): void {
  const numbers: HtmlElement[] = [];
  for (const node of descendants(root)) {
    if (node.nodeType === 1 && NUMBERS.test(node.attributes.class ?? '')) numbers.push(node);
  }
  for (const element of numbers) {
    if (/^[\d\s]*$/.test(element.textContent)) drop(element);
  }
}

function codeText(element: HtmlElement): string {
  let text = '';
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) text += node.data;
    else if (node.tag === 'br') text += '\n';
    else {
      const block = BLOCK.has(node.tag);
      if (block && text !== '' && !text.endsWith('\n')) text += '\n';
      text += codeText(node);
      if (block && !text.endsWith('\n')) text += '\n';
    }
  }
  return text;
}

function languageOf(pre: HtmlElement): string {
  const inner = pre.getElementsByTagName('code')[0];
  const outer = pre.parentNode;
  const around = [inner, pre, outer, outer?.parentNode, outer?.parentNode?.parentNode?.parentNode];
  for (const element of around) {
    if (!element) continue;
    const { 'data-lang': lang, 'data-language': language, class: names = '' } = element.attributes;
    const classes = names.split(/\s+/);
    const named = classes.map((name, i) =>
      AHEAD.test(classes[i - 1] ?? '') ? name : (LANGUAGE.exec(name)?.[1] ?? ''),
    );
    for (const name of [lang ?? '', language ?? '', ...named]) {
      if (/^[\w+#.-]{1,30}$/.test(name) && !NO_LANGUAGE.test(name)) return name.toLowerCase();
    }
  }
  return '';
}
