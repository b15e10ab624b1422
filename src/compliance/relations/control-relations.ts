import { readFileSync } from 'node:fs';
import { type ControlResult, countStatuses, type StandardResult } from '../assessing/assessment.ts';
import type { ControlCatalogue } from '../assessing/catalogue.ts';
import words from './relation-words.json' with { type: 'json' };

/** By the names of OSCAL's mapping model, with the meaning of NIST IR 8477: controls as sets of what they ask for. */
const KINDS = new Map(Object.entries(words));

/** Relation of two controls, named by standard and id: `nist-csf PR.DS-01`. */
export interface ControlRelation {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  readonly source: string;
  readonly verb: string;
  /** Verdicts on the object that hold for the subject. A part of what passes, passes. */
  readonly carries: readonly string[];
}

/** Parses a table that states each relation once, and adds its inverse. Throws Error for an invalid line. */
export function parseControlRelations(table: string): readonly ControlRelation[] {
  const lines = table.trimEnd().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [subject = '', relation = '', object = '', source = '', more] = line.split('\t');
    const kind = KINDS.get(relation);
    const inverse = KINDS.get(kind?.inverse ?? '');
    if (!kind || !inverse || more !== undefined || [subject, object, source].includes(''))
      throw new Error(`a line of relations lacks a value, or has an unknown one: ${JSON.stringify(line)}`);
    const stated = { subject, relation, object, source, ...kind };
    return [stated, { ...inverse, subject: object, relation: kind.inverse, object: subject, source }];
  });
}

export const RELATIONS_BY_CONTROL: ReadonlyMap<string, readonly ControlRelation[]> = Map.groupBy(
  parseControlRelations(readFileSync(new URL('./control-relations.tsv', import.meta.url), 'utf8')),
  ({ subject }) => subject,
);

const DECIDABLE: ReadonlySet<string> = new Set(['manual', 'no_findings']);
const TELLING: ReadonlySet<string> = new Set(['pass', 'fail', 'attested', 'exception']);
const MAX_SHOWN = 3;

/** Adds to the chosen standards those controls of the others that are related to some control. */
export function addRelatedControls(chosen: readonly ControlCatalogue[], all: readonly ControlCatalogue[]) {
  const others = all
    .filter((one) => !chosen.includes(one))
    .map(({ controls, ...standard }) => ({
      ...standard,
      controls: async () =>
        (await controls()).filter(({ id }) => RELATIONS_BY_CONTROL.has(`${standard.id} ${id}`)),
    }));
  return [...chosen, ...others];
}

/** Judges or explains open controls of the first `count` standards by the results of related controls. */
export function applyRelations(results: readonly StandardResult[], count: number): StandardResult[] {
  const byControl = new Map(
    results.flatMap(({ standard, controls }) => controls.map((one) => [`${standard.id} ${one.id}`, one])),
  );
  return results.slice(0, count).map((result) => {
    const controls = result.controls.map((one) => relate(one, `${result.standard.id} ${one.id}`, byControl));
    return { ...result, controls, counts: countStatuses(controls) };
  });
}

function relate(control: ControlResult, name: string, results: ReadonlyMap<string, ControlResult>) {
  const { id, title, group, status, reason } = control;
  if (!DECIDABLE.has(status) && status !== 'not_assessed') return control;
  const related = (RELATIONS_BY_CONTROL.get(name) ?? []).flatMap(({ object, source, verb, carries }) => {
    const result = results.get(object);
    if (!result || !TELLING.has(result.status)) return [];
    const decides = DECIDABLE.has(status) && !result.attestation && carries.includes(result.status);
    const told = `${object} (${result.status.replace('_', ' ')}), which this ${verb} (says ${source})`;
    return [{ result, decides, told }];
  });
  const deciding = related.find(({ decides }) => decides);
  if (deciding) {
    const told = `Counts by ${deciding.told}. ${reason}`;
    return { ...deciding.result, id, title, group, text: undefined, reason: told };
  }
  if (related.length === 0) return control;
  const shown = related.slice(0, MAX_SHOWN).map((one) => one.told);
  return { ...control, reason: `Related, not counted: ${shown.join('; ')}. ${reason}` };
}
