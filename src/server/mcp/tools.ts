import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Operation } from '../../operation.ts';
import { inputSchema, type JsonSchema } from '../input.ts';
import { briefOutput } from './brief-output.ts';

const listings = new WeakMap<Operation, Tool>();

/** The tool of an operation; made once, since every connection lists it. */
export function toolListing(operation: Operation): Tool {
  let listing = listings.get(operation);
  if (!listing) {
    listing = {
      name: operation.name,
      title: operation.title,
      description: operation.description,
      inputSchema: briefInput(inputSchema(operation), operation) as Tool['inputSchema'],
      outputSchema: briefOutput(operation.output) as NonNullable<Tool['outputSchema']>,
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

/** The output's JSON schema; members that it does not name are allowed, so that later ones break no client. */
export function outputSchema(operation: Operation): JsonSchema {
  return tidy(z.toJSONSchema(operation.output) as JsonSchema);
}

/** The input as models need it; a number may come as a string all the same, as the contract has it. */
function briefInput(schema: JsonSchema, { unlisted = [], secret = [] }: Operation): JsonSchema {
  const { additionalProperties, ...rest } = tidy(schema);
  const listed = Object.entries(rest.properties ?? {}).filter(([name]) => !unlisted.includes(name));
  // Credentials may come by a header, or by a page that the client is asked to open: a model need not have them.
  const required = rest.required?.filter((name) => !secret.includes(name));
  return {
    ...rest,
    ...(required && { required }),
    properties: mapValues(Object.fromEntries(listed), briefProperty),
  };
}

function briefProperty({ maxLength, maxItems, format, pattern, ...property }: JsonSchema): JsonSchema {
  return { ...property, ...(property.items && { items: { type: property.items.type } as JsonSchema }) };
}

/** Without what zod writes out and readers do not need: the dialect, closed objects, an integer's technical bounds. */
function tidy(schema: JsonSchema): JsonSchema {
  const { $schema, additionalProperties, minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
    ...(schema.items && { items: tidy(schema.items) }),
    ...(schema.properties && { properties: mapValues(schema.properties, tidy) }),
  };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}
