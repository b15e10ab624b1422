import { z } from 'zod';
import type { JsonSchema } from '../input.ts';

/**
 * An output's JSON schema as models need it: names and types of the first level. Every tool's list is read at the start
 * of every conversation; the rest is in OpenAPI. Read from the declaration itself, since the whole schema, most of which
 * would be thrown away, is the slowest part of a first `tools/list`.
 */
export function briefOutput({ shape }: z.ZodObject): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, member] of Object.entries(shape)) {
    const type = typeOf(member);
    properties[name] = type === undefined ? {} : { type };
    if (!isOptional(member)) required.push(name);
  }
  return { type: 'object', properties, required: required.length > 0 ? required : undefined };
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema._zod.optout === 'optional';
}

/** JSON schema's word for a value; undefined where it is of several types. */
function typeOf(schema: z.core.$ZodType): JsonSchema['type'] {
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap());
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return 'object';
  if (schema instanceof z.ZodArray) return 'array';
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'string';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return (z.toJSONSchema(schema) as JsonSchema).type;
}
