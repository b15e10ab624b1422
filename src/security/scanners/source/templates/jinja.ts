import { OUTPUT_FUNCTION, putOnOneLine, RAW_OUTPUT_FUNCTION, replaceTags } from './tags.ts';

/** Matches Jinja filters that turn escaping off, for example `| safe`. */
const UNESCAPES = /\|\s{0,9}(?:safe|raw|safeseq)\b/;
const HARMLESS =
  /\|\s{0,9}(?:e|escape|forceescape|force_escape|tojson|json|json_encode|json_script|dump|striptags|strip_tags|length|count|int|float|round|date|filesizeformat|urlencode|url_encode|urlize|slugify|clean|bleach|sanitize\w{0,20}|purify)\b/;
const LOOP = /^for\s{1,9}([\w\s,]{1,200}?)\s{1,9}in\s{1,9}(.{1,500})$/s;
const SET = /^set\s{1,9}(\w{1,100})\s{0,9}=\s{0,9}(.{1,1000})$/s;

const UTEXT = /\bth:utext\s{0,5}=\s{0,5}"[^"\n]{0,200}?[$*]\{([^}"\n]{1,300})\}/g;

export function codeOfJinja(text: string): string {
  const code = codeOfMarks(text);
  if (!text.includes('th:utext')) return code;
  const lines = code.split('\n');
  for (const [at, line] of text.split('\n').entries())
    for (const [, shown = ''] of line.matchAll(UTEXT))
      lines[at] = `${lines[at] ?? ''} ${RAW_OUTPUT_FUNCTION}(${shown});`;
  return lines.join('\n');
}

function codeOfMarks(text: string): string {
  let off = 0;
  const pairs = [
    ['{{', '}}'],
    ['{%', '%}'],
    ['{#', '#}'],
  ] as const;
  return replaceTags(text, pairs, ({ open, inner, text: mark }) => {
    const code = inner.replace(/^[-+~]|[-+~]$/g, '').trim();
    if (open === '{{') return putOnOneLine(printed(code, off > 0), mark);
    if (open === '{#') return putOnOneLine('', mark);
    if (/^autoescape\s{1,9}(?:false|off)\b/i.test(code)) off++;
    else if (code.startsWith('endautoescape') && off > 0) off--;
    return putOnOneLine(statement(code), mark);
  });
}

function printed(code: string, isRaw: boolean): string {
  if (HARMLESS.test(code)) return '';
  return `${isRaw || UNESCAPES.test(code) ? RAW_OUTPUT_FUNCTION : OUTPUT_FUNCTION}(${expression(code)});`;
}

function statement(code: string): string {
  const [, names = '', all = ''] = LOOP.exec(code) ?? [];
  if (names !== '')
    return `for (const ${names.includes(',') ? `[${names}]` : names} of ${expression(all)}) {`;
  if (code.startsWith('endfor')) return '}';
  const [, name = '', value = ''] = SET.exec(code) ?? [];
  return name === '' ? '' : `var ${name} = ${expression(value)};`;
}

const WORDS: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!', '~': '+', none: 'null' };

function expression(code: string): string {
  const filter = code.search(/\|(?!\|)/);
  return (filter < 0 ? code : code.slice(0, filter)).replace(
    /'[^'\n]{0,500}'|"[^"\n]{0,500}"|\b(?:and|or|not|none)\b|~/gi,
    (word) => WORDS[word.toLowerCase()] ?? word,
  );
}
