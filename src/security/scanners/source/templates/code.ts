import { codeOfJinja } from './jinja.ts';
import type { TemplateKind } from './kinds.ts';
import { codeOfMustache } from './mustache.ts';
import { codeOfAspx, codeOfJsp, codeOfRazor } from './pages.ts';
import {
  keepOnlyLineBreaks,
  putOnOneLine,
  RAW_OUTPUT_FUNCTION,
  RUBY_OUTPUT_FUNCTION,
  replaceTags,
} from './tags.ts';
import { codeOfMyBatis, codeOfVue } from './vue-mybatis.ts';

export function translateTemplate(kind: TemplateKind, text: string): string {
  switch (kind) {
    case 'ejs':
      return codeOfTags(text, (sign, code) =>
        sign === '-' ? `${RAW_OUTPUT_FUNCTION}(${code});` : ended(code),
      );
    case 'erb':
      return codeOfTags(text, (sign, code) => {
        if (sign === '==') return `raw((${code}));`;
        return sign === '=' && !OPENS_BLOCK.test(code) ? `${RUBY_OUTPUT_FUNCTION}((${code}));` : `${code};`;
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

/** Matches code that opens a block, such as `form_for(x) do |f|`. A later tag closes the block. */
const OPENS_BLOCK =
  /\b(?:do|then)\b(?:\s{0,9}\|[^|]{0,200}\|)?\s{0,9}$|\{\s{0,9}(?:\|[^|]{0,200}\|)?\s{0,9}$/;

/** Translates `<% code %>`, `<%= escaped %>` and `<%- unescaped %>`. Drops comments. */
const codeOfTags = (text: string, write: (sign: string, code: string) => string): string =>
  replaceTags(text, [['<%', '%>']], ({ inner }) => {
    const [sign = ''] = /^(?:==|[-=_%#])?/.exec(inner) ?? [];
    if (sign === '#' || sign === '%') return keepOnlyLineBreaks(inner);
    return ` ${write(sign, inner.slice(sign.length).replace(/[-_]$/, ''))}`;
  });

const ended = (code: string): string => ('{};(,'.includes(code.trimEnd().at(-1) ?? ';') ? code : `${code};`);

const MAX_LINE_CHARACTERS = 5000;
const PUG_EACH = /^(?:each|for)\s{1,9}(\w{1,80})(?:\s{0,9},\s{0,9}\w{1,80})?\s{1,9}in\s{1,9}(.{1,300})$/;
const PUG_RAW = /^(?:[\w#.-]{1,200}(?:\([^()]{0,500}\))?)?!=\s{0,9}(.{1,1000})$/;

/** Translates a line of Pug to JavaScript: `!= unescaped`, `p!= unescaped`, `!{unescaped}`, `- code`, `each one in all`. */
function codeOfPug(line: string): string {
  const text = line.trim();
  if (text.length > MAX_LINE_CHARACTERS) return '';
  if (text.startsWith('-')) return text.slice(1);
  const [, one, all] = PUG_EACH.exec(text) ?? [];
  if (one !== undefined) return `const ${one} = (${all})[0];`;
  const raw = PUG_RAW.exec(text)?.[1];
  const within = replaceTags(text, [['!{', '}']], ({ inner }) => `${RAW_OUTPUT_FUNCTION}(${inner});`);
  return raw === undefined ? within : `${RAW_OUTPUT_FUNCTION}(${raw}); ${within}`;
}

const BLADE_LOOP = /^@(foreach|for|while)\s{0,9}(\(.{1,500}\))$/;

function codeOfBlade(line: string): string {
  const text = line.trim();
  const [, loop, head] = BLADE_LOOP.exec(text) ?? [];
  if (loop !== undefined) return ` ${loop} ${head} {`;
  if (/^@end(?:foreach|for|while)\b/.test(text)) return ' }';
  return replaceTags(text, [['{!!', '!!}']], ({ inner, text: mark }) => putOnOneLine(`echo ${inner};`, mark));
}
