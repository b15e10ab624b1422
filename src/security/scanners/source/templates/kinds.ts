import types from './template-types.json' with { type: 'json' };

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

/** Types of templates by path. A plain HTML file counts as a template only in a folder such as `templates`. */
const KINDS = types.map(({ ends, ...template }) => ({
  ends: new RegExp(ends, 'i'),
  template: template as TemplateType,
}));

export const templateTypeOf = (path: string): TemplateType | undefined =>
  KINDS.find(({ ends }) => ends.test(path))?.template;
