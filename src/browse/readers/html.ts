import type TurndownService from 'turndown';
import { dropHidden } from './hidden.ts';
import { dump, nestsTooDeep } from './html-dump.ts';
import { addTables } from './tables.ts';

/** Below this share of the page's text, what the extraction found is taken to be a mistake. */
const LEAST_SHARE = 0.25;
/** And below this many characters too: a short page may well be mostly navigation. */
const LEAST_CHARACTERS = 200;

interface Libraries {
  readonly parseHTML: typeof import('linkedom').parseHTML;
  readonly Readability: typeof import('@mozilla/readability').Readability;
  readonly turndown: TurndownService;
}

let libraries: Promise<Libraries> | undefined;

/** The main content of a page as Markdown, without what a reader would not see. */
export async function readHtml(html: string, url: string): Promise<{ title: string; markdown: string }> {
  // Deeper than any page that a person wrote: the libraries below would run out of stack.
  if (nestsTooDeep(html)) return dump(html);
  const { parseHTML, Readability, turndown } = await loadLibraries();
  const { document } = parseHTML(wholeDocument(withoutStrayBrackets(html)));
  addMissingBody(document);
  dropHidden(document);
  absoluteLinks(document, baseOf(document, url));
  const title = titleOf(document);
  const body = document.body ?? document.documentElement;
  const all = textLength(body);
  const whole = body.cloneNode(true) as Element;
  const article = new Readability(document as never, { charThreshold: 200, keepClasses: true }).parse();
  const content = article?.content
    ? parseHTML(`<html><body>${article.content}</body></html>`).document.body
    : undefined;
  const found = content ? textLength(content) : 0;
  const trusted = content && (found >= all * LEAST_SHARE || found >= 4 * LEAST_CHARACTERS);
  const markdown = tidy(turndown.turndown((trusted ? content : withoutChrome(whole)) as never));
  return { title: title || article?.title?.trim() || '', markdown };
}

function loadLibraries(): Promise<Libraries> {
  libraries ??= (async () => {
    const [{ parseHTML }, readability, { default: Turndown }] = await Promise.all([
      import('linkedom'),
      import('@mozilla/readability'),
      import('turndown'),
    ]);
    const turndown = new Turndown({
      headingStyle: 'atx',
      hr: '---',
      bulletListMarker: '-',
      codeBlockStyle: 'fenced',
      emDelimiter: '*',
    });
    addTables(turndown);
    turndown.remove([
      'script',
      'style',
      'noscript',
      'template',
      'iframe',
      'object',
      'embed',
      'button',
      'input',
      'select',
      'textarea',
    ] as never);
    turndown.addRule('code', {
      filter: (node) => node.nodeName === 'PRE',
      replacement: (_content, node) => {
        const text = (node.textContent ?? '').replace(/\n+$/, '');
        const language = languageOf(node as never);
        const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
        return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
      },
    });
    return { parseHTML, Readability: readability.Readability, turndown };
  })();
  return libraries;
}

/** The language of a code block, from the class names that highlighters use. */
function languageOf(pre: Element): string {
  const classes = [pre, pre.querySelector?.('code'), pre.parentElement]
    .map((element) => element?.getAttribute?.('class') ?? '')
    .join(' ');
  return /\b(?:language|lang|highlight-source|highlight)-([\w+#-]+)/.exec(classes)?.[1]?.toLowerCase() ?? '';
}

/** A `<` that begins no tag costs the parser a tree of its own. */
function withoutStrayBrackets(html: string): string {
  return html.replace(/<(?![a-z/!?])/gi, '&lt;');
}

/** linkedom puts what stands outside of <html> nowhere, so a fragment gets its frame first. */
function wholeDocument(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
}

/** HTML lets a page leave <head> and <body> out; linkedom does not put them in. */
function addMissingBody(document: Document): void {
  const root = document.documentElement;
  if (root.querySelector('body, frameset')) return;
  const children = [...root.childNodes];
  const { head } = document;
  const body = document.createElement('body');
  for (const child of children) {
    if (child === head) continue;
    const inHead = /^(TITLE|META|LINK|BASE|STYLE)$/.test(child.nodeName);
    (inHead ? head : body).appendChild(child);
  }
  root.appendChild(body);
}

function baseOf(document: Document, url: string): string {
  const base = document.querySelector('base[href]')?.getAttribute('href');
  return base && URL.canParse(base, url) ? new URL(base, url).href : url;
}

/** Links and pictures with their full address; those that lead nowhere readable lose it. */
function absoluteLinks(document: Document, base: string): void {
  for (const [selector, name, schemes] of [
    ['a[href]', 'href', /^(https?|mailto):/],
    ['img[src]', 'src', /^https?:/],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const value = element.getAttribute(name)?.trim() ?? '';
      const url = URL.canParse(value, base) ? new URL(value, base) : undefined;
      if (url && schemes.test(url.protocol)) element.setAttribute(name, url.href);
      else if (name === 'href') element.removeAttribute(name);
      else element.remove();
    }
  }
}

function titleOf(document: Document): string {
  const named = document.querySelector('meta[property="og:title"]')?.getAttribute('content');
  const own = document.querySelector('title')?.textContent;
  const heading =
    document.querySelectorAll('h1').length === 1 ? document.querySelector('h1')?.textContent : undefined;
  return (named || own || heading || '').replace(/\s+/g, ' ').trim();
}

/** The page without what frames it, for pages that have no article: lists, indexes, forms. */
function withoutChrome(body: Element): Element {
  const main = body.querySelector('main, [role="main"]');
  const kept = main && textLength(main) > LEAST_CHARACTERS ? main : body;
  for (const element of kept.querySelectorAll('nav, footer, aside, [role="navigation"], [role="banner"]')) {
    element.remove();
  }
  return kept;
}

function textLength(element: Element): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').length;
}

function tidy(markdown: string): string {
  return markdown
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\s*\[\s*\]\([^)]*\)\s*$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
