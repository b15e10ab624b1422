import { AppError, unavailableError } from '../../errors.ts';
import { readJsonBody } from '../http/json-request.ts';
import { repairRpcMessages } from './lenient-message.ts';
import type { HttpExchange } from './mcp-parts.ts';
import { rpcErrorResponse } from './rpc-error.ts';

/** Repairs `Accept` headers. The MCP SDK refuses a header without both response types. */

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const TAKES_BOTH = `${JSON_TYPE}, ${STREAM_TYPE}`;
const TAKES_JSON = `${JSON_TYPE}, ${STREAM_TYPE};q=0`;
const REVISION_HEADER = 'mcp-protocol-version';
const STATELESS_MEMBER = 'io.modelcontextprotocol/protocolVersion';
type Meta = Readonly<Record<string, unknown>>;
const SINGLE_HEADERS = [REVISION_HEADER, 'mcp-session-id'];

/** Merges repeated headers and drops empty ones. For `initialize`, also drops the MCP version header. */
export function repairHeaders(request: Request, body: unknown): Request {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { _meta?: Meta | null } | null };
  const isNegotiating = method === 'initialize' && params?._meta?.[STATELESS_MEMBER] === undefined;
  const repaired = SINGLE_HEADERS.flatMap((name) => {
    const given = request.headers.get(name);
    if (isNegotiating && given !== null && name === REVISION_HEADER) return [[name, ''] as const];
    const values = new Set(given?.split(',').map((value) => value.trim()));
    return given === '' || (values.size === 1 && given?.includes(',')) ? [[name, ...values] as const] : [];
  });
  if (repaired.length === 0) return request;
  const headers = new Headers(request.headers);
  for (const [name, value = ''] of repaired) {
    if (value === '') headers.delete(name);
    else headers.set(name, value);
  }
  return withHeaders(request, headers);
}

export async function answerAsAccepted(
  request: Request,
  body: unknown,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const given = request.headers.get('accept');
  if (request.method === 'GET') return answerByStream(request, answer);
  if (request.method !== 'POST') return answer(request);
  if (takesStream(given)) return answer(withAccept(request, TAKES_BOTH));
  if (weightOf(given, JSON_TYPE) === 0) return notAcceptable(given, `${JSON_TYPE}, ${STREAM_TYPE} or both`);
  const stream = await answer(withAccept(request, TAKES_JSON));
  if (!stream.headers.get('content-type')?.startsWith(STREAM_TYPE)) return stream;
  return collectAnswers(stream, Array.isArray(body), request.signal);
}

/** Answers with an event stream, or with 406 if the `Accept` header does not allow event streams. */
export async function answerByStream(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const given = request.headers.get('accept');
  if (weightOf(given, STREAM_TYPE) === 0) return notAcceptable(given, STREAM_TYPE);
  return answer(withAccept(request, TAKES_BOTH));
}

function notAcceptable(given: string | null, accepted: string): Response {
  return rpcErrorResponse(
    406,
    -32000,
    `Accept is ${JSON.stringify(given?.slice(0, 100))}: it takes ${accepted}`,
  );
}

export function takesStream(accept: string | null | undefined): boolean {
  const ranges = parseRanges(accept ?? '');
  return (ranges.get(STREAM_TYPE) ?? ranges.get('text/*') ?? 0) > 0;
}

function withAccept(request: Request, accept: string): Request {
  const given = request.headers.get('accept') ?? '';
  const isTaken = given.includes(JSON_TYPE) && given.includes(STREAM_TYPE);
  if (isTaken && takesStream(given) === takesStream(accept)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', accept);
  return withHeaders(request, headers);
}

function withHeaders(request: Request, headers: Headers): Request {
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** Returns the weight of a media type in `Accept`: the most specific range counts (RFC 9110, 12.5.1). */
function weightOf(accept: string | null, type: string): number {
  const ranges = parseRanges(accept ?? '');
  if (ranges.size === 0) return 1;
  const group = `${type.split('/', 1)[0]}/*`;
  return ranges.get(type) ?? ranges.get(group) ?? ranges.get('*/*') ?? ranges.get('*') ?? 0;
}

const MAX_RANGES = 50;

function parseRanges(accept: string): ReadonlyMap<string, number> {
  const ranges = new Map<string, number>();
  for (const range of accept.split(',', MAX_RANGES)) {
    const [type = '', ...parameters] = range.toLowerCase().split(';');
    const quality = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (type.trim() !== '') ranges.set(type.trim(), Number.isNaN(weight) ? 1 : weight);
  }
  return ranges;
}

async function collectAnswers(stream: Response, isBatch: boolean, signal: AbortSignal): Promise<Response> {
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const leave = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', leave, { once: true });
  const answers: string[] = [];
  let rest: string[] = [];
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) break;
    const [end = '', ...lines] = value.split('\n');
    rest.push(end);
    for (const line of lines) {
      addAnswer(answers, rest.join(''));
      rest = [line];
    }
  }
  signal.removeEventListener('abort', leave);
  if (answers.length === 0) throw unavailableError('the answer was lost: send the request again');
  const headers = new Headers({ 'content-type': JSON_TYPE });
  const session = stream.headers.get('mcp-session-id');
  if (session !== null) headers.set('mcp-session-id', session);
  return new Response(isBatch ? `[${answers.join(',')}]` : answers.at(-1), { headers });
}

const DATA = 'data: ';

function addAnswer(answers: string[], line: string): void {
  if (!line.startsWith(DATA) || line.length === DATA.length) return;
  const data = line.slice(DATA.length);
  if (!Object.hasOwn(JSON.parse(data), 'method')) answers.push(data);
}

const MAX_BATCH_COUNTED = 100;

export async function readRpcBody(request: Request, exchange: HttpExchange): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    const body = await readJsonBody(request, exchange);
    if (Array.isArray(body)) exchange.countWork({ requests: Math.min(body.length, MAX_BATCH_COUNTED) - 1 });
    repairRpcMessages(body);
    return body;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    return rpcErrorResponse(400, -32700, `${error.message}: send one JSON-RPC message`);
  }
}
