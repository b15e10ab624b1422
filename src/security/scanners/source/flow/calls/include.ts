import type { EvaluatedArgument, EvaluatedCall } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import { createVariableScope, mergeBranches } from '../values/scope.ts';
import {
  type AbstractValue,
  choicesOf,
  strongerTaint,
  type Taint,
  UNKNOWN_PART,
  UNKNOWN_VALUE,
  type VariableScope,
} from '../values/value.ts';

const PHP = /\.(?:php|phtml|inc)$/;

export function evaluatePhpInclude(run: AnalysisRun, { path, args }: EvaluatedCall, scope: VariableScope) {
  if (path === 'include' && run.linker) include(run, args, scope);
  const [name, value] = args;
  if (path !== 'define' || !PHP.test(run.path) || typeof name?.value.constant !== 'string' || !value) return;
  let top = scope;
  while (top.parent) top = top.parent;
  top.values.set(name.value.constant, value.value);
}

export function phpFileConstant(run: AnalysisRun, name: string): AbstractValue | undefined {
  if (name === '__FILE__') return { constant: `/${run.path}` };
  return name === '__DIR__' ? { constant: parentFolderOf(`/${run.path}`) } : undefined;
}

export const parentFolderOf = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || '/';

function include(run: AnalysisRun, args: readonly EvaluatedArgument[], scope: VariableScope): void {
  const value = args[0]?.value ?? UNKNOWN_VALUE;
  const files = (choicesOf(value) ?? [value.text]).flatMap((one) =>
    typeof one === 'string' ? filesNamed(run, one) : [],
  );
  const [only, ...more] = files;
  if (only === undefined) return;
  if (more.length === 0) {
    run.linker?.include(run, only, scope);
    return;
  }
  const branches = files.map((file) => {
    const own = createVariableScope(scope);
    run.linker?.include(run, file, own);
    return own;
  });
  mergeBranches(scope, branches);
  for (const [name, merged] of scope.values) {
    const taints = branches.flatMap(({ values }) => values.get(name)?.taint ?? []);
    const places = new Set(taints.map(({ flow }) => flow.path));
    if (places.size > 1 && merged.taint) scope.values.set(name, { ...merged, taint: joinTaints(taints) });
  }
}

function filesNamed(run: AnalysisRun, path: string): readonly string[] {
  const [start = '', end = ''] = ['', ...path.split(UNKNOWN_PART)].slice(-2);
  if (end !== '') return [end];
  const folder = start.slice(0, start.lastIndexOf('/') + 1);
  return folder.length > 1 ? (run.linker?.filesIn(run, folder) ?? []) : [];
}

function joinTaints(taints: readonly Taint[]): Taint | undefined {
  let joined: Taint | undefined;
  for (const one of taints) joined = strongerTaint(joined, one);
  return joined && { ...joined, more: taints };
}
