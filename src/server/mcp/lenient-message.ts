import { isJsonObject } from '../../lib/json-members.ts';
import { parseBoundedJson } from '../../lib/text/json-body.ts';

/** Repairs messages: `null` for missing values, PHP's `[]` for `{}`, and arguments as JSON text. */

type Members = Record<string, unknown>;

/** MCP version that is assumed if `initialize` does not name one. */
const OLDEST_REVISION = '2024-11-05';
const UNKNOWN_CLIENT = { name: 'unknown', version: '0' };

export function repairRpcMessages(value: unknown): void {
  for (const message of Array.isArray(value) ? value : [value]) if (isJsonObject(message)) repair(message);
}

const KNOWN = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

function repair(message: Members): void {
  const { method, id } = message;
  for (const name of Object.keys(message)) if (!KNOWN.has(name)) delete message[name];
  if (message.error === null) delete message.error;
  if (typeof method !== 'string') {
    if (message.result === null && message.error === undefined) message.result = {};
    else if (message.result === null) delete message.result;
    if (isJsonObject(message.result)) repairResult(message.result);
    return;
  }
  if (message.result === null) delete message.result;
  if (id === null && method.startsWith('notifications/')) delete message.id;
  if (isNothing(message.params)) delete message.params;
  const { params } = message;
  if (method === 'initialize') message.params = completeInitialize(isJsonObject(params) ? params : {});
  else if (isJsonObject(params)) repairParams(method, params);
}

/** Drops roots on other machines, such as those of VS Code in WSL. The SDK would refuse all roots for one. */
function repairResult(result: Members): void {
  dropNulls(result);
  const isFile = (root: unknown) => isJsonObject(root) && /^file:\/\//.test(String(root.uri));
  if (Array.isArray(result.roots)) result.roots = result.roots.filter(isFile);
}

function repairParams(method: string, params: Members): void {
  // Without a name, the SDK would answer with its validator's issues instead of a sentence.
  if (method === 'tools/call' && typeof params.name !== 'string') params.name = '';
  const { arguments: given, ...others } = params;
  dropNulls(others);
  for (const name of Object.keys(params)) delete params[name];
  Object.assign(params, others);
  for (const name of ['_meta', 'cursor']) if (isNothing(params[name])) delete params[name];
  if (isNothing(given)) return;
  params.arguments = readArguments(given);
  if (method === 'prompts/get' && isJsonObject(params.arguments)) asTexts(params.arguments);
}

function readArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    const parsed = parseBoundedJson(given, 'arguments');
    return isNothing(parsed) ? {} : parsed;
  } catch {
    return given;
  }
}

function asTexts(given: Members): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null) delete given[name];
    else if (typeof value === 'number' || typeof value === 'boolean') given[name] = String(value);
  }
}

function completeInitialize(params: Members): Members {
  dropNulls(params);
  const { clientInfo, capabilities, protocolVersion } = params;
  const declared = isJsonObject(capabilities) ? capabilities : {};
  for (const [name, value] of Object.entries(declared)) if (isNothing(value)) declared[name] = {};
  if (isNothing(params._meta)) delete params._meta;
  return {
    ...params,
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : OLDEST_REVISION,
    capabilities: declared,
    clientInfo: { ...UNKNOWN_CLIENT, ...(isJsonObject(clientInfo) ? clientInfo : {}) },
  };
}

/** Removes members that are null. Recursion is safe, because too deeply nested JSON was refused before. */
function dropNulls(members: Members): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === null) delete members[name];
    else if (isJsonObject(value)) dropNulls(value);
    else if (Array.isArray(value)) value.filter(isJsonObject).forEach(dropNulls);
  }
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
