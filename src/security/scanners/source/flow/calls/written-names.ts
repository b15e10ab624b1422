import type { LinearRegex } from '../../../../../lib/expressions/linear-expression.ts';
import type { Expr } from '../../ir.ts';

const MAX_DEPTH = 6;
const SHOWS = /^(?:format|s?printf|fmt|str|repr|to_s|inspect|string)$/i;
const AS_IT_IS = /^(?:encode|decode|strip|to_bytes|force_encoding)$/;

export function showsName(expr: Expr, name: LinearRegex, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const shows = (part: Expr) => showsName(part, name, depth + 1);
  switch (expr.op) {
    case 'name':
    case 'member':
      return name.test(expr.name);
    case 'index':
      return expr.index?.op === 'constant' && name.test(String(expr.index.value));
    case 'format':
    case 'some':
      return expr.parts.some(shows);
    case 'list':
      return expr.items.some(shows);
    case 'binary':
      return [expr.left, expr.right].some(shows);
    case 'call': {
      const { callee } = expr;
      if (callee.op === 'member' && AS_IT_IS.test(callee.name)) return shows(callee.object);
      // In Ruby, a read of a member is a call without arguments: `user.password`.
      if (expr.args.length === 0) return callee.op === 'member' && name.test(callee.name);
      const called = callee.op === 'name' || callee.op === 'member' ? callee.name : '';
      return SHOWS.test(called) && expr.args.some(({ value }) => shows(value));
    }
    default:
      return false;
  }
}
