import { codeOfJinja } from './jinja.ts';
import type { TemplateKind } from './kinds.ts';
import { codeOfMyBatis, codeOfVue } from './marked.ts';
import { codeOfMustache } from './mustache.ts';
import { codeOfAspx, codeOfJsp, codeOfRazor } from './pages.ts';
import { linesOnly, onOneLine, RAW, RUBY_PRINT, withMarks } from './print.ts';

/**
 * The code in a template, line by line where it stands in the template: what it prints without escaping is given to
 * `$raw`, and the text around it is left out.
 */
export function codeOf(kind: TemplateKind, text: string): string {
  switch (kind) {
    case 'ejs':
      return codeOfTags(text, (sign, code) => (sign === '-' ? `${RAW}(${code});` : ended(code)));
    case 'erb':
      // A `-` only trims the line before.
      return codeOfTags(text, (sign, code) => {
        if (sign === '==') return `raw((${code}));`;
        return sign === '=' && !OPENS_BLOCK.test(code) ? `${RUBY_PRINT}((${code}));` : `${code};`;
      });
    case 'jinja':
      return codeOfJinja(text);
    case 'mustache':
      return codeOfMustache(text);
    case 'jsp':
      return codeOfJsp(text);
    case 'aspx':
      return codeOfAspx(text);
    case 'razor':
      return codeOfRazor(text);
    case 'vue':
      return codeOfVue(text);
    case 'mybatis':
      return codeOfMyBatis(text);
    case 'pug':
      return text.split('\n').map(codeOfPug).join('\n');
    case 'blade':
      return `<?php ${text.split('\n').map(codeOfBlade).join('\n')}`;
  }
}

/** `form_for(x) do |f|`: its end stands in another mark. */
const OPENS_BLOCK =
  /\b(?:do|then)\b(?:\s{0,9}\|[^|]{0,200}\|)?\s{0,9}$|\{\s{0,9}(?:\|[^|]{0,200}\|)?\s{0,9}$/;

/** `<% code %>`, `<%= shown %>`, `<%- raw %>`; a comment is left out. */
function codeOfTags(text: string, write: (sign: string, code: string) => string): string {
  return withMarks(text, [['<%', '%>']], ({ inner }) => {
    const [sign = ''] = /^(?:==|[-=_%#])?/.exec(inner) ?? [];
    if (sign === '#' || sign === '%') return linesOnly(inner);
    return ` ${write(sign, inner.slice(sign.length).replace(/[-_]$/, ''))}`;
  });
}

/** A statement, if it is whole. */
function ended(code: string): string {
  return '{};(,'.includes(code.trimEnd().at(-1) ?? ';') ? code : `${code};`;
}

const MAX_LINE_CHARACTERS = 5000;
const PUG_EACH = /^(?:each|for)\s{1,9}(\w{1,80})(?:\s{0,9},\s{0,9}\w{1,80})?\s{1,9}in\s{1,9}(.{1,300})$/;
const PUG_RAW = /^(?:[\w#.-]{1,200}(?:\([^()]{0,500}\))?)?!=\s{0,9}(.{1,1000})$/;

/** `!= raw`, `p!= raw`, `!{raw}`, `- code` and `each one in all`. */
function codeOfPug(line: string): string {
  const text = line.trim();
  if (text.length > MAX_LINE_CHARACTERS) return '';
  if (text.startsWith('-')) return text.slice(1);
  const [, one, all] = PUG_EACH.exec(text) ?? [];
  if (one !== undefined) return `const ${one} = (${all})[0];`;
  const raw = PUG_RAW.exec(text)?.[1];
  const within = withMarks(text, [['!{', '}']], ({ inner }) => `${RAW}(${inner});`);
  return raw === undefined ? within : `${RAW}(${raw}); ${within}`;
}

const BLADE_LOOP = /^@(foreach|for|while)\s{0,9}(\(.{1,500}\))$/;

/** `{!! raw !!}` and `@foreach ($all as $one)`. */
function codeOfBlade(line: string): string {
  const text = line.trim();
  const [, loop, head] = BLADE_LOOP.exec(text) ?? [];
  if (loop !== undefined) return ` ${loop} ${head} {`;
  if (/^@end(?:foreach|for|while)\b/.test(text)) return ' }';
  return withMarks(text, [['{!!', '!!}']], ({ inner, text: mark }) => onOneLine(`echo ${inner};`, mark));
}
