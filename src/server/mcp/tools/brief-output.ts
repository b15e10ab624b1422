import { z } from 'zod';
import { listedFields } from '../../../operation.ts';
import type { JsonSchema } from '../../json-schema.ts';

export function briefOutputSchema(output: z.ZodObject, detail: Detail = {}): JsonSchema {
  return { type: 'object', ...membersOf(output, detail) };
}

interface Detail {
  readonly members?: number | undefined;
  /** Among similar tools, only the first one describes list items. */
  readonly areItemsListed?: boolean;
}

/** Properties imply `type: object`. */
function membersOf(object: z.ZodObject, detail: Detail): JsonSchema {
  const { fields = Object.keys(object.shape) } = listedFields.get(object) ?? {};
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

function typeOf(schema: z.core.$ZodType): JsonSchema['type'] {
  if (schema instanceof z.ZodRecord) return 'object';
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'string';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return (z.toJSONSchema(schema) as JsonSchema).type;
}
