import { expect, test } from 'vitest';
import { z } from 'zod';
import { listedFields } from '../../../../src/operation.ts';
import type { JsonSchema } from '../../../../src/server/json-schema.ts';
import { briefOutputSchema, toolListing } from '../../../../src/server/mcp/tools/tools.ts';
import { operations } from '../../../../tools/index.ts';

/** What a model reads of an output, beside the whole schema as the library writes it. */

/** Where a brief schema says something that the whole one does not. */
function contradictions(brief: JsonSchema, whole: JsonSchema, at = ''): string[] {
  const { type, properties = {}, items } = brief;
  const own = type !== undefined && whole.type !== type ? [`${at} is not of type ${String(type)}`] : [];
  const inner = Object.entries(properties).flatMap(([name, member]) => {
    const same = whole.properties?.[name];
    return same ? contradictions(member, same, `${at}.${name}`) : [`${at} has no member ${name}`];
  });
  return [...own, ...inner, ...(items ? contradictions(items, whole.items ?? {}, `${at}[]`) : [])];
}

/** Lists of objects whose items' fields a schema leaves out. */
function hollow(brief: JsonSchema, whole: JsonSchema, at = ''): string[] {
  const inner = Object.entries(brief.properties ?? {}).flatMap(([name, member]) =>
    hollow(member, whole.properties?.[name] ?? {}, `${at}.${name}`),
  );
  if (!whole.items?.properties) return inner;
  const named = Object.keys(brief.items?.properties ?? {}).length > 0;
  return named ? hollow(brief.items ?? {}, whole.items, `${at}[]`) : [`${at} is hollow`];
}

test.each(operations.map((operation) => ({ name: operation.name, operation })))(
  '$name lists the fields of its items correctly',
  ({ operation }) => {
    const brief = toolListing(operation).outputSchema as JsonSchema;
    const whole = z.toJSONSchema(operation.output) as JsonSchema;
    expect(brief.type).toBe('object');
    expect(contradictions(brief, whole)).toEqual([]);
    // Another word of a family leaves the items to its first.
    if (operation.family === undefined) expect(hollow(brief, whole)).toEqual([]);
  },
);

test('every type of member is described', () => {
  const text = { type: 'string' };
  const output = z.object({
    text: z.string().max(5),
    date: z.iso.datetime(),
    word: z.enum(['a', 'b']),
    whole: z.int(),
    number: z.number().optional(),
    yes: z.boolean(),
    words: z.array(z.string()),
    list: z.array(z.object({ deep: z.string(), deeper: z.array(z.object({ end: z.int() })) })).optional(),
    part: z.object({ deep: z.object({ deeper: z.string() }) }),
    few: z.object({ one: z.string(), other: z.string() }).register(listedFields, { fields: ['one'] }),
    none: z.object({ one: z.string() }).register(listedFields, { fields: [] }),
    table: z.record(z.string(), z.number()),
    either: z.union([z.string(), z.number()]),
    perhaps: z.string().nullable(),
    fallback: z.string().default('x'),
    always: z.literal('yes'),
    any: z.unknown(),
  });
  expect(briefOutputSchema(output)).toEqual({
    type: 'object',
    properties: {
      text,
      date: text,
      word: text,
      whole: { type: 'integer' },
      number: { type: 'number' },
      yes: { type: 'boolean' },
      words: { type: 'array' },
      list: {
        type: 'array',
        items: {
          properties: {
            deep: text,
            deeper: { type: 'array', items: { properties: { end: { type: 'integer' } } } },
          },
        },
      },
      part: { properties: { deep: { properties: { deeper: text } } } },
      few: { properties: { one: text } },
      none: { type: 'object' },
      table: { type: 'object' },
      either: { type: ['string', 'number'] },
      perhaps: { type: ['string', 'null'] },
      fallback: text,
      always: text,
      any: {},
    },
  });
});

test('only the first members are listed when another tool describes the rest', () => {
  const item = z.object({ deep: z.string(), second: z.int(), third: z.int() });
  const output = z.object({ list: z.array(item), words: z.array(z.string()), more: z.string() });
  const properties = { deep: { type: 'string' }, second: { type: 'integer' } };
  expect(briefOutputSchema(output, { members: 2 })).toEqual({
    type: 'object',
    properties: { list: { type: 'array', items: { properties } }, words: { type: 'array' } },
  });
  expect(briefOutputSchema(output, { members: 1, areItemsListed: false })).toEqual({
    type: 'object',
    properties: { list: { type: 'array' } },
  });
});
