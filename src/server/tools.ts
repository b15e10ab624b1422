import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { inputSchema, type JsonSchema } from './input.ts';

const listings = new WeakMap<Operation, Tool>();

/** The tool of an operation; made once, since every connection lists it. */
export function toolListing(operation: Operation): Tool {
  let listing = listings.get(operation);
  if (!listing) {
    listing = {
      name: operation.name,
      title: operation.title,
      description: operation.description,
      inputSchema: acceptStrings(inputSchema(operation)) as Tool['inputSchema'],
      outputSchema: outputSchema(operation) as NonNullable<Tool['outputSchema']>,
      annotations: {
        readOnlyHint: operation.effect === 'read',
        ...(operation.effect !== 'read' && {
          destructiveHint: operation.effect === 'destroy',
          idempotentHint: true,
        }),
        openWorldHint: operation.openWorld,
      },
    };
    listings.set(operation, listing);
  }
  return listing;
}

/** The output's JSON schema; members that it does not name are allowed, so that later ones break nobody. */
export function outputSchema(operation: Operation): JsonSchema {
  return open(z.toJSONSchema(operation.output) as JsonSchema);
}

/** Numbers are declared as string or number, since both are taken: the contract's parameters are strings. */
function acceptStrings(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { type } = property;
    return [
      name,
      type === 'integer' || type === 'number' ? { ...property, type: [type, 'string'] } : property,
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
}

function open(schema: JsonSchema): JsonSchema {
  const { $schema, additionalProperties, minimum, maximum, ...rest } = schema;
  const bounds = { ...(isBound(minimum) && { minimum }), ...(isBound(maximum) && { maximum }) };
  return {
    ...rest,
    ...bounds,
    ...(schema.items && { items: open(schema.items) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, open(property)]),
      ),
    }),
  };
}

/** zod writes an integer's technical bounds out; they tell the reader nothing. */
function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}
