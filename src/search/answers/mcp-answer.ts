import { z } from 'zod';
import { EngineError, type EngineRequest } from '../engine.ts';
import { type KeyedService, readRefusal, usedUp } from './json-answer.ts';
import { jsonRequest } from './json-request.ts';

/** Services that answer by the Model Context Protocol: one call of a tool by streamable HTTP, without a session. */

/** The version that servers assume where none is named, and the oldest with streamable HTTP. */
const PROTOCOL_VERSION = '2025-03-26';
/** The id of our only request. */
const ID = 1;
/** Messages of one answer that are read: those before the result report progress. */
const MAX_MESSAGES = 1000;
/** Parts of one result that are read. */
const MAX_PARTS = 100;

/** The request that calls a tool; `headers` say who asks. */
export function toolCall(
  url: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  args: Readonly<Record<string, unknown>>,
): EngineRequest {
  return jsonRequest(
    url,
    { accept: 'application/json, text/event-stream', 'mcp-protocol-version': PROTOCOL_VERSION, ...headers },
    { jsonrpc: '2.0', id: ID, method: 'tools/call', params: { name, arguments: args } },
  );
}

const content = z.object({ type: z.literal('text'), text: z.string() });
const toolResult = z.object({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
  _meta: z.record(z.string(), z.unknown()).catch({}),
});
const answer = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: toolResult.optional(),
  error: z.object({ message: z.string().catch('') }).optional(),
});

/** What a tool has answered. */
export interface ToolResult {
  /** Its text content, one part a line. */
  readonly text: string;
  /** Its structured content, unchecked. */
  readonly structured: unknown;
}

/**
 * The result of the tool in a body of JSON or of server-sent events. EngineError: `rate_limited` or `refused` for an
 * error of the protocol or of the tool, by its words, and `changed` for a body without an answer.
 */
export function readToolResult(body: string, service: KeyedService): ToolResult {
  const { result, error } = readAnswer(body, service);
  if (!result) throw readRefusal(error?.message ?? '', service);
  const texts = result.content.slice(0, MAX_PARTS).flatMap((one) => {
    const parsed = content.safeParse(one);
    return parsed.success ? [parsed.data.text] : [];
  });
  const text = texts.join('\n');
  // Exa says so in a result that is otherwise a success.
  if (Object.entries(result._meta).some(([name, value]) => /ratelimited$/i.test(name) && value === true)) {
    throw new EngineError('rate_limited', usedUp(service));
  }
  if (result.isError) throw readRefusal(text, service);
  return { text, structured: result.structuredContent };
}

/** The one message that answers our request. */
function readAnswer(body: string, service: KeyedService): z.infer<typeof answer> {
  for (const message of messagesOf(body)) {
    const parsed = answer.safeParse(message);
    if (!parsed.success) continue;
    const { id, result, error } = parsed.data;
    // An error before the request was read has no id.
    if (error || (result && id === ID)) return parsed.data;
  }
  throw new EngineError('changed', `its answer is not what ${service.name} answers`);
}

function* messagesOf(body: string): Generator<unknown> {
  if (/^\s*[[{]/.test(body)) {
    const json = parseJson(body);
    yield* Array.isArray(json) ? json.slice(0, MAX_MESSAGES) : [json];
    return;
  }
  let data: string[] = [];
  let messages = 0;
  // A stream that was cut off still has its last event.
  for (const line of [...body.split(/\r\n|\r|\n/), '']) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    if (++messages > MAX_MESSAGES) return;
    yield parseJson(data.join('\n'));
    data = [];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
