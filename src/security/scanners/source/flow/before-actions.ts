import type { Expr, Stmt } from '../ir.ts';
import type { AnalysisRun } from './run.ts';
import type { AbstractValue, RailsBeforeAction, VariableScope } from './values/value.ts';

const BEFORE = /^(?:prepend_|append_)?before_(?:action|filter)$/;
const MAX_BEFORES = 50;

/** Reads the callbacks of a Rails controller: `before_action :load, only: [:show]` and `before_action do ... end`. */
export function readBeforeActions(
  run: AnalysisRun,
  body: readonly Stmt[],
  scope: VariableScope,
  receiver: AbstractValue,
): readonly RailsBeforeAction[] | undefined {
  const found = body.flatMap((stmt): RailsBeforeAction[] => {
    if (stmt.op !== 'expr' || stmt.value.op !== 'call' || stmt.value.callee.op !== 'name') return [];
    if (!BEFORE.test(stmt.value.callee.name)) return [];
    const { args } = stmt.value;
    const listed = (name: string) => {
      const given = args.find((arg) => arg.name === name)?.value;
      return given && textsIn(given);
    };
    const own = args.filter((arg) => arg.name === undefined).map(({ value }) => value);
    const block = own.find((value) => value.op === 'function');
    return [
      {
        names: own.flatMap(textsIn),
        ...(block?.op === 'function' ? { block: { home: run, fn: block.fn, scope, receiver } } : {}),
        only: listed('only'),
        except: listed('except'),
      },
    ];
  });
  return found.length > 0 ? found.slice(0, MAX_BEFORES) : undefined;
}

export function isRunBeforeAction({ names, only, except }: RailsBeforeAction, action: string): boolean {
  if (names.includes(action) || except?.includes(action)) return false;
  return only === undefined || only.includes(action);
}

function textsIn(expr: Expr): string[] {
  if (expr.op === 'constant') return typeof expr.value === 'string' ? [expr.value] : [];
  return expr.op === 'list' ? expr.items.flatMap(textsIn) : [];
}
