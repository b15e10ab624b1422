import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import {
  type IsOffered,
  listedFields,
  type Operation,
  operationsNamed,
  removeUnavailableMentions,
} from '../../../operation.ts';
import { inputSchema } from '../../input.ts';
import type { JsonSchema } from '../../json-schema.ts';

const listings = new WeakMap<Operation, Tool>();

const LEADING_MEMBERS = { both: 1, output: 2 } as const;

export function toolFor(operation: Operation, names: readonly string[], offers: IsOffered): Tool {
  const listing = toolListing(operation);
  if (namedIn(listing, names).every(offers)) return listing;
  const properties = Object.entries(listing.inputSchema.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    return [
      name,
      omitUndefined({
        ...rest,
        description: description && removeUnavailableMentions(description, names, offers),
      }),
    ];
  });
  return {
    ...listing,
    description: removeUnavailableMentions(operation.description, names, offers),
    inputSchema: { ...listing.inputSchema, properties: Object.fromEntries(properties) },
  };
}

const named = new WeakMap<Tool, readonly string[]>();

function namedIn(listing: Tool, names: readonly string[]): readonly string[] {
  let found = named.get(listing);
  if (!found) {
    const { description = '', inputSchema: input } = listing;
    const texts = Object.values(input.properties ?? {}).map((one) => (one as JsonSchema).description ?? '');
    found = operationsNamed([description, ...texts].join('\n'), names);
    named.set(listing, found);
  }
  return found;
}

export function toolListing(operation: Operation): Tool {
  let listing = listings.get(operation);
  if (!listing) {
    const terse = terseOf(operation);
    listing = {
      name: operation.name,
      title: operation.title,
      description: operation.description,
      inputSchema: briefInput(inputSchema(operation), operation) as Tool['inputSchema'],
      outputSchema: briefOutputSchema(operation.output, {
        members: terse && LEADING_MEMBERS[terse],
        areItemsListed: operation.family === undefined,
      }) as NonNullable<Tool['outputSchema']>,
      annotations: hintsOf(operation),
      ...(operation.hasLargeAnswer && { _meta: LARGE_ANSWER }),
    };
    listings.set(operation, listing);
  }
  return listing;
}

/** Lets Claude Code show large results. By default, it saves results of over 25,000 tokens to a file. */
const LARGE_ANSWER = { 'anthropic/maxResultSizeChars': 500_000 };

function hintsOf({ effect, openWorld }: Operation): Tool['annotations'] {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: openWorld };
  const destructiveHint = effect === 'destroy';
  return { readOnlyHint: false, destructiveHint, idempotentHint: true, openWorldHint: openWorld };
}

export function outputSchema(operation: Operation): JsonSchema {
  return tidy(z.toJSONSchema(operation.output) as JsonSchema);
}

/** Listed for tools without parameters, because Gemini's API refuses objects without properties. */
const NOTHING: Readonly<Record<string, JsonSchema>> = { q: { type: 'string' } };

/** Reduces a schema to what the APIs of all models accept (`test/server/mcp/tools/api-limits.json`). */
function briefInput(schema: JsonSchema, operation: Operation): JsonSchema {
  const { unlisted = [], secret = [], start = {} } = operation;
  const isTerse = terseOf(operation) === 'both';
  const { additionalProperties, ...rest } = tidy(schema);
  const listed = listedProperties(rest, unlisted);
  // Credentials are never required: a header may contain them, or the user enters them on a page.
  const required = rest.required?.filter((name) => !secret.includes(name) && !Object.hasOwn(start, name));
  const shown = new Set<string>();
  const properties = Object.fromEntries(
    listed.map(([name, property]) => {
      const { examples: [example] = [], ...brief } = briefProperty(property, isTerse);
      const isNew = example !== undefined && !shown.has(String(example));
      if (isNew) shown.add(String(example));
      const value = (start as Record<string, unknown>)[name];
      const said = [
        brief.description,
        isNew && !brief.description?.includes(String(example)) && `e.g. ${example}`,
        // OpenAI's strict functions do not accept `default`, so the description says it.
        brief.description && value !== undefined && value !== '' && `default ${value}`,
      ];
      return [name, omitUndefined({ ...brief, description: said.filter(Boolean).join(', ') || undefined })];
    }),
  );
  return omitUndefined({
    ...rest,
    required: required?.length ? required : undefined,
    properties: listed.length > 0 ? properties : NOTHING,
  });
}

function listedProperties(
  { properties = {} }: JsonSchema,
  unlisted: readonly string[],
): [string, JsonSchema][] {
  return Object.entries(properties)
    .filter(([name]) => !unlisted.includes(name))
    .map(([name, property]) => {
      const inner = unlisted.flatMap((path) =>
        path.startsWith(`${name}.`) ? path.slice(name.length + 1) : [],
      );
      if (inner.length === 0) return [name, property];
      return [name, { ...property, properties: Object.fromEntries(listedProperties(property, inner)) }];
    });
}

function terseOf({ family, terse }: Operation): Operation['terse'] {
  return family === undefined ? terse : 'both';
}

function briefProperty(property: JsonSchema, isTerse: boolean): JsonSchema {
  const {
    minLength,
    maxLength,
    minItems,
    maxItems,
    format,
    pattern,
    examples,
    items,
    $comment,
    propertyNames,
    ...rest
  } = property;
  if (property.anyOf || (property.type === 'object' && !property.properties))
    return asText(property, isTerse);
  const { description, minimum, maximum, ...bare } = rest;
  const isBounded = maximum !== undefined && maximum < TECHNICAL_BOUND;
  return omitUndefined({
    ...(isTerse ? bare : rest),
    examples: isTerse ? undefined : examples?.slice(0, 1),
    minimum: isTerse || (!isBounded && (minimum ?? 0) <= 1) ? undefined : minimum,
    maximum: isTerse || !isBounded ? undefined : maximum,
    items: items && { type: items.type },
    properties: rest.properties && mapValues(rest.properties, (inner) => briefProperty(inner, isTerse)),
  });
}

/** Declares a parameter as text if it accepts several types or any object, which is sent as JSON text. */
function asText({ description, examples }: JsonSchema, isTerse: boolean): JsonSchema {
  return omitUndefined({ type: 'string', ...(isTerse ? {} : { description, examples }) });
}

/** Maximums of at least this value are not listed, because they only protect the server. */
const TECHNICAL_BOUND = 10_000;

function tidy(schema: JsonSchema): JsonSchema {
  const { $schema, additionalProperties, minimum, maximum, ...rest } = schema;
  return omitUndefined({
    ...rest,
    minimum: isBound(minimum) ? minimum : undefined,
    maximum: isBound(maximum) ? maximum : undefined,
    items: schema.items && tidy(schema.items),
    anyOf: schema.anyOf?.map((one) => (one.const === undefined ? tidy(one) : { const: one.const })),
    properties: schema.properties && mapValues(schema.properties, tidy),
  });
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

export function briefOutputSchema(output: z.ZodObject, detail: Detail = {}): JsonSchema {
  return { type: 'object', ...membersOf(output, detail) };
}

interface Detail {
  readonly members?: number | undefined;
  readonly areItemsListed?: boolean;
}

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
