import type { EngineRequest } from '../engine.ts';

/** Creates a POST request with a JSON body. `headers` authenticate the caller. */
export function jsonRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  content: Readonly<Record<string, unknown>>,
): EngineRequest {
  return {
    url,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(content),
  };
}
