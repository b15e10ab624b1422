import { z } from 'zod';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { EngineError, type EngineRequest } from '../engine.ts';
import { createJsonRequest } from './engine-requests.ts';
import { classifyRefusal, describeUsedUpQuota, type KeyedService } from './json-answer.ts';

/** Servers assume this version if a request names none. It is the oldest version with streamable HTTP. */
const PROTOCOL_VERSION = '2025-03-26';
const ID = 1;
const MAX_MESSAGES = 1000;
const MAX_PARTS = 100;

export function createToolCallRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  args: Readonly<Record<string, unknown>>,
): EngineRequest {
  return createJsonRequest(
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

/** Reads a tool's result from JSON or server-sent events. Throws EngineError. */
export function readToolResult(body: string, service: KeyedService) {
  const { result, error } = readAnswer(body, service);
  if (!result) throw classifyRefusal(error?.message ?? '', service);
  const texts = result.content.slice(0, MAX_PARTS).flatMap((one) => {
    const parsed = content.safeParse(one);
    return parsed.success ? [parsed.data.text] : [];
  });
  const text = texts.join('\n');
  // Exa reports a rate limit only in the metadata of a result that looks successful.
  if (Object.entries(result._meta).some(([name, value]) => /ratelimited$/i.test(name) && value === true)) {
    throw new EngineError('rate_limited', describeUsedUpQuota(service));
  }
  if (result.isError) throw classifyRefusal(text, service);
  return { text, structured: result.structuredContent };
}

function readAnswer(body: string, service: KeyedService): z.infer<typeof answer> {
  for (const message of messagesOf(body)) {
    const parsed = answer.safeParse(message);
    if (!parsed.success) continue;
    const { id, result, error } = parsed.data;
    // An error counts without an id too: the server may have failed to read the id of the request.
    if (error || (result && id === ID)) return parsed.data;
  }
  throw new EngineError('changed', `its answer is not what ${service.name} answers`);
}

function* messagesOf(body: string): Generator<unknown> {
  if (/^\s*[[{]/.test(body)) {
    const json = parseJsonOrNothing(body);
    yield* Array.isArray(json) ? json.slice(0, MAX_MESSAGES) : [json];
    return;
  }
  let data: string[] = [];
  let messages = 0;
  for (const line of [...body.split(/\r\n|\r|\n/), '']) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    if (++messages > MAX_MESSAGES) return;
    yield parseJsonOrNothing(data.join('\n'));
    data = [];
  }
}
