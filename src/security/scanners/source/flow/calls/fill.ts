import type { ExprOf } from '../../ir.ts';
import type { EvaluatedCall } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import { strongerTaint, type Taint, taintOf, type VariableScope } from '../values/value.ts';

export function taintFilledArgument(
  run: AnalysisRun,
  made: EvaluatedCall,
  expr: ExprOf<'call'>,
  scope: VariableScope,
): void {
  const { path, args, line } = made;
  for (const { into, fromArgs } of run.rules.fills.matching(path)) {
    const [target, value] = [expr.args[into]?.value, args[into]?.value];
    const taint = fromArgs ? givenTo(made, into) : incoming(run, line);
    if (target?.op !== 'name' || !value || !taint) continue;
    const { type } = value;
    scope.values.set(target.name, { path: target.name, type, taint, model: type });
  }
}

function incoming({ path }: AnalysisRun, line: number): Taint {
  return { origin: 'request', clean: 0, flow: { path, line, note: 'data from the request', length: 1 } };
}

function givenTo({ receiver, args }: EvaluatedCall, into: number): Taint | undefined {
  let taint = receiver && taintOf(receiver);
  for (const [at, { value }] of args.entries()) if (at !== into) taint = strongerTaint(taint, taintOf(value));
  return taint;
}
