import { type EvaluatedCall, findArgument } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import type { AbstractValue, ClassInfo, VariableScope } from '../values/value.ts';

export function analyseTemplates(run: AnalysisRun, { path, args }: EvaluatedCall, scope: VariableScope) {
  for (const { name: place, data } of run.rules.renders.matching(path)) {
    const name = findArgument(args, place)?.constant;
    if (typeof name !== 'string') continue;
    const put = new Map<string, AbstractValue>();
    for (const arg of args) if (data === 'names' && arg.name !== undefined) put.set(arg.name, arg.value);
    for (const [key, value] of instanceVariables(scope)) put.set(key, value);
    const locals = put.get('locals')?.fields;
    for (const [key, value] of locals ?? []) put.set(key, value);
    const fields = typeof data === 'number' ? findArgument(args, data)?.fields : undefined;
    for (const [key, value] of fields ?? []) put.set(key, value);
    run.linker?.render(name, run, put);
  }
}

function instanceVariables(scope: VariableScope): Map<string, AbstractValue> {
  const all = new Map<string, AbstractValue>();
  for (let at: VariableScope | undefined = scope; at; at = at.parent)
    for (const [name, value] of at.values) if (name.startsWith('@') && !all.has(name)) all.set(name, value);
  return all;
}

export function analyseDefaultView(
  run: AnalysisRun,
  of: ClassInfo | undefined,
  action: string,
  scope: VariableScope,
): void {
  const controller = of && /^(?:\w+::)*(\w+)Controller$/.exec(of.name)?.[1];
  if (controller === undefined || !run.linker || !run.path.endsWith('.rb')) return;
  const put = instanceVariables(scope);
  const folder = controller.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
  if (put.size > 0) run.linker.render(`${folder}/${action}`, run, put);
}
