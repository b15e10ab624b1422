import type { ClientCapabilities, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '../../../errors.ts';
import { credentialsInHeaders } from '../../credential-pages.ts';
import { decodeInput, inputSchema } from '../../input.ts';
import { type Call, findScopeError, type Pipe } from '../../invoke.ts';
import { askOnPage, canOpenPage, readPageConsent } from './consent.ts';

/** This long before its time limit, the call stops waiting for the page and asks the client to call again. */
const MARGIN_MS = 2000;

/** Adds credentials from headers or from a page that the user fills in. Throws AppError `bad_request` if the user refuses. */
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
  const meant = decodeInput(inputSchema(operation), input, 'assistant');
  const lacking = canOpenPage(capabilities)
    ? await operation.lacks?.(meant, { caller: asking, services: pipe.services, signal })
    : undefined;
  if (!lacking) return { call: { ...call, input } };
  const names = Object.keys(lacking.credentials);
  const { desk } = pipe;
  // The properties of a session's caller change with each request.
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
  return values === undefined ? ask(ticket) : { call: { ...call, input: { ...input, ...values } } };
}

/** MCP clients of 2025 keep the request open for a question. Since 2026-07-28, the answer comes in a new request. */
function lastsWithItsRequest({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope === undefined;
}
