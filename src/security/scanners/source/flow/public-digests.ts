import type { Expr, ExprOf } from '../ir.ts';
import { isSecretName } from './names.ts';
import type { EvaluatedCall } from './report.ts';
import type { AnalysisRun } from './run.ts';
import {
  type AbstractValue,
  type FlowStep,
  findPredictableRandomness,
  findRootVariables,
} from './values/value.ts';

const NOTE = 'a digest of';

export function evaluatePublicDigest(
  run: AnalysisRun,
  { path, args, written, line }: EvaluatedCall,
): AbstractValue | undefined {
  for (const { of } of run.rules.guessed.matching(path)) {
    const at = written.findIndex((one) => of.test(nameIn(one)));
    const drawn = args.map(({ value }) => findPredictableRandomness(value)).find((one) => one !== undefined);
    if (at < 0 && !drawn) continue;
    // Encoding or digesting does not make a predictable value less predictable.
    if (at < 0) return { path: `${path}()`, random: drawn };
    const note = nameIn(written[at]);
    return {
      path: `${path}()`,
      random: { path: run.path, line, note: `${NOTE} ${note} can be made by others`, length: 1 },
    };
  }
  return undefined;
}

export const isPublicDigest = ({ note }: FlowStep): boolean => note.startsWith(NOTE);

export function checkSecretComparison(
  run: AnalysisRun,
  expr: ExprOf<'binary'>,
  left: AbstractValue,
  right: AbstractValue,
): void {
  for (const [value, other] of [
    [left, expr.right],
    [right, expr.left],
  ] as const) {
    const random = findPredictableRandomness(value);
    if (random && isPublicDigest(random) && isSecretName(nameIn(other)))
      run.report({ rule: 'source/weak-random', line: random.line, flow: random });
  }
}

const RECODES =
  /^(?:encode|decode|lower|upper|strip|trim|to_s|toString|toLowerCase|toUpperCase|downcase|upcase|squish)$/;

function nameIn(expr: Expr | undefined, depth = 8): string {
  if (!expr || depth === 0) return '';
  switch (expr.op) {
    case 'name':
    case 'member':
      return expr.name;
    case 'index':
      return expr.index?.op === 'constant' ? String(expr.index.value) : nameIn(expr.object, depth - 1);
    case 'call': {
      const [first] = expr.args;
      const { callee } = expr;
      if (callee.op === 'member' && !first)
        return RECODES.test(callee.name) ? nameIn(callee.object, depth - 1) : callee.name;
      return first ? nameIn(first.value, depth - 1) : nameIn(callee, depth - 1);
    }
    case 'binary':
      return nameIn(expr.left, depth - 1) || nameIn(expr.right, depth - 1);
    case 'format':
      return expr.parts.map((part) => nameIn(part, depth - 1)).find((name) => name !== '') ?? '';
    default:
      return findRootVariables(expr)[0] ?? '';
  }
}
