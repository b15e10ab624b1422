import { nameFromUrl, toUrl } from '../fetching/page-url.ts';
import type { PageContent, PageKind } from '../reading/page.ts';
import { readAsciiDoc } from './asciidoc/asciidoc.ts';
import { detectCodeLanguage } from './code.ts';
import { writeCodeFence } from './markdown.ts';

/** JSON that is nested deeper is not indented, because indentation would multiply the size. */
const JSON_DEPTH = 100;

export function readText(text: string, url: string, kind: PageKind, type: string): PageContent {
  const title = nameFromUrl(url);
  switch (kind) {
    case 'markdown':
      return { title: /^#[ \t]+(\S.*)$/m.exec(text)?.[1]?.trim() ?? title, markdown: text };
    case 'json':
      return { title, markdown: writeCodeFence(pretty(text), 'json') };
    case 'xml':
      return { title, markdown: writeCodeFence(text, 'xml') };
    case 'code':
      return { title, markdown: writeCodeFence(text, detectCodeLanguage(type, toUrl(url).pathname) ?? '') };
    default: {
      if (!/[./]a(?:scii)?doc$/i.test(type || toUrl(url).pathname) && !/\.a(?:scii)?doc$/i.test(title))
        return { title, markdown: text };
      const { title: own, markdown } = readAsciiDoc(text);
      return { title: own || title, markdown };
    }
  }
}

function pretty(text: string): string {
  if (depthOf(text) > JSON_DEPTH) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
