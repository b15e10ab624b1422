import OpenAI from 'openai';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import type { TaskPlanner } from '../plans/planning.ts';

const MAX_ANSWER_BYTES = 200_000;
const MAX_ANSWER_TOKENS = 800;

const INSTRUCTIONS = `You turn one sentence about watching web pages into a plan. Answer with one JSON object and nothing else:
{"pages": [addresses in the sentence that are to be fetched; [] when it names none],
 "extract": {"kind": "text" | "links" | "prices" | "headings"} or {"kind": "selector", "selector": CSS},
 "when": {"kind": "always" | "change"} or {"kind": "word" | "gone", "word": text} (it appears, or disappears) or {"kind": "below" | "above", "value": number},
 "send": {"kind": "platform" | "knowledge"} or {"kind": "webhook", "url": address} or {"kind": "email", "to": address}}
"platform" is for a sentence that names nowhere to send to, "knowledge" for the user's knowledge base. Use addresses of the sentence only, letter by letter.`;

export function createModelPlanner(options: {
  readonly fetch: GuardedFetch;
  /** The operator chooses this URL, so it may be on a private network. */
  readonly baseUrl: string;
  readonly key?: string | undefined;
  readonly model: string;
  /** Time limit of the model in ms, after which the built-in rules write the plan. Default: 20,000. */
  readonly timeoutMs?: number;
}): TaskPlanner {
  const { fetch, baseUrl, key, model, timeoutMs = 20_000 } = options;
  const { hostname, port, protocol } = new URL(baseUrl);
  const own = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const bounded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { status, headers, body } = await fetch(request.url, {
      method: 'POST',
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
      signal: request.signal,
      allow: [own],
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
      timeoutMs,
    });
    return new Response(new Uint8Array(body), {
      status,
      headers: { 'content-type': headers.get('content-type') ?? '' },
    });
  };
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
    fetch: bounded,
  });
  return async (task, signal) => {
    const answer = await client.chat.completions.create(
      {
        model,
        temperature: 0,
        max_completion_tokens: MAX_ANSWER_TOKENS,
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: INSTRUCTIONS },
          { role: 'user', content: task },
        ],
      },
      { signal },
    );
    return JSON.parse(answer.choices[0]?.message.content ?? '') as unknown;
  };
}
