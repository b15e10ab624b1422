import { readFileSync } from 'node:fs';
import words from './relation-words.json' with { type: 'json' };

/** Names of OSCAL's mapping model, with the meaning of NIST IR 8477: controls as sets of what they ask for. */
export type ControlRelationKind = keyof typeof words;

/** `carries`: verdicts on the object that hold for the subject. A part of what passes, passes. */
export const RELATION_KINDS: Readonly<
  Record<ControlRelationKind, { readonly inverse: string; readonly verb: string; readonly carries: string[] }>
> = words;

/** `subject` and `object` name a standard and its control: `nist-csf PR.DS-01`. `source` relates them. */
export interface ControlRelation {
  readonly subject: string;
  readonly relation: ControlRelationKind;
  readonly object: string;
  readonly source: string;
}

/** Parses a table that states each relation once. Throws Error for a line that is not a relation. */
export function parseControlRelations(table: string): readonly ControlRelation[] {
  const lines = table.trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [subject = '', relation = '', object = '', source = '', more] = line.split('\t');
    if (!isRelationKind(relation) || more !== undefined || [subject, object, source].includes(''))
      throw new Error(`a line of relations lacks a value, or has an unknown one: ${JSON.stringify(line)}`);
    return { subject, relation, object, source };
  });
}

const isRelationKind = (text: string): text is ControlRelationKind => Object.hasOwn(words, text);

export const CONTROL_RELATIONS = parseControlRelations(
  readFileSync(new URL('./control-relations.tsv', import.meta.url), 'utf8'),
);

/** Relations of each control, also those that the table states of the other control. */
export const RELATIONS_BY_CONTROL: ReadonlyMap<string, readonly ControlRelation[]> = Map.groupBy(
  CONTROL_RELATIONS.flatMap((one) => {
    const relation = RELATION_KINDS[one.relation].inverse as ControlRelationKind;
    return [one, { ...one, subject: one.object, relation, object: one.subject }];
  }),
  ({ subject }) => subject,
);
