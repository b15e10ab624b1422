import type { Severity } from '../../../../../lib/severity.ts';
import type { Expr } from '../../ir.ts';
import type { AnalysisRun } from '../run.ts';

/** Rules with low severity in code that runs only if the user chose an option, such as `if (insecure)`. */
const SWITCHED = new Set(['source/tls-verification-off']);
const OPTION = /verif|insecure|unsafe|skip|ssl|tls|cert|strict|trust|check|self_?signed|reject/i;

const OWN_MACHINE = /^(?:local(?:host)?|dev(?:elopment)?|test(?:ing)?)$/i;

const FOR_DEVELOPERS =
  /^(?:IsDevelopment|IsStaging|is_?development|is_?dev|__DEV__|NODE_ENV|DEBUG|debug|isDebug(?:Enabled)?)$/i;

/** True if a condition tests whether the program runs on a developer's machine: `env.IsDevelopment()`. */
export function isDevelopmentCondition(test: Expr): boolean {
  switch (test.op) {
    case 'name':
    case 'member':
      return FOR_DEVELOPERS.test(test.name);
    case 'not':
      return isDevelopmentCondition(test.operand);
    case 'call':
      return (
        isDevelopmentCondition(test.callee) ||
        test.args.some(({ value }) => value.op === 'constant' && OWN_MACHINE.test(String(value.value)))
      );
    case 'binary':
      return isDevelopmentCondition(test.left) || isDevelopmentCondition(test.right);
    default:
      return false;
  }
}

export const isForDevelopersOnly = (run: AnalysisRun, rule: string): boolean =>
  (run.development ?? 0) > 0 && rule === 'source/debug-on';

export function isOptionTest(test: Expr): boolean {
  switch (test.op) {
    case 'name':
    case 'member':
      return OPTION.test(test.name);
    case 'index':
      return test.index?.op === 'constant' && OPTION.test(String(test.index.value));
    case 'not':
      return isOptionTest(test.operand);
    case 'call':
      return isOptionTest(test.callee) || test.args.some(({ value }) => isOptionTest(value));
    case 'binary': {
      const sides = [test.left, test.right];
      return sides.some((side) => isSwitch(side) || isOptionTest(side));
    }
    case 'constant':
      return typeof test.value === 'string' && OWN_MACHINE.test(test.value);
    case 'assign':
      return isOptionTest(test.target) || isOptionTest(test.value);
    case 'some':
      return test.parts.some(isOptionTest);
    default:
      return false;
  }
}

const isSwitch = (side: Expr): boolean => side.op === 'constant' && typeof side.value === 'boolean';

export function severityInBranch(run: AnalysisRun, rule: string, severity?: Severity): Severity | undefined {
  return (run.options ?? 0) > 0 && SWITCHED.has(rule) ? 'low' : severity;
}
