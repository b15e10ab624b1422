import type { Pooling } from './sentence-model.ts';

/** Pooling and prefixes from the documentation of a family of models. They are used if a model's files do not state them. */
export interface ModelFamily {
  readonly pooling?: Pooling;
  readonly query?: string;
  readonly passage?: string;
}

const SEARCH = 'Represent this sentence for searching relevant passages: ';

/** Families by a pattern of the folder's name. The first match counts. Other models default to mean pooling without prefixes. */
const FAMILIES: readonly (readonly [RegExp, ModelFamily])[] = [
  [/\be5-(?:small|base|large)(?!.*instruct)/, { pooling: 'mean', query: 'query: ', passage: 'passage: ' }],
  [/\bbge-m3\b/, { pooling: 'cls' }],
  [/\bbge-(?:small|base|large)-zh/, { pooling: 'cls', query: '为这个句子生成表示以用于检索相关文章：' }],
  [/\bbge-(?:micro|small|base|large)/, { pooling: 'cls', query: SEARCH }],
  [/\bgte-(?:(?:base|large)-en-v1\.5|multilingual-base|modernbert)/, { pooling: 'cls' }],
  [/\barctic-embed-[a-z]-v2/, { pooling: 'cls', query: 'query: ' }],
  [/\barctic-embed/, { pooling: 'cls', query: SEARCH }],
  [/\bmxbai-embed/, { pooling: 'cls', query: SEARCH }],
  [/\bnomic-embed-text/, { pooling: 'mean', query: 'search_query: ', passage: 'search_document: ' }],
  [/\bmodernbert-embed/, { pooling: 'mean', query: 'search_query: ', passage: 'search_document: ' }],
];

export function findModelFamily(name: string): ModelFamily {
  const found = FAMILIES.find(([pattern]) => pattern.test(name.toLowerCase()));
  return found?.[1] ?? {};
}
