import type { EvaluatedArgument, EvaluatedCall } from '../report.ts';
import { type AbstractValue, type Taint, taintOf } from '../values/value.ts';

const PLAIN =
  /\.(?:number|int|bigint|boolean|date|datetime|enum|nativeEnum|literal|uuid|cuid2?|ulid|regex|null|undefined)\(\)/;
const OBJECT = /\.(?:strict|loose)?object\(\)/i;
const SCHEMA_KEYS = ['inputSchema', 'parameters', 'schema', 'argsSchema', 'input', 'args'];

export function harmlessFields(schema: AbstractValue | undefined): Map<string, AbstractValue> | undefined {
  const plain = [...(schema?.fields ?? [])].filter(([, { path }]) => path !== undefined && PLAIN.test(path));
  return plain.length > 0 ? new Map(plain.map(([name]) => [name, { fixed: true }])) : undefined;
}

export function harmlessFieldsBeside(
  args: readonly EvaluatedArgument[],
): Map<string, AbstractValue> | undefined {
  for (const { value } of args) {
    for (const key of SCHEMA_KEYS) {
      const found = harmlessFields(value.fields?.get(key));
      if (found) return found;
    }
  }
  return args.map(({ value }) => harmlessFields(value)).find((one) => one !== undefined);
}

/** Returns the fields in an object schema. In `z.object({ n: z.number() }).strict()`, the field is `n`. */
export function schemaFieldsOf({ path, receiver, args }: EvaluatedCall): AbstractValue['fields'] {
  if (OBJECT.test(`${path}()`) && !OBJECT.test(path)) return args[0]?.value.fields;
  return OBJECT.test(path) ? receiver?.fields : undefined;
}

export function evaluateSchemaParse({
  name,
  path,
  receiver,
  args,
}: EvaluatedCall): AbstractValue | undefined {
  if (!receiver || !/^(?:(?:safe)?parse|validate)(?:A?sync)?$/i.test(name)) return undefined;
  if (PLAIN.test(receiver.path ?? '') && /(?:^|\.)(?:z|zod|yup|v|s)\./.test(receiver.path ?? ''))
    return name.startsWith('safe') ? { fields: new Map([['data', { fixed: true }]]) } : { fixed: true };
  if (!receiver.fields || !OBJECT.test(path)) return undefined;
  const taint: Taint | undefined = args[0] && taintOf(args[0].value);
  const parsed = { taint, path: `${path}()`, fields: harmlessFields(receiver) };
  // Joi's `validate` returns an object whose field `value` has the accepted data.
  if (name === 'validate' && /joi/i.test(path)) return { fields: new Map([['value', parsed]]) };
  if (!name.startsWith('safe')) return parsed;
  return { fields: new Map<string, AbstractValue>([['data', parsed]]), path: `${path}()` };
}
