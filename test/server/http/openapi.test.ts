import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prompts } from '../../../prompts/index.ts';
import { ERROR_STATUS } from '../../../src/errors.ts';
import { createOpenApiWriter } from '../../../src/server/http/openapi/document.ts';
import { wholeNumberPattern } from '../../../src/server/http/openapi/parameters.ts';
import { parseInput } from '../../../src/server/input.ts';
import { operations } from '../../../tools/index.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';

/** OpenAPI as clients read it; `.ci/openapi` holds it against validators, and the server against it. */

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly type: string; readonly pattern?: string };
}
interface TextSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly object[];
  readonly properties?: Readonly<Record<string, TextSchema>>;
  readonly required?: readonly string[];
}
interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: TextSchema;
      };
    };
  };
  readonly responses: Record<string, { readonly $ref?: string }>;
  readonly 'x-openai-isConsequential': boolean;
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly responses: Record<string, { readonly content: object; readonly headers?: object }>;
  };
}

const folder = temporaryFolder();
const env = environment(folder.path);
let magpie: Running;

beforeAll(async () => {
  await runMagpie(['key', 'create', '--scope', 'read'], env);
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

const read = async (query = '') => {
  const response = await fetch(`${magpie.url}/openapi.json${query}`);
  return { status: response.status, body: (await response.json()) as Document & { error: string } };
};
const isText = (type: TextSchema['type']) => ['string', 'string,null'].includes(String(type));
const describedIn = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method, ...one })),
  );

describe('on a server with keys', () => {
  test('the document is readable without a key, names the requested address, and says that a key is needed', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body.servers).toEqual([{ url: magpie.url }]);
    expect(body.security).toEqual([{ bearer: [] }]);
    expect((await fetch(`${magpie.url}/list`)).status).toBe(401);
    expect(
      (await fetch(`${magpie.url}/openapi.json`, { headers: { origin: 'https://evil.example' } })).status,
    ).toBe(403);
  });

  test('each possible status is listed, with the error format of its path', async () => {
    const { body } = await read();
    const failures = [...Object.values(ERROR_STATUS), 405, 408, 431].map(String);
    for (const { path, responses } of describedIn(body)) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', 'default', ...failures]));
      for (const [status, { $ref }] of Object.entries(responses)) {
        if ($ref === undefined) continue;
        const name = $ref.split('/').at(-1) ?? '';
        const area = path.startsWith('/v1/') ? 'Problem' : 'Error';
        expect(name).toBe(`${area}${status === 'default' ? 'Other' : status}`);
        const type = area === 'Problem' ? 'application/problem+json' : 'application/json';
        expect(Object.keys(body.components.responses[name]?.content ?? {})).toEqual([type]);
      }
    }
    expect(Object.keys(body.components.responses.Error429?.headers ?? {})).toContain('Retry-After');
    expect(Object.keys(body.components.responses.Problem405?.headers ?? {})).toEqual(['Allow']);
  });

  test('path parameters are required, lists are lists, and numbers are strings within their range', async () => {
    const all = describedIn((await read()).body);
    const parameters = all.flatMap((one) => one.parameters);
    expect(parameters.filter((one) => one.in === 'path' && !one.required)).toEqual([]);
    expect(parameters.find(({ name }) => name === 'tags')).toMatchObject({
      schema: { type: 'array', items: { type: 'string' } },
      style: 'form',
      explode: false,
    });
    const percentile = parameters.find(({ name }) => name === 'percentile')?.schema;
    expect(percentile).toMatchObject({ type: 'string' });
    const pattern = new RegExp(percentile?.pattern ?? '');
    expect(['0', '1', '007', '100', '101', 'x'].map((text) => pattern.test(text))).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('an optional text of a body may be empty, which means not given; a GPT Action leaves it out', async () => {
    const texts = (document: Document) =>
      describedIn(document).flatMap(({ operationId, requestBody }) => {
        const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
        return Object.entries(properties)
          .filter(([name, { type }]) => isText(type) && !required.includes(name))
          .map(([name, schema]) => ({ place: `${operationId}.${name}`, schema }));
      });
    const found = texts((await read()).body);
    const of = (place: string) => found.find((one) => one.place === place)?.schema;
    expect(found.length).toBeGreaterThan(10);
    for (const { place, schema } of found) {
      const { format, pattern, minLength = 0, enum: values = [''] } = schema;
      expect([place, format, pattern, minLength, values.includes('')]).toEqual([
        place,
        undefined,
        undefined,
        0,
        true,
      ]);
    }
    expect(of('upsertjson.url')).toMatchObject({ anyOf: [{ format: 'uri' }, { maxLength: 0 }] });
    expect(of('updateEntry.text')).toMatchObject({ anyOf: [{ pattern: '\\S' }, { maxLength: 0 }] });
    const action = texts((await read('?toolset=knowledge')).body);
    for (const { schema } of action) expect(schema).not.toHaveProperty('anyOf');
    expect(action.find(({ place }) => place === 'upsertjson.url')?.schema).toMatchObject({ format: 'uri' });
    const scan = texts((await read('?toolset=security')).body).find(({ place }) => place === 'scan.severity');
    expect(scan?.schema.enum).not.toContain('');
  });
});

test('null of an optional member, at any depth, is described as taken and is not given', async () => {
  const { body } = await read();
  let members = 0;
  /** Returns the example with null for each optional member that it lacks, and checks that the schema takes null there. */
  const filled = (schema: TextSchema, given: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        if (member.properties && name in given) return [name, filled(member, given[name] as typeof given)];
        if (required.includes(name)) {
          for (const none of ['null', null]) expect([member.type, member.enum].flat()).not.toContain(none);
          return [name, given[name]];
        }
        members++;
        expect([name, member]).toEqual([name, member.anyOf && !member.type ? takesNull : typedNull]);
        if (member.enum) expect(member.enum).toContain(null);
        return [name, null];
      }),
    );
  };
  const typedNull = expect.objectContaining({ type: expect.arrayContaining(['null']) });
  const takesNull = expect.objectContaining({ anyOf: expect.arrayContaining([{ type: 'null' }]) });
  for (const { path, requestBody } of describedIn(body)) {
    const operation = operations.find(({ routes }) => (routes as readonly string[]).includes(`POST ${path}`));
    if (!requestBody || !operation) continue;
    const { schema } = requestBody.content['application/json'];
    const example = operation.example as Record<string, unknown>;
    const required = Object.fromEntries(
      Object.entries(example).filter(([name]) => schema.required?.includes(name)),
    );
    expect(parseInput(operation, filled(schema, required), 'ignore')).toEqual(
      parseInput(operation, required, 'ignore'),
    );
    const options = Object.keys(schema.properties ?? {}).filter(
      (name) => schema.properties?.[name]?.properties,
    );
    const whole = { ...required, ...Object.fromEntries(options.map((name) => [name, {}])) };
    expect(parseInput(operation, filled(schema, whole), 'ignore')).toEqual(
      parseInput(operation, whole, 'ignore'),
    );
  }
  expect(members).toBeGreaterThan(60);
  const action = (await read('?toolset=security')).body;
  expect(JSON.stringify(action.paths)).not.toMatch(/"null"|null\]/);
});

describe('a document for a GPT Action', () => {
  test.each(['web', 'knowledge', 'documents', 'automation', 'security', 'essential', 'web,documents'])(
    'toolset=%s: at most 30 operations, unique ids, short descriptions, no headers',
    async (toolset) => {
      const { status, body } = await read(`?toolset=${toolset}`);
      expect(status).toBe(200);
      expect(new URL(body.servers[0]?.url ?? '').protocol).toBe('http:');
      const all = describedIn(body);
      expect(all.length).toBeGreaterThan(0);
      expect(all.length).toBeLessThanOrEqual(30);
      expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
      const [declared, groups] = [new Map(operations.map((one) => [one.name, one])), toolset.split(',')];
      for (const one of all) {
        const operation = declared.get(one.operationId);
        expect(groups.includes('essential') ? operation?.essential : groups).toEqual(
          groups.includes('essential') ? true : expect.arrayContaining([operation?.toolset]),
        );
        expect(one['x-openai-isConsequential']).toBe(operation?.effect !== 'read');
        expect(one.parameters.map((parameter) => parameter.in)).not.toContain('header');
      }
      const text = JSON.stringify(body);
      for (const [, description = ''] of text.matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)) {
        expect(description.length).toBeLessThanOrEqual(310);
      }
      JSON.parse(text, (_, value) => {
        if (value?.type === 'object') expect(value).toHaveProperty('properties');
        if (value?.properties) expect(value.type).toBe('object');
        expect(value?.type).not.toBeInstanceOf(Array);
        if (typeof value?.description === 'string') expect(value.description.length).toBeLessThanOrEqual(300);
        return value;
      });
    },
  );

  test('an unknown toolset is refused with the accepted ones, and too many operations are refused', async () => {
    const unknown = await read('?toolset=web,wbe');
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      'toolset is "wbe": it takes names out of web, knowledge, documents, automation, security, essential, separated by commas',
    ]);
    const all = await read('?toolset=web,knowledge,documents,automation,security');
    expect([all.status, all.body.error]).toEqual([
      400,
      expect.stringMatching(/have \d\d operations, .* at most 30/),
    ]);
  });

  test('a long description is cut at the end of a sentence', () => {
    const [first] = operations;
    const long = { ...first, description: `${'Some words of it. '.repeat(16)}And ${'more '.repeat(40)}` };
    const catalog = { operations: [long as (typeof operations)[number]], prompts };
    const document = createOpenApiWriter(catalog);
    const [one] = describedIn(JSON.parse(document({ url: 'http://x', open: true, toolset: 'web' })));
    expect(one?.description).toBe('Some words of it. '.repeat(16).trim());
    const [whole] = describedIn(JSON.parse(document({ url: 'http://x', open: true })));
    expect(whole?.description).toBe(long.description);
  });
});

test('the pattern of a range matches exactly its numbers', () => {
  for (const [min, max] of [
    [1, 100],
    [0, 7],
    [3, 57],
    [95, 1234],
    [19, 21],
    [100, 100],
    [0, 999],
  ] as const) {
    const pattern = new RegExp(wholeNumberPattern(min, max));
    for (let number = 0; number <= 2 * max + 20; number++) {
      expect(pattern.test(String(number)), `${number} of ${min} to ${max}`).toBe(
        number >= min && number <= max,
      );
    }
  }
  const open = new RegExp(wholeNumberPattern(37));
  expect([36, 37, 99, 100, 12_345, 10 ** 16].map((number) => open.test(String(number)))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});
