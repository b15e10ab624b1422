import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { EngineRequest } from '../engine.ts';

const JSON_WANTED: Readonly<Record<string, string>> = { accept: 'application/json' };

/** Creates a GET request with a query parameter for each field that has a value. The default headers ask for JSON. */
export function createGetRequest(
  url: string,
  fields: Readonly<Record<string, string | number | undefined>>,
  headers = JSON_WANTED,
): EngineRequest {
  const set = Object.entries(omitUndefined(fields)).map(([name, value]) => [name, String(value)]);
  return { url: `${url}?${new URLSearchParams(set)}`, headers };
}

export function createJsonRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  content: Readonly<Record<string, unknown>>,
): EngineRequest {
  return {
    url,
    method: 'POST',
    headers: { ...JSON_WANTED, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(content),
  };
}
