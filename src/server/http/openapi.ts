import { credentialHeader } from '../../lib/credential-header.ts';
import type { Catalog, Operation } from '../../operation.ts';
import { VERSION } from '../../version.ts';
import { inputSchema, type JsonSchema, takes } from '../input.ts';
import { outputSchema } from '../mcp/tools.ts';
import { splitRoute } from './rest.ts';

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'What is wrong and what to do' } },
};

/** The OpenAPI 3.1 document, read from the declarations. */
export function openApi({ operations }: Catalog, publicUrl?: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    operation.routes.forEach((route, index) => {
      const { method, path } = splitRoute(route);
      paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation, method, path, index) };
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Magpie',
      version: VERSION,
      description: 'Web search and page reading, a personal knowledge base, security scans.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    paths,
    components: { schemas: { Error: ERROR } },
  };
}

function describe(operation: Operation, method: 'GET' | 'POST', path: string, index: number) {
  const { name, title, description, toolset, example } = operation;
  const input = inputSchema(operation);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  const parameters = Object.entries(input.properties ?? {})
    .filter(([parameter]) => method === 'GET' || inPath.includes(parameter))
    .map(([parameter, schema]) => ({
      name: parameter,
      in: inPath.includes(parameter) ? 'path' : 'query',
      required: input.required?.includes(parameter) ?? false,
      description: [schema.description, `Takes ${takes(schema)}.`].filter(Boolean).join('. '),
      schema: asString(schema),
      example: parameter in example ? String((example as Record<string, unknown>)[parameter]) : undefined,
    }));
  const inHeaders = (operation.secret ?? []).map((parameter) => ({
    name: credentialHeader(parameter),
    in: 'header',
    required: false,
    description: `${parameter}, kept out of the address`,
    schema: { type: 'string' },
  }));
  return {
    // The second path of an operation needs another id: OpenAPI's are unique.
    operationId: index === 0 ? name : `${name}_${index + 1}`,
    summary: title,
    description,
    tags: [toolset],
    parameters: [...parameters, ...inHeaders],
    requestBody:
      method === 'POST'
        ? { required: true, content: { 'application/json': { schema: input, example } } }
        : undefined,
    responses: {
      200: {
        description: 'The answer',
        content: {
          'application/json': { schema: outputSchema(operation) },
          ...Object.fromEntries((operation.types ?? []).map((type) => [type, {}])),
        },
      },
      202: operation.laterAt && {
        description:
          'Accepted, as `Prefer: respond-async` asked for; `Location` is the address of the answer',
        headers: { Location: { schema: { type: 'string' } } },
        content: { 'application/json': { schema: outputSchema(operation) } },
      },
      400: error('A parameter is missing or not usable'),
      default: error('The operation failed'),
    },
  };
}

/** The contract types every query parameter as a string; the pattern says what the string holds. */
function asString(schema: JsonSchema): JsonSchema {
  const { type, minimum, maximum, description, ...rest } = schema;
  return type === 'integer' ? { type: 'string', pattern: '^[0-9]+$' } : { ...rest, type: 'string' };
}

function error(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}
