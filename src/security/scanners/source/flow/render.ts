import { argument, type Made } from './report.ts';
import type { Run } from './run.ts';
import type { Value } from './value.ts';

/** Runs the template that a call fills, with what the call puts in. */
export function fillTemplates(run: Run, { path, args }: Made): void {
  for (const { name: place, data } of run.rules.renders.matching(path)) {
    const name = argument(args, place)?.constant;
    if (typeof name !== 'string') continue;
    const put = new Map<string, Value>();
    for (const arg of args) if (data === 'names' && arg.name !== undefined) put.set(arg.name, arg.value);
    const fields = typeof data === 'number' ? argument(args, data)?.fields : undefined;
    for (const [key, value] of fields ?? []) put.set(key, value);
    run.linker?.render(name, run, put);
  }
}
