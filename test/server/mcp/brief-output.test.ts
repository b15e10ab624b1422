import { expect, test } from 'vitest';
import { z } from 'zod';
import { briefOutput } from '../../../src/server/mcp/brief-output.ts';
import { operations } from '../../../tools/index.ts';

/** What a model is told of an output, beside the whole schema as the library writes it. */

interface Whole {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly required?: readonly string[];
}

function firstLevel(output: z.ZodObject) {
  const { properties = {}, required } = z.toJSONSchema(output) as Whole;
  const types = Object.entries(properties).map(([name, { type }]) => [
    name,
    type === undefined ? {} : { type },
  ]);
  return { type: 'object', properties: Object.fromEntries(types), ...(required && { required }) };
}

test.each(operations.map(({ name, output }) => ({ name, output })))('$name', ({ output }) => {
  expect(briefOutput(output)).toEqual(firstLevel(output));
});

test('every kind of member', () => {
  const output = z.object({
    text: z.string().max(5),
    date: z.iso.datetime(),
    word: z.enum(['a', 'b']),
    whole: z.int(),
    number: z.number().optional(),
    yes: z.boolean(),
    list: z.array(z.object({ deep: z.string() })).optional(),
    part: z.object({ deep: z.object({ deeper: z.string() }) }),
    table: z.record(z.string(), z.number()),
    either: z.union([z.string(), z.number()]),
    perhaps: z.string().nullable(),
    fallback: z.string().default('x'),
    always: z.literal('yes'),
    any: z.unknown(),
  });
  expect(briefOutput(output)).toEqual(firstLevel(output));
  expect(briefOutput(z.object({ only: z.string().optional() }))).toEqual(
    firstLevel(z.object({ only: z.string().optional() })),
  );
});
