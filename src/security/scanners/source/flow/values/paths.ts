import { bitsOf } from '../../harm.ts';
import type { AnalysisRun } from '../run.ts';
import { type AbstractValue, addStep, joinValues, taintOf, UNKNOWN_VALUE } from './value.ts';

const MAX_PATH_LENGTH = 160;

export function valueAtPath(
  run: AnalysisRun,
  path: string,
  parent: AbstractValue,
  line: number,
): AbstractValue {
  if (path.length > MAX_PATH_LENGTH) return parent.taint ? { taint: parent.taint } : UNKNOWN_VALUE;
  if (run.rules.harmless.matching(path).length > 0) return { path };
  const source = run.rules.sources
    .matching(path)
    .find(({ imports, on }) => (!imports || imports.test(run.imports)) && (!on || on.test(path)));
  if (source) {
    const clean = bitsOf(source.harmless ?? []);
    const taint = {
      origin: source.origin,
      clean,
      flow: { path: run.path, line, note: source.note, length: 1 },
    };
    const { taint: before } = parent;
    return {
      path,
      taint: before?.origin === source.origin ? { ...before, clean: before.clean | clean } : taint,
    };
  }
  return parent.taint ? { path, taint: parent.taint } : { path };
}

const MADE_TYPE = /^(?:\w+\.)*([A-Z]\w*)\(\)$/;

export function typedPath(receiver: AbstractValue | undefined, name: string, path: string) {
  const type = receiver?.type ?? MADE_TYPE.exec(receiver?.path ?? '')?.[1];
  const plain = type?.replace(/<.*|[?\s].*/gs, '').replace(/^.*\./, '');
  const typed = plain ? `${plain}.${name}` : undefined;
  return typed === path ? undefined : typed;
}

export const COUNT_MEMBERS =
  /^(?:length|size|count|byteLength|Length|Count|status|statusCode|status_code|ok)$/;

export function readValueMember(
  run: AnalysisRun,
  object: AbstractValue,
  name: string,
  line: number,
): AbstractValue {
  const field = object.fields?.get(name);
  if (field) return field;
  if (COUNT_MEMBERS.test(name)) return { fixed: true };
  const value = valueAtPath(run, `${object.path ?? '?'}.${name}`, object, line);
  return object.random ? { ...value, random: object.random } : value;
}

export function elementOf(run: AnalysisRun, collection: AbstractValue, line: number): AbstractValue {
  if (collection.items && collection.items.length > 0)
    return collection.items.reduce((a, b) => joinValues(a, b));
  const taint = taintOf(collection);
  if (collection.path === undefined) return taint ? { taint } : UNKNOWN_VALUE;
  return valueAtPath(
    run,
    `${collection.path}[]`,
    taint ? { taint: addStep(taint, run, line, 'each of them') } : UNKNOWN_VALUE,
    line,
  );
}
