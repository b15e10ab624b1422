export type TemplateKind =
  | 'ejs'
  | 'erb'
  | 'jinja'
  | 'mustache'
  | 'pug'
  | 'blade'
  | 'jsp'
  | 'aspx'
  | 'razor'
  | 'vue'
  | 'mybatis';

export interface TemplateType {
  readonly kind: TemplateKind;
  readonly language: 'JavaScript' | 'TypeScript' | 'Ruby' | 'PHP' | 'Java' | 'C#';
  readonly filledBy: readonly string[];
}

const JAVASCRIPT = ['JavaScript'];
const KINDS: readonly (readonly [ends: RegExp, template: TemplateType])[] = [
  [/\.ejs$/i, { kind: 'ejs', language: 'JavaScript', filledBy: JAVASCRIPT }],
  [/\.erb$/i, { kind: 'erb', language: 'Ruby', filledBy: ['Ruby'] }],
  [/\.(?:pug|jade)$/i, { kind: 'pug', language: 'JavaScript', filledBy: JAVASCRIPT }],
  [/\.(?:hbs|handlebars|mustache)$/i, { kind: 'mustache', language: 'JavaScript', filledBy: JAVASCRIPT }],
  [/\.(?:njk|nunjucks|swig)$/i, { kind: 'jinja', language: 'JavaScript', filledBy: JAVASCRIPT }],
  [/\.(?:jinja2?|j2)$/i, { kind: 'jinja', language: 'JavaScript', filledBy: ['Python'] }],
  [/\.twig$/i, { kind: 'jinja', language: 'JavaScript', filledBy: ['PHP'] }],
  [/\.(?:jsp|jspx|jspf|tag)$/i, { kind: 'jsp', language: 'Java', filledBy: ['Java'] }],
  [/\.(?:aspx|ascx|master)$/i, { kind: 'aspx', language: 'C#', filledBy: ['C#'] }],
  [/\.(?:cshtml|razor)$/i, { kind: 'razor', language: 'C#', filledBy: ['C#'] }],
  [/\.vue$/i, { kind: 'vue', language: 'TypeScript', filledBy: JAVASCRIPT }],
  [
    /(?:mapper|mapping|dao|sqlmap)s?(?:\/[^/]{1,200})?\.xml$/i,
    { kind: 'mybatis', language: 'JavaScript', filledBy: ['Java'] },
  ],
  [/\.blade\.php$/i, { kind: 'blade', language: 'PHP', filledBy: ['PHP'] }],
  [
    // HTML files are templates in folders such as `templates`. Elsewhere, most HTML files are static pages.
    /(?:^|\/)(?:templates?|views?|layouts?|partials?)\/(?:.{0,500}\/)?[^/]{1,200}\.html?$/i,
    { kind: 'jinja', language: 'JavaScript', filledBy: ['Python', 'JavaScript', 'Java'] },
  ],
];

export function templateTypeOf(path: string): TemplateType | undefined {
  return KINDS.find(([ends]) => ends.test(path))?.[1];
}
