import { z } from 'zod';
import { badRequestError } from '../errors.ts';
import { didYouMeanParameter } from '../lib/did-you-mean-parameter.ts';
import { isBlankText } from '../lib/text/invisible.ts';
import { decodeValue, type InputWriter, isOmitted } from './decode-input.ts';
import type { JsonSchema } from './json-schema.ts';

export interface InputDeclaration {
  readonly name: string;
  readonly input: z.ZodObject;
  readonly secret?: readonly string[];
  /** Parameters that clients see as required, although `input` does not require them. */
  readonly needed?: readonly string[];
}

const MAX_NAMED = 5;

const inputs = new WeakMap<InputDeclaration, JsonSchema>();

export function inputSchema(operation: InputDeclaration): JsonSchema {
  let schema = inputs.get(operation);
  if (!schema) {
    const { $schema, ...rest } = z.toJSONSchema(operation.input, { io: 'input' }) as JsonSchema;
    const { needed = [] } = operation;
    schema = needed.length === 0 ? rest : { ...rest, required: [...(rest.required ?? []), ...needed] };
    inputs.set(operation, schema);
  }
  return schema;
}

/** Adds the defaults in `start` for missing parameters. REST does not, because its API requires them. */
export function addInputDefaults(
  { start = {} }: { readonly start?: object },
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const lacks = ([name]: [string, unknown]) =>
    !Object.hasOwn(given, name) || isOmitted(given[name], {}, 'assistant');
  return { ...given, ...Object.fromEntries(Object.entries(start).filter(lacks)) };
}

export function parseInput(
  operation: InputDeclaration,
  raw: Readonly<Record<string, unknown>>,
  unknown: 'ignore' | 'reject',
): Record<string, unknown> {
  const schema = inputSchema(operation);
  const properties = schema.properties ?? {};
  const decoded = decodeInput(schema, raw, unknown === 'reject' ? 'assistant' : 'program');
  const said = unknown === 'reject' && unknownWords(operation.name, { ...raw, ...decoded }, schema);
  if (said) throw badRequestError(said);
  const result = operation.input.safeParse(decoded);
  if (result.success) return result.data;
  const invalid = new Set(result.error.issues.map(({ path }) => String(path[0] ?? '')));
  const problems = [...invalid].map((name) =>
    problemWith(
      name,
      raw[name],
      path(result.error, name),
      properties[name],
      operation.secret?.includes(name),
    ),
  );
  throw badRequestError(problems.join('; '));
}

export function decodeInput(
  { properties = {}, required }: JsonSchema,
  raw: Readonly<Record<string, unknown>>,
  source: InputWriter,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(raw, name) || raw[name] === undefined) continue;
    if (isOmitted(raw[name], property, source) && !required?.includes(name)) continue;
    decoded[name] = decodeValue(raw[name], property, source);
  }
  return decoded;
}

function path(error: z.ZodError, name: string): string {
  const issue = error.issues.find((candidate) => String(candidate.path[0] ?? '') === name);
  return (issue?.path ?? [name]).map(String).join('.');
}

/** Matches parameters that clients add for caching or statistics. No parameter of Magpie has such a name. */
const ADDED = /^(?:_|utm_)/;

export function describeIgnoredParameters(
  operation: InputDeclaration,
  raw: Readonly<Record<string, unknown>>,
): string | undefined {
  const given = Object.fromEntries(Object.entries(raw).filter(([name]) => !ADDED.test(name)));
  const said = unknownWords(operation.name, given, inputSchema(operation));
  return said && `ignored: ${said}`;
}

function unknownWords(owner: string, value: unknown, { properties, items }: JsonSchema): string | undefined {
  if (items && Array.isArray(value)) {
    return value.map((item) => unknownWords(owner, item, items)).find((said) => said !== undefined);
  }
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const known = Object.keys(properties);
  if (strangers.length > 0) {
    const named = strangers.slice(0, MAX_NAMED).map((name) => shown(name) + didYouMeanParameter(name, known));
    const more = strangers.length > MAX_NAMED ? ` and ${strangers.length - MAX_NAMED} more` : '';
    return `unknown parameter ${named.join(', ')}${more}: ${owner} takes ${known.length > 0 ? known.join(', ') : 'no parameters'}`;
  }
  for (const [name, inner] of Object.entries(value)) {
    const property = properties[name];
    const said = property && unknownWords(`${owner}.${name}`, inner, property);
    if (said !== undefined) return said;
  }
  return undefined;
}

function problemWith(
  name: string,
  value: unknown,
  where: string,
  schema: JsonSchema | undefined,
  secret = false,
): string {
  const wanted = describeAcceptedValues(schema ?? {});
  if (value === undefined || value === null || (typeof value === 'string' && isBlankText(value))) {
    if (name !== 'q') return `${name} is required: ${wanted}`;
    return `no query was provided: q is required, ${mayBeEmpty(schema) ? 'and may be empty (q=)' : wanted}`;
  }
  const { maxLength } = schema ?? {};
  if (typeof value === 'string' && maxLength !== undefined && value.length > maxLength) {
    return `${name} has ${value.length} characters: it takes at most ${maxLength}`;
  }
  if (secret) return `${where} is not usable: ${name} takes ${wanted}`;
  const item = itemAt(value, schema, where);
  if (item !== undefined)
    return `${name} has ${shown(item)}: it takes ${describeAcceptedValues(schema?.items ?? {})}`;
  if (where !== name) return `${where} is not usable: ${withinTakes(schema, where.split('.').slice(1))}`;
  const remark = schema?.format === 'uri' && typeof value === 'string' ? addressRemark(value) : '';
  return `${name} is ${shown(value)}${remark}: it takes ${wanted}`;
}

const MAX_PORT = 65_535;

function addressRemark(text: string): string {
  const [, port] = /^https?:\/\/[^/?#]{0,300}:(\d{1,20})(?:[/?#]|$)/i.exec(text) ?? [];
  if (Number(port) > MAX_PORT) return `, whose port is over ${MAX_PORT}`;
  const [within] = /https?:\/\/[^\s<>()[\]"'`]{1,300}/i.exec(text) ?? [];
  if (within !== undefined) return within === text || !URL.canParse(within) ? '' : meant(within);
  const bare = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}$/i.test(text);
  return bare ? meant(`https://${text}`) : '';
}

const meant = (address: string): string => ` (did you mean ${address.slice(0, 110)}?)`;

function itemAt(value: unknown, schema: JsonSchema | undefined, where: string): unknown {
  const [, at, ...deeper] = where.split('.');
  if (!schema?.items || at === undefined || deeper.length > 0) return undefined;
  const list = decodeValue(value, schema, 'assistant');
  return Array.isArray(list) ? (list[Number(at)] as unknown) : undefined;
}

function withinTakes(schema: JsonSchema | undefined, steps: readonly string[]): string {
  let inner = schema;
  for (const step of steps) inner = inner?.properties?.[step] ?? inner?.items;
  return `it takes ${describeAcceptedValues(inner ?? schema ?? {})}`;
}

function mayBeEmpty({ type, minLength, format, pattern, enum: values }: JsonSchema = {}): boolean {
  return type === 'string' && !minLength && format === undefined && pattern === undefined && !values;
}

function shown(value: unknown): string {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

export function describeAcceptedValues(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(describeAcceptedValues).join(', or ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `a whole number ${range(schema)}`.trim();
    case 'number':
      return `a number ${range(schema)}`.trim();
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list, each ${describeAcceptedValues(schema.items ?? {})}`;
    case 'object': {
      const names = Object.keys(schema.properties ?? {});
      return names.length > 0 ? `an object with ${names.join(', ')}` : 'a JSON object';
    }
    default:
      if (schema.examples?.length) {
        const more = schema.$comment === undefined ? '' : ` (${schema.$comment})`;
        return `a value such as ${schema.examples.join(', ')}${more}`;
      }
      if (schema.$comment !== undefined) return schema.$comment;
      return schema.format === 'uri' ? 'an http or https URL such as https://example.com/page' : 'text';
  }
}

function range({ minimum, maximum }: JsonSchema): string {
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && bounded) return `from ${minimum} to ${maximum}`;
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) return `from ${minimum}`;
  return bounded ? `up to ${maximum}` : '';
}
