import type { Run } from '../run.ts';
import { addStep, join, taintOf, UNKNOWN, type Value } from './value.ts';

const MAX_PATH_LENGTH = 160;

export function valueAt(run: Run, path: string, from: Value, line: number): Value {
  if (path.length > MAX_PATH_LENGTH) return from.taint ? { taint: from.taint } : UNKNOWN;
  if (run.rules.harmless.matching(path).length > 0) return { path };
  const source = run.rules.sources
    .matching(path)
    .find(({ imports, on }) => (!imports || imports.test(run.imports)) && (!on || on.test(path)));
  if (source) {
    const taint = {
      origin: source.origin,
      clean: 0,
      flow: { path: run.path, line, note: source.note, length: 1 },
    };
    return { path, taint: from.taint?.origin === source.origin ? from.taint : taint };
  }
  return from.taint ? { path, taint: from.taint } : { path };
}

/** Members that hold a count or a status and none of the data itself. */
export const COUNTS = /^(?:length|size|count|byteLength|Length|Count|status|statusCode|status_code|ok)$/;

export function memberOf(run: Run, object: Value, name: string, line: number): Value {
  const field = object.fields?.get(name);
  if (field) return field;
  if (COUNTS.test(name)) return { fixed: true };
  const value = valueAt(run, `${object.path ?? '?'}.${name}`, object, line);
  return object.random ? { ...value, random: object.random } : value;
}

export function elementOf(run: Run, over: Value, line: number): Value {
  if (over.items && over.items.length > 0) return over.items.reduce((a, b) => join(a, b));
  const taint = taintOf(over);
  if (over.path === undefined) return taint ? { taint } : UNKNOWN;
  return valueAt(
    run,
    `${over.path}[]`,
    taint ? { taint: addStep(taint, run, line, 'each of them') } : UNKNOWN,
    line,
  );
}
