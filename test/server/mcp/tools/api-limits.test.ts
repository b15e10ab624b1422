import { readFileSync } from 'node:fs';
import type { Tool } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { inputSchema } from '../../../../src/server/input.ts';
import type { JsonSchema } from '../../../../src/server/json-schema.ts';
import { toolListing } from '../../../../src/server/mcp/tools/tools.ts';
import { operations } from '../../../../tools/index.ts';

/** The list of tools beside what the APIs of models and their clients take of it, by what they publish. */

interface ApiLimits {
  readonly name: string;
  /** Addresses of the documents that say so. */
  readonly sources: readonly string[];
  readonly toolName: string;
  readonly maxTools: number;
  /** True if all members have to be required and no other may be there, to which clients convert a schema. */
  readonly isStrict?: boolean;
  readonly keywords?: readonly string[];
  readonly types?: readonly string[];
  readonly formats?: readonly string[];
  readonly parameterName?: string;
  readonly maxDepth?: number;
  readonly maxProperties?: number;
  readonly maxEnumValues?: number;
  readonly maxTextCharacters?: number;
  /** What a client puts before a tool's name, for a server that its user has called magpie. */
  readonly prefix?: string;
  readonly maxPrefixedName?: number;
}

const APIS: readonly ApiLimits[] = JSON.parse(
  readFileSync(new URL('./api-limits.json', import.meta.url), 'utf8'),
);
const TOOLS = operations.map(toolListing);

/** All schemas within a schema, each with its place. */
function* schemasIn(schema: JsonSchema, place: string, depth = 0): Generator<Found> {
  yield { schema, place, depth };
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* schemasIn(inner, `${place}.${name}`, depth + 1);
  if (schema.items) yield* schemasIn(schema.items, `${place}[]`, depth);
  for (const one of schema.anyOf ?? []) yield* schemasIn(one, `${place}|`, depth);
}

interface Found {
  readonly schema: JsonSchema;
  readonly place: string;
  readonly depth: number;
}

/** The conversion of OpenAI's and others' libraries to a strict schema. */
function toStrict(schema: JsonSchema): JsonSchema {
  const { properties, required = [], items } = schema;
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const strict = toStrict(member);
    return [name, required.includes(name) ? strict : { ...strict, type: [strict.type, 'null'].flat() }];
  });
  return {
    ...schema,
    ...(items && { items: toStrict(items) }),
    ...(properties && {
      properties: Object.fromEntries(members),
      required: Object.keys(properties),
      additionalProperties: false,
    }),
  };
}

function problemsOf(input: JsonSchema, name: string, api: ApiLimits): string[] {
  const found = [...schemasIn(api.isStrict ? toStrict(input) : input, name)];
  const said = found.flatMap(({ schema, place, depth }) => [
    ...Object.keys(schema).map((key) => api.keywords?.includes(key) === false && `${place} has ${key}`),
    schema.anyOf && Object.keys(schema).length > 1 && `${place} has anyOf beside other members`,
    schema.type === undefined && !schema.anyOf && `${place} has no type`,
    ...[schema.type ?? []]
      .flat()
      .map((type) => api.types?.includes(type) === false && `${place} is of type ${type}`),
    Array.isArray(schema.type) && !api.isStrict && `${place} has several types`,
    schema.type === 'object' && !Object.keys(schema.properties ?? {}).length && `${place} has no properties`,
    schema.type !== 'object' && !api.isStrict && schema.properties && `${place} has properties`,
    schema.type === 'array' && !schema.items && `${place} has no items`,
    schema.format && api.formats?.includes(schema.format) === false && `${place} has format ${schema.format}`,
    schema.enum?.some((one) => typeof one !== 'string') && `${place} lists values that are no text`,
    schema.required?.some((one) => !Object.hasOwn(schema.properties ?? {}, one)) &&
      `${place} requires what it does not have`,
    depth > (api.maxDepth ?? depth) && `${place} is too deep`,
    ...Object.keys(schema.properties ?? {}).map(
      (key) => !new RegExp(api.parameterName ?? '').test(key) && `${place}.${key} has a wrong name`,
    ),
  ]);
  const enums = found.flatMap(({ schema }) => schema.enum ?? []);
  const names = found.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  const totals = [
    enums.length > (api.maxEnumValues ?? enums.length) && `${name} has too many values`,
    names.length > (api.maxProperties ?? names.length) && `${name} has too many properties`,
    [...enums, ...names].join('').length > (api.maxTextCharacters ?? Number.POSITIVE_INFINITY) &&
      `${name} has too long names`,
  ];
  return [...said, ...totals].filter((one) => typeof one === 'string');
}

const schemaOf = ({ inputSchema: schema }: Pick<Tool, 'inputSchema'>) => schema as JsonSchema;

describe.each(APIS)('$name', (api) => {
  test('takes the names and the number of the tools', () => {
    expect(api.sources.length).toBeGreaterThan(0);
    for (const source of api.sources) expect(source).toMatch(/^https:\/\//);
    expect(TOOLS.length).toBeLessThanOrEqual(api.maxTools);
    for (const { name } of TOOLS) {
      expect(name).toMatch(new RegExp(api.toolName));
      const prefixed = `${api.prefix ?? ''}${name}`;
      expect(prefixed.length, prefixed).toBeLessThanOrEqual(api.maxPrefixedName ?? 64);
    }
  });

  test.each(TOOLS.map((tool) => [tool.name, tool] as const))('takes the input of %s', (name, tool) => {
    expect(schemaOf(tool).type).toBe('object');
    expect(problemsOf(schemaOf(tool), name, api)).toEqual([]);
  });
});

test.each([
  [{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }], description: 'x' } } }, 'anyOf beside'],
  [{ type: 'object', properties: { a: { type: 'object' } } }, 'a has no properties'],
  [{ type: 'object', properties: {} }, 't has no properties'],
  [{ type: 'object', properties: { a: { type: ['string', 'null'] } } }, 'several types'],
  [{ type: 'object', properties: { a: { type: 'array' } } }, 'no items'],
  [{ type: 'object', properties: { a: { const: 'x' } } }, 'has const'],
  [{ type: 'object', properties: { a: { type: 'string', examples: ['x'] } } }, 'has examples'],
  [{ type: 'object', properties: { a: { type: 'string', format: 'uri' } } }, 'format uri'],
] as [JsonSchema, string][])('%#: a schema that Vertex refuses is found', (schema, problem) => {
  const vertex = APIS.find(({ name }) => name === 'Vertex AI') as ApiLimits;
  expect(problemsOf(schema, 't', vertex).join('; ')).toContain(problem);
});

test('every listed parameter is one of its operation, and an operation without any has one that is ignored', () => {
  for (const operation of operations) {
    const listed = Object.keys(schemaOf(toolListing(operation)).properties ?? {});
    const own = Object.keys(inputSchema(operation).properties ?? {});
    if (own.length === 0) expect([operation.name, ...listed]).toEqual([operation.name, 'q']);
    else expect(own).toEqual(expect.arrayContaining(listed));
  }
});

/** By what an answer may have: whole pages and texts, up to 100 passages with neighbours, thousands of findings. */
const LARGE = [
  ...['search', 'searchgiant', 'hybrid', 'browse', 'browsegiant', 'browseByUrl'],
  ...['query', 'pdfsearch', 'queryUsersKnowledgeBase', 'listEntries', 'listpdfs', 'listMonitors', 'getScan'],
];

test('tools with large answers say so to Claude Code, which puts others into files', () => {
  const told = TOOLS.filter(({ _meta }) => _meta?.['anthropic/maxResultSizeChars'] === 500_000);
  expect(told.map(({ name }) => name).toSorted()).toEqual(LARGE.toSorted());
});
