import type { EngineRequest } from '../engine.ts';

/** A question that an API takes as JSON; `headers` say who asks. */
export function jsonRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  question: Readonly<Record<string, unknown>>,
): EngineRequest {
  return {
    url,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(question),
  };
}
