import { ERROR_STATUS, type ErrorCode } from '../../../errors.ts';
import type { Operation } from '../../../operation.ts';
import { outputSchema } from '../../mcp/tools/tools.ts';
import { JSON_TYPE, PROBLEM_TYPE, usesProblemDetails } from '../edge.ts';
import words from './failure-words.json' with { type: 'json' };

const OF_CODES: Readonly<Record<ErrorCode, string>> = words.codes;

const OF_HTTP: Readonly<Record<number, string>> = words.http;

const FAILURES: ReadonlyMap<number, string> = new Map(
  [
    ...Object.entries(OF_HTTP).map(([status, words]) => [Number(status), words] as const),
    ...Object.entries(OF_CODES).map(([code, words]) => [ERROR_STATUS[code as ErrorCode], words] as const),
  ].sort(([a], [b]) => a - b),
);

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds', schema: { type: 'string', pattern: '^[0-9]+$' } },
};
const RATE_LIMIT = {
  RateLimit: {
    description: 'What is left of the quota (r), and seconds until it is whole (t)',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: 'The quota (q) of so many seconds (w)', schema: { type: 'string' } },
};
const ALLOW = { Allow: { description: 'The methods that the path takes', schema: { type: 'string' } } };
const CHALLENGE = { 'WWW-Authenticate': { description: 'RFC 6750', schema: { type: 'string' } } };
const HEADERS: Readonly<Record<number, object>> = {
  401: CHALLENGE,
  405: ALLOW,
  429: { ...RETRY_AFTER, ...RATE_LIMIT },
  503: RETRY_AFTER,
};

const error = { type: 'string', description: 'What is wrong and what to do' };

const SCHEMAS = {
  Error: { type: 'object', required: ['error'], properties: { error } },
  Problem: {
    type: 'object',
    description: 'RFC 9457, and `error` with the same text as `detail`',
    required: ['error', 'type', 'title', 'status', 'detail'],
    properties: {
      error,
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
    },
  },
};
type ResponseKind = keyof typeof SCHEMAS;

export function failureComponents(paths: readonly string[]): { schemas: object; responses: object } {
  const kinds = [...new Set(paths.map(kindOf))];
  const responses = kinds.flatMap((kind) => [
    ...[...FAILURES].map(([status, words]) => [`${kind}${status}`, failure(kind, words, HEADERS[status])]),
    [`${kind}Other`, failure(kind, 'Any other failure')],
  ]);
  return {
    schemas: Object.fromEntries(kinds.map((kind) => [kind, SCHEMAS[kind]])),
    responses: Object.fromEntries(responses),
  };
}

function failure(kind: ResponseKind, description: string, headers?: object) {
  const type = kind === 'Problem' ? PROBLEM_TYPE : JSON_TYPE;
  return { description, headers, content: { [type]: { schema: { $ref: `#/components/schemas/${kind}` } } } };
}

const kindOf = (path: string): ResponseKind => (usesProblemDetails(path) ? 'Problem' : 'Error');

export function openApiResponses(operation: Operation, path: string): Record<string, unknown> {
  const json = { [JSON_TYPE]: { schema: outputSchema(operation) } };
  const others = Object.fromEntries((operation.types ?? []).map((type) => [type, {}]));
  const accepted = operation.laterAt && {
    description: 'Accepted: the answer is not there yet, and `Location` is its address',
    headers: {
      Location: { description: 'Path of the answer', schema: { type: 'string' } },
      'Preference-Applied': { description: 'RFC 7240', schema: { type: 'string' } },
      ...RETRY_AFTER,
    },
    content: json,
  };
  return {
    200: { description: 'The answer', content: { ...json, ...others } },
    202: accepted,
    ...openApiFailures(path),
  };
}

export function openApiFailures(path: string): Record<string, object> {
  const kind = kindOf(path);
  const ref = (name: string | number) => ({ $ref: `#/components/responses/${kind}${name}` });
  const known = [...FAILURES.keys()].map((status) => [status, ref(status)] as const);
  return { ...Object.fromEntries(known), default: ref('Other') };
}
