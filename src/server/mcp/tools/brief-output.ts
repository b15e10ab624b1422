import { z } from 'zod';
import { briefly } from '../../../operation.ts';
import type { JsonSchema } from '../../input.ts';

/**
 * An output's JSON schema as models need it: names and types, down to the members of the items of a list, of those that
 * the declaration says matter. Every tool's list is read at the start of every conversation; the rest is in OpenAPI. Read
 * from the declaration itself, since the whole schema, most of which would be thrown away, is the slowest part of a
 * first `tools/list`.
 */
export function briefOutput(output: z.ZodObject, detail: Detail = {}): JsonSchema {
  return { type: 'object', ...membersOf(output, detail) };
}

/** How much of an output a listing names. */
interface Detail {
  /** Members of each object, at most. */
  readonly members?: number | undefined;
  /** Whether the items of a list are described; another word of a family leaves that to its first. */
  readonly areItemsListed?: boolean;
}

/** An object's members, without the word that it is an object: members say so. */
function membersOf(object: z.ZodObject, detail: Detail): JsonSchema {
  const { fields = Object.keys(object.shape) } = briefly.get(object) ?? {};
  if (fields.length === 0) return { type: 'object' };
  const properties = fields
    .slice(0, detail.members)
    .map((name) => [name, briefOf(object.shape[name] ?? z.unknown(), detail)]);
  return { properties: Object.fromEntries(properties) };
}

function briefOf(schema: z.core.$ZodType, detail: Detail): JsonSchema {
  if (schema instanceof z.ZodOptional) return briefOf(schema.unwrap(), detail);
  if (schema instanceof z.ZodObject) return membersOf(schema, detail);
  if (schema instanceof z.ZodArray) {
    const items = detail.areItemsListed === false ? {} : briefOf(schema.element, detail);
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
