import { keepOnlyLineBreaks, putOnOneLine, RAW_OUTPUT_FUNCTION, replaceTags } from './tags.ts';

const SCRIPT = [['<script', '</script>']] as const;
const V_HTML = /\bv-html\s{0,5}=\s{0,5}(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/g;

export function codeOfVue(text: string): string {
  const scripts = replaceTags(text, SCRIPT, ({ inner }) => inner.slice(inner.indexOf('>') + 1));
  const lines = scripts.split('\n');
  for (const [at, line] of text.split('\n').entries()) {
    for (const [, double, single] of line.matchAll(V_HTML))
      lines[at] = `${lines[at] ?? ''} ${RAW_OUTPUT_FUNCTION}(${double ?? single ?? ''});`;
  }
  return lines.join('\n');
}

const MAPPER = /<(?:mapper|sqlMap)\s/;

/** Translates `${name}` in MyBatis, which is inserted into SQL unescaped. Ignores the safe `#{name}`. */
export function codeOfMyBatis(text: string): string {
  if (!MAPPER.test(text)) return keepOnlyLineBreaks(text);
  const pairs = [
    ['<!--', '-->'],
    ['${', '}'],
  ] as const;
  return replaceTags(text, pairs, ({ open, inner, text: mark }) => {
    const name = /^\s{0,9}(?!_?ew\.)([A-Za-z]\w{0,80})(?:\.\w{1,80}){0,5}\s{0,9}$/.exec(inner)?.[1];
    return open === '${' && name !== undefined
      ? putOnOneLine(`$sql(${name});`, mark)
      : keepOnlyLineBreaks(mark);
  });
}
