import { type ControlResult, countStatuses, type StandardResult } from '../assessing/assessment.ts';
import type { ControlCatalogue } from '../assessing/catalogue.ts';
import type { Attestation } from '../attesting/attestation.ts';
import { RELATION_KINDS, RELATIONS_BY_CONTROL } from './control-relations.ts';

const DECIDABLE: ReadonlySet<string> = new Set(['manual', 'no_findings']);
const TELLING: ReadonlySet<string> = new Set(['pass', 'fail', 'attested', 'exception']);
const MAX_SHOWN = 3;

/** Adds to the chosen standards those controls of the others that are related to some control. */
export function addRelatedControls(chosen: readonly ControlCatalogue[], all: readonly ControlCatalogue[]) {
  const others = all.filter((one) => !chosen.includes(one));
  return [...chosen, ...others.map((one) => ({ ...one, controls: () => readRelatedControls(one) }))];
}

const readRelatedControls = async ({ id: standard, controls }: ControlCatalogue) =>
  (await controls()).filter(({ id }) => RELATIONS_BY_CONTROL.has(`${standard} ${id}`));

/** Adds judgements for controls without one, where that of a related control holds for them as well. */
export function carryJudgements(given: readonly Attestation[]): readonly Attestation[] {
  const byControl = Map.groupBy(given, ({ standard, control }) => `${standard} ${control}`);
  const open = [...RELATIONS_BY_CONTROL].filter(([subject]) => !byControl.has(subject));
  const carried = open.flatMap(([subject, relations]) =>
    relations.flatMap(({ relation, object, source }) => {
      const { verb, carries } = RELATION_KINDS[relation];
      const about = (byControl.get(object) ?? []).filter(({ verdict }) => carries.includes(verdict));
      const [standard = '', control = ''] = subject.split(' ');
      return about.map((one) => {
        const why = `${one.why} (judged of ${object}, which this ${verb}: ${source})`;
        return { ...one, id: `${one.id} ${subject}`, standard, control, why };
      });
    }),
  );
  return [...given, ...carried];
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
  const related = (RELATIONS_BY_CONTROL.get(name) ?? []).flatMap(({ relation, object, source }) => {
    const result = results.get(object);
    if (!result || !TELLING.has(result.status)) return [];
    const { verb, carries } = RELATION_KINDS[relation];
    const decides = DECIDABLE.has(status) && !result.attestation && carries.includes(result.status);
    return [{ result, decides, words: `${object} (${result.status}), which this ${verb} by ${source}` }];
  });
  const deciding = related.find(({ decides }) => decides);
  if (deciding) {
    const told = `Counts by ${deciding.words}. ${reason}`;
    return { ...deciding.result, id, title, group, text: undefined, reason: told };
  }
  const shown = related.slice(0, MAX_SHOWN).map(({ words }) => words);
  return shown.length === 0
    ? control
    : { ...control, reason: `Related, not counted: ${shown.join('; ')}. ${reason}` };
}
