import { keepOnlyLineBreaks, putOnOneLine, replaceTags } from './tags.ts';

const PAIRS = [
  ['<%--', '--%>'],
  ['<%', '%>'],
  ['${', '}'],
] as const;
const IMPORTS = /\bimport\s{0,9}=\s{0,9}"([^"]{1,1000})"/g;
const EL_PARAMETER = /^\s{0,9}param(?:\.(\w{1,100})|\[['"]([\w-]{1,100})['"]\])\s{0,9}$/;

/** Translates JSP: `<% code %>`, `<%= output %>`, and `${param.name}`, which prints a request parameter. */
export function codeOfJsp(text: string): string {
  const imports = [...text.matchAll(IMPORTS)].flatMap(([, all = '']) => all.split(','));
  const head = imports.map((one) => `import ${one.trim()};`).join(' ');
  const code = replaceTags(text, PAIRS, ({ open, inner, text: mark }) => {
    if (open === '${') return putOnOneLine(printedParameter(inner), mark);
    if (open === '<%--' || /^[@!]/.test(inner)) return keepOnlyLineBreaks(mark);
    // A line comment at the end of a tag is removed, because the next tag's code follows on the same line.
    return inner.startsWith('=')
      ? `response.getWriter().print(${inner.slice(1)});`
      : inner.replace(/\/\/[^\n"']{0,200}$/, '');
  });
  return `${head} class Page { void show(HttpServletRequest request, HttpServletResponse response) { ${code} } }`;
}

/** Translates `${param.name}`, which prints a request parameter without escaping. Returns '' for other expressions. */
function printedParameter(inner: string): string {
  const [, name, quoted] = EL_PARAMETER.exec(inner) ?? [];
  const asked = name ?? quoted;
  return asked === undefined ? '' : `response.getWriter().print(request.getParameter("${asked}"));`;
}

/** Translates ASP.NET Web Forms: `<% code %>` and `<%= output %>`. Ignores `<%: output %>`, which is escaped. */
export function codeOfAspx(text: string): string {
  if (/<%@[^%]{0,500}\blanguage\s{0,9}=\s{0,9}["']VB/i.test(text)) return keepOnlyLineBreaks(text);
  return replaceTags(text, PAIRS.slice(0, 2), ({ open, inner, text: mark }) => {
    if (open === '<%--' || /^[@:#$]/.test(inner)) return keepOnlyLineBreaks(mark);
    return inner.startsWith('=') ? `Response.Write(${inner.slice(1)});` : inner;
  });
}

/** Translates the unescaped output of a Razor view: `@Html.Raw(text)`. Razor escapes all other output. */
export const codeOfRazor = (text: string): string => text.split('\n').map(rawIn).join('\n');

const RAW_CALL = /\bHtml\.Raw\(/g;
const MAX_RAW_CHARACTERS = 1000;

function rawIn(line: string): string {
  const out: string[] = [];
  for (const { index, 0: opening } of line.matchAll(RAW_CALL)) {
    const from = index + opening.length;
    const end = closing(line, from);
    if (end !== undefined) out.push(`Html.Raw(${line.slice(from, end)});`);
  }
  return out.join(' ');
}

function closing(line: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < Math.min(line.length, from + MAX_RAW_CHARACTERS); at++) {
    if (line[at] === '(') depth++;
    else if (line[at] === ')' && --depth === 0) return at;
  }
  return undefined;
}
