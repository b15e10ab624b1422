import { z } from 'zod';
import { briefly } from '../../operation.ts';
import type { JsonSchema } from '../input.ts';

/**
 * An output's JSON schema as models need it: names and types, down to the members of the items of a list, of those that
 * the declaration says matter. Every tool's list is read at the start of every conversation; the rest is in OpenAPI. Read
 * from the declaration itself, since the whole schema, most of which would be thrown away, is the slowest part of a
 * first `tools/list`.
 * @param members of each object, at most; another word of a family leaves the others to its first
 */
export function briefOutput(output: z.ZodObject, members = Number.POSITIVE_INFINITY): JsonSchema {
  return { type: 'object', ...membersOf(output, members) };
}

/** An object's members, without the word that it is an object: members say so. */
function membersOf(object: z.ZodObject, members: number): JsonSchema {
  const { fields = Object.keys(object.shape) } = briefly.get(object) ?? {};
  if (fields.length === 0) return { type: 'object' };
  const properties = fields
    .slice(0, members)
    .map((name) => [name, briefOf(object.shape[name] ?? z.unknown(), members)]);
  return { properties: Object.fromEntries(properties) };
}

function briefOf(schema: z.core.$ZodType, members: number): JsonSchema {
  if (schema instanceof z.ZodOptional) return briefOf(schema.unwrap(), members);
  if (schema instanceof z.ZodObject) return membersOf(schema, members);
  if (schema instanceof z.ZodArray) {
    const items = briefOf(schema.element, members);
    return items.properties ? { type: 'array', items } : { type: 'array' };
  }
  const type = typeOf(schema);
  return type === undefined ? {} : { type };
}

/** JSON schema's word for a value; undefined where it is of several types. */
function typeOf(schema: z.core.$ZodType): JsonSchema['type'] {
  if (schema instanceof z.ZodRecord) return 'object';
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'string';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return (z.toJSONSchema(schema) as JsonSchema).type;
}
