import { keepOnlyLineBreaks, replaceTags, type TemplateTag } from './tags.ts';

/** Matches extensions of pages with scripts. Vue components are translated elsewhere. */
const PAGE =
  /\.(?:html?|xhtml|ejs|erb|hbs|handlebars|mustache|njk|nunjucks|swig|jinja2?|j2|twig|jspx?|jspf|aspx|ascx|master|cshtml|php|phtml|tmpl|gohtml)$/i;
const SCRIPT = [['<script', '</script>']] as const;
const WRITTEN = [
  ['<?', '?>'],
  ['<%', '%>'],
  ['{{', '}}'],
  ['{%', '%}'],
  ['{#', '#}'],
] as const;
const PRINTS = /^(?:<%[=:-]|<\?=|\{\{)/;
/** Matches script tags to skip. With `src`, the script is in another file; with another `type`, the tag contains data. */
const OTHER =
  /\s(?:src\s{0,9}=|type\s{0,9}=(?!\s{0,9}["']?(?:text\/(?:java|ecma)script|application\/javascript|module)))/i;
const MAX_PAGE_CHARACTERS = 1_000_000;

export const isHtmlPage = (path: string): boolean => PAGE.test(path);

/** Returns the scripts of a page at their original lines. Each value that a server inserts becomes `0`. */
export function scriptsOf(text: string): string {
  if (text.length > MAX_PAGE_CHARACTERS || !/<script[\s>]/i.test(text)) return '';
  let found = false;
  const write = ({ inner, text: mark }: TemplateTag) => {
    const end = inner.indexOf('>');
    if (end < 0 || OTHER.test(inner.slice(0, end))) return keepOnlyLineBreaks(mark);
    found = true;
    return `${keepOnlyLineBreaks(inner.slice(0, end))};${withoutWritten(inner.slice(end + 1))};`;
  };
  const scripts = replaceTags(text.replace(/<(\/?)script/gi, '<$1script'), SCRIPT, write, {
    longest: MAX_PAGE_CHARACTERS,
  });
  return found ? scripts : '';
}

function withoutWritten(script: string): string {
  const write = ({ text }: TemplateTag) => `${PRINTS.test(text) ? '0' : ''}${keepOnlyLineBreaks(text)}`;
  return replaceTags(script, WRITTEN, write, { between: (text) => text });
}
