import type { Expr } from '../../ir.ts';
import type { Made } from '../report.ts';
import type { Run } from '../run.ts';
import { type Scope, stronger, type Taint, taintOf } from '../values/value.ts';

export function fillArgument(run: Run, made: Made, expr: Extract<Expr, { op: 'call' }>, scope: Scope): void {
  const { path, args, line } = made;
  for (const { into, given } of run.rules.fills.matching(path)) {
    const [target, value] = [expr.args[into]?.value, args[into]?.value];
    const taint = given ? givenTo(made, into) : incoming(run, line);
    if (target?.op !== 'name' || !value || !taint) continue;
    const { type } = value;
    scope.values.set(target.name, { path: target.name, type, taint, model: type });
  }
}

function incoming({ path }: Run, line: number): Taint {
  return { origin: 'request', clean: 0, flow: { path, line, note: 'data from the request', length: 1 } };
}

function givenTo({ receiver, args }: Made, into: number): Taint | undefined {
  let taint = receiver && taintOf(receiver);
  for (const [at, { value }] of args.entries()) if (at !== into) taint = stronger(taint, taintOf(value));
  return taint;
}
