import type { ClientCapabilities, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '../../../errors.ts';
import { credentialsInHeaders } from '../../credential-pages.ts';
import { decodeInput, inputSchema } from '../../input.ts';
import { type Call, findScopeError, type Pipe } from '../../invoke.ts';
import { askOnPage, canOpenPage, readPageConsent } from './consent.ts';

/** The call stops waiting for the page this many milliseconds before its time limit, and asks the client to call again. */
const MARGIN_MS = 2000;

/**
 * Adds the credentials from the request's headers or from a page that the user filled in. If credentials are missing, returns a
 * result that makes the client open this page. A client that cannot open pages gets the usual error, which names the missing
 * credentials. Throws AppError `bad_request` if the user refuses.
 */
export async function addOrAskCredentials(
  pipe: Pipe,
  call: Call,
  capabilities: ClientCapabilities | undefined,
  ctx: ServerContext,
): Promise<{ readonly call: Call } | { readonly ask: InputRequiredResult }> {
  const operation = pipe.catalog.operations.find(({ name }) => name === call.operation);
  if (!operation?.secret || !pipe.desk) return { call };
  const headers = ctx.http?.req?.headers;
  const input = { ...credentialsInHeaders(operation, (name) => headers?.get(name)), ...call.input };
  const { caller: asking, signal } = call;
  const denied = findScopeError(pipe, operation.name, asking);
  if (denied) throw denied;
  // Decodes the input as the operation will, so that the page asks only for the credentials of the chosen platform.
  const meant = decodeInput(inputSchema(operation), input, 'assistant');
  const lacking = canOpenPage(capabilities)
    ? await operation.lacks?.(meant, { caller: asking, services: pipe.services, signal })
    : undefined;
  if (!lacking) return { call: { ...call, input } };
  const names = Object.keys(lacking.credentials);
  const { desk } = pipe;
  // Copies the caller, because the properties of a session's caller change with each request.
  const caller = { ...call.caller };
  const ask = async (ticket: string) => {
    const url = `${await pipe.services.appUrl()}/app/credentials/${ticket}`;
    return {
      ask: askOnPage(
        `${operation.title} ${lacking.purpose}\nGive ${names.join(' and ')} on this page.`,
        url,
        ticket,
      ),
    };
  };
  const opened = readPageConsent(ctx.mcpReq.inputResponses);
  const ticket = ctx.mcpReq.requestState<string>();
  if (opened === 'unasked' || typeof ticket !== 'string') {
    const fresh = desk.openPage({ caller, title: operation.title, ...lacking });
    if (lastsWithItsRequest(ctx))
      call.signal.addEventListener('abort', () => desk.endPage(fresh), { once: true });
    return ask(fresh);
  }
  if (opened === 'no') {
    desk.endPage(ticket);
    throw new AppError('bad_request', `${names.join(' and ')} is required, and the user did not give it`);
  }
  const values = await desk.takeCredentials(
    ticket,
    caller,
    Math.max(pipe.callTimeout - MARGIN_MS, 0),
    call.signal,
  );
  // Asks again if the user has not filled in the page yet. The client reports only that it opened the page.
  return values === undefined ? ask(ticket) : { call: { ...call, input: { ...input, ...values } } };
}

/**
 * True if a question to the user keeps the request open, as for MCP clients of 2025. Such a question ends with the session. Since
 * MCP 2026-07-28, the question is sent as the response, and the user's answer comes in a new request.
 */
function lastsWithItsRequest({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope === undefined;
}
