import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { AppError, badRequestError } from '../../errors.ts';
import type { Operation, RestRoute } from '../../operation.ts';
import { credentialsInHeaders } from '../credential-pages.ts';
import { describeIgnoredParameters, inputSchema } from '../input.ts';
import { invokeOperation, type OperationPipeline, readOnlyError } from '../invoke.ts';
import { disconnectSignal, type HttpEnv, methodNotAllowedResponse } from './edge.ts';
import { refuseUnintendedRequest } from './guard.ts';
import { readJsonBody } from './json-request.ts';

export function createRest(pipe: OperationPipeline): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const operation of pipe.catalog.operations) {
    for (const route of operation.routes) {
      const { method, path } = splitRoute(route);
      app.on(method, honoPath(path), (c) => answer(pipe, operation, c));
      app.all(honoPath(path), (c) => methodNotAllowedResponse(c, method === 'GET' ? 'GET, HEAD' : method));
    }
  }
  for (const { name, routes } of pipe.catalog.withheld ?? []) {
    for (const route of routes) {
      app.all(honoPath(splitRoute(route).path), () => {
        throw readOnlyError(name);
      });
    }
  }
  return app;
}

export function splitRoute(route: RestRoute): { method: 'GET' | 'POST'; path: string } {
  const [method, path] = route.split(' ');
  return { method: method === 'POST' ? 'POST' : 'GET', path: path ?? '/' };
}

const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const ANSWER = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

async function answer(pipe: OperationPipeline, operation: Operation, c: Context<HttpEnv>): Promise<Response> {
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'application/json' });
  const open = c.get('caller').credential === undefined;
  const parameters = c.req.method === 'GET' ? queryOf(c, operation) : undefined;
  const effect = parameters && operation.writes?.(parameters) ? 'write' : operation.effect;
  const request = { headers: c.env.incoming.headers, listed: c.get('listed'), open };
  refuseUnintendedRequest({ name: operation.name, effect }, request);
  return answerTo(pipe, operation, c, parameters ?? (await bodyOf(c)));
}

async function answerTo(
  pipe: OperationPipeline,
  operation: Operation,
  c: Context<HttpEnv>,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const asked = c.req.method === 'GET' ? operation.linkType?.(parameters) : undefined;
  const type = asked ?? typeFor(operation, c);
  const names = Object.keys(operation.input.shape).filter((name) => Object.hasOwn(parameters, name));
  const known = Object.fromEntries(names.map((name) => [name, parameters[name]]));
  const later = operation.laterAt !== undefined && prefersAsync(c.req.header('prefer'));
  const ignored = describeIgnoredParameters(operation, parameters);
  if (ignored !== undefined) c.env.outgoing.appendHeader('Warning', `299 - "${inHeader(ignored)}"`);
  const {
    json: own,
    output,
    written,
  } = await invokeOperation(pipe, {
    operation: operation.name,
    input: { ...credentialsInHeaders(operation, (name) => c.req.header(name)), ...known, ...c.req.param() },
    caller: c.get('caller'),
    signal: disconnectSignal(c),
    unknown: 'ignore',
    wishes: { whole: true, later },
    type,
  });
  const json = ignored === undefined ? own : withNote(own, output, ignored);
  const at = operation.laterAt?.(output);
  if (at !== undefined) {
    const applied = later && { 'Preference-Applied': 'respond-async' };
    return c.body(json, 202, { ...ANSWER, Location: at, 'Retry-After': '2', ...applied });
  }
  if (type === undefined || written === undefined) return c.body(json, 200, ANSWER);
  const headers = { ...ANSWER, 'Content-Type': type };
  if (typeof written === 'string') return c.body(written, 200, headers);
  const { content, fileName } = written;
  const body = typeof content === 'string' ? content : new Uint8Array(content);
  // Sends a file as a download: a report may quote scanned content that browsers must not render.
  return c.body(body, 200, { ...headers, 'Content-Disposition': `attachment; filename="${fileName}"` });
}

const inHeader = (text: string): string => text.replaceAll('"', "'").replace(/[^ -~]|\\/g, '?');

/** Adds the note about ignored parameters to the body's field `rules`, because few callers read headers. */
function withNote(json: string, output: Readonly<Record<string, unknown>>, note: string): string {
  const { rules } = output;
  return typeof rules === 'string' ? JSON.stringify({ ...output, rules: `${note}. ${rules}` }) : json;
}

/** Returns true if the header `Prefer` contains `respond-async` (RFC 7240), with or without parameters. */
function prefersAsync(header = ''): boolean {
  return header.split(',').some((one) => /^\s*respond-async\s*(?:;|$)/i.test(one));
}

function typeFor({ types = [] }: Operation, c: Context): string | undefined {
  if (types.length === 0) return undefined;
  const JSON_TYPE = 'application/json';
  const chosen = accepts(c, { header: 'Accept', supports: [JSON_TYPE, ...types], default: JSON_TYPE });
  return chosen === JSON_TYPE ? undefined : chosen;
}

const MAX_PARAMETERS = 100;

/** Returns the parameters of the address: all values of a repeated list, and the first value of any other. */
function queryOf(c: Context<HttpEnv>, operation: Operation): Record<string, unknown> {
  if (c.req.url.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw badRequestError(`the address has over ${MAX_PARAMETERS} parameters, the maximum`);
  const { properties = {} } = inputSchema(operation);
  const isList = (name: string) => Object.hasOwn(properties, name) && properties[name]?.type === 'array';
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length > 1 && isList(name) ? values : values[0],
    ]),
  );
}

async function bodyOf(c: Context<HttpEnv>): Promise<Record<string, unknown>> {
  const [type = ''] = /^[\w.+-]{1,80}\/[\w.+-]{1,80}/.exec(c.req.header('content-type') ?? '') ?? [];
  if (!/^application\/(json|[\w.+-]+\+json)$/i.test(type)) {
    throw new AppError(
      'unsupported',
      `the content type is ${JSON.stringify(type)}: it takes application/json`,
    );
  }
  const body = await readJsonBody(c.req.raw, c.var);
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw badRequestError('the body is not a JSON object: it takes one object with the parameters');
}
