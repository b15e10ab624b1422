import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../../caller.ts';
import { type AppError, asAppError, badRequestError } from '../../../errors.ts';
import { attempt } from '../../../lib/attempt.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import { runInSpan, type SpanStart } from '../../../lib/tracing.ts';
import { type IsOffered, type Operation, removeUnavailableMentions } from '../../../operation.ts';
import { credentialsInHeaders } from '../../credential-pages.ts';
import { addInputDefaults, decodeInput, inputSchema } from '../../input.ts';
import {
  findConsentQuestion,
  findOperation,
  findScopeError,
  invokeOperation,
  type OperationAnswer,
  type OperationCall,
  type OperationPipeline,
  readOnlyError,
} from '../../invoke.ts';
import { listOperationNames } from '../../offer-check.ts';
import type { ToolOffer } from '../../tool-selection.ts';
import { takesStream } from '../accepted-answer.ts';
import { LIST_PAGE_SIZE, sliceListPage } from '../paging.ts';
import { withProtocolErrors } from '../protocol-calls.ts';
import { addTaskHandlers, answerSlowCall, mayBecomeTask, type TaskCallParts } from '../tasks/slow-calls.ts';
import { declaredCapabilities, declaresTasks } from '../tasks/task-protocol.ts';
import { canShowViews, VIEW_DATA_KEY, viewMeta } from './apps.ts';
import {
  buildPageQuestion,
  buildUserQuestion,
  canAskUser,
  canOpenPage,
  readConsent,
  readPageConsent,
} from './consent.ts';
import { toolFor } from './tools.ts';

export function addToolHandlers(
  server: Server,
  findOffer: () => ToolOffer,
  caller: Caller,
  { hasTasks }: { readonly hasTasks: boolean },
): void {
  server.setRequestHandler('tools/list', ({ params }, ctx) =>
    withProtocolErrors(() => {
      const { pipe, offers } = findOffer();
      const { operations } = pipe.catalog;
      const viewed = canShowViews(capabilitiesOf(server, ctx));
      const listings = operations
        .filter(({ name }) => offers(name))
        .map((operation) => {
          const tool = toolFor(operation, listOperationNames(pipe.catalog), offers);
          return viewed && operation.view
            ? { ...tool, _meta: { ...tool._meta, ...viewMeta(operation.view) } }
            : tool;
        });
      const { items, ...next } = sliceListPage(listings, params?.cursor, LIST_PAGE_SIZE);
      return { tools: items, ...next };
    }),
  );

  const offer = findOffer();
  const parts: TaskCallParts = {
    ...offer,
    write: toolResult,
    explain: (error) => toolError(error, offer.pipe, findOffer().offers),
  };
  if (hasTasks) addTaskHandlers(server, parts, caller);
  const folders = createClientFolders(server, parts.pipe);
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { pipe, tools } = findOffer();
    if (!tools.has(params.name)) throw unknownTool(pipe, params.name, tools);
    const operation = findOperation(pipe.catalog, params.name);
    const call: OperationCall = {
      operation: operation.name,
      input: addInputDefaults(operation, withoutFillers(operation, params.arguments ?? {})),
      caller,
      signal: ctx.mcpReq.signal,
      unknown: 'reject',
      progress: progressOf(ctx),
      shown: tools,
    };
    return runInSpan(
      () => toolSpan(operation.name, params._meta),
      async (span) => {
        try {
          const asked = await prepareCall(server, pipe, folders, call, ctx);
          if ('ask' in asked) return asked.ask;
          const isTask = hasTasks && declaresTasks(ctx.mcpReq.envelope) && mayBecomeTask(pipe, asked.call);
          if (isTask) return await answerSlowCall(parts, asked.call);
          return toolResult(await invokeOperation(pipe, asked.call));
        } catch (error) {
          span.fail('tool_error');
          const text = parts.explain(asAppError(error));
          return { content: [{ type: 'text' as const, text }], isError: true };
        }
      },
    );
  });
}

const FILLERS = new Set(['q', 'random_string', 'dummy']);

/** Arguments that n8n's agents add to each call, where no user can take them out. */
const ADDED_BY_N8N = new Set(['toolCallId', 'sessionId', 'action', 'chatInput']);

/** Leaves out what clients add to the arguments of a model, unless the tool has a parameter of that name. */
function withoutFillers({ input }: Operation, given: Readonly<Record<string, unknown>>) {
  const isFiller = (name: string) =>
    ('toolCallId' in given && ADDED_BY_N8N.has(name)) ||
    (Object.keys(input.shape).length === 0 && FILLERS.has(name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in input.shape || !isFiller(name)));
}

/** Describes a tool call as OpenTelemetry's MCP conventions require, linked to the client's span. */
function toolSpan(name: string, meta: Readonly<Record<string, unknown>> | undefined): SpanStart {
  const facts = {
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': name,
    'gen_ai.operation.name': 'execute_tool',
  };
  return { name: `tools/call ${name}`, kind: 'server', facts, parent: meta?.traceparent };
}

/** Adds to a call what the client and the user give for it, or returns what to ask them first. */
async function prepareCall(
  server: Server,
  pipe: OperationPipeline,
  folders: ReturnType<typeof createClientFolders>,
  call: OperationCall,
  ctx: ServerContext,
): Promise<{ readonly call: OperationCall } | { readonly ask: InputRequiredResult }> {
  const capabilities = capabilitiesOf(server, ctx);
  const placed = await folders.withFolders(call, capabilities, ctx);
  if ('ask' in placed) return placed;
  const asked = await addOrAskCredentials(pipe, placed.call, capabilities, ctx);
  if ('ask' in asked) return asked;
  const { call: complete } = asked;
  const consent = readConsent(ctx.mcpReq.inputResponses);
  if (consent === 'unasked' && canAskUser(capabilities)) {
    const question = await findConsentQuestion(pipe, complete);
    if (question !== undefined) return { ask: buildUserQuestion(question) };
  }
  return { call: { ...complete, consent, viewed: canShowViews(capabilities) } };
}

function toolResult(answer: OperationAnswer) {
  const links = answer.operation.links?.(answer.output) ?? [];
  return {
    content: [
      { type: 'text' as const, text: answer.text('model') },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: answer.output,
    ...(answer.viewData && { _meta: { [VIEW_DATA_KEY]: answer.viewData } }),
  };
}

function unknownTool({ catalog }: OperationPipeline, name: string, tools: ReadonlySet<string>) {
  const withheld = catalog.withheld?.some((operation) => operation.name === name);
  const [known, bare] = [
    [...tools],
    name
      .slice(-80)
      .split(/[^a-z]/i)
      .at(-1) ?? '',
  ];
  const meant = didYouMean(name, known) || (tools.has(bare) ? didYouMean(bare, known) : '');
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    withheld
      ? readOnlyError(name, catalog).message
      : `there is no tool ${JSON.stringify(name.slice(0, 80))}${meant}; tools/list names those there are`,
  );
}

function capabilitiesOf(server: Server, ctx: ServerContext): ClientCapabilities | undefined {
  const said = declaredCapabilities(ctx.mcpReq.envelope);
  if (said) return said;
  const { elicitation, roots, sampling, ...others } = server.getClientCapabilities() ?? {};
  const asks = { elicitation, roots, sampling };
  const headers = ctx.http?.req?.headers;
  return headers && !takesStream(headers.get('accept')) ? others : omitUndefined({ ...others, ...asks });
}

/** Returns the error's message with the time to retry, because MCP has no header for it. */
function toolError(error: AppError, { catalog }: OperationPipeline, offers: IsOffered): string {
  const again = error.retryAfter === undefined ? '' : ` (try again in ${error.retryAfter} s)`;
  return `${removeUnavailableMentions(error.message, listOperationNames(catalog), offers) || error.message}${again}`;
}

function progressOf(ctx: ServerContext): ((message: string) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress++;
    void ctx.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {});
  };
}

/** A call stops waiting for the user this many ms before its time limit, and asks the client to retry. */
const MARGIN_MS = 2000;

/** Adds credentials from headers, or asks the user for them. Throws `bad_request` if the user refuses. */
async function addOrAskCredentials(
  pipe: OperationPipeline,
  call: OperationCall,
  capabilities: ClientCapabilities | undefined,
  ctx: ServerContext,
): Promise<{ readonly call: OperationCall } | { readonly ask: InputRequiredResult }> {
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
  // Copies the caller, because a session's caller changes with each request.
  const caller = { ...call.caller };
  const ask = async (ticket: string) => {
    const url = `${await pipe.services.appUrl()}/app/credentials/${ticket}`;
    return {
      ask: buildPageQuestion(
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
    throw badRequestError(`${names.join(' and ')} is required, and the user did not give it`);
  }
  const values = await desk.takeCredentials(
    ticket,
    caller,
    Math.max(pipe.callTimeout - MARGIN_MS, 0),
    call.signal,
  );
  return values === undefined ? ask(ticket) : { call: { ...call, input: { ...input, ...values } } };
}

/** True for clients of MCP versions from 2025. Their request stays open until the user has answered. */
const lastsWithItsRequest = ({ mcpReq }: ServerContext): boolean => mcpReq.envelope === undefined;

const ANSWER = 'folders';
const MAX_FOLDERS = 100;
/** Milliseconds that a client has to name its folders. Some clients declare `roots` but never answer. */
const FOLDERS_MS = 10_000;

function createClientFolders(server: Server, pipe: OperationPipeline) {
  let known: readonly string[] | undefined;
  let isSilent = false;
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined;
    isSilent = false;
  });
  const note = (roots: readonly { readonly uri: string }[]) => {
    known = roots.slice(0, MAX_FOLDERS).flatMap(({ uri }) => attempt(() => fileURLToPath(uri)) ?? []);
  };
  return {
    async withFolders(
      call: OperationCall,
      capabilities: ClientCapabilities | undefined,
      ctx: ServerContext,
    ): Promise<{ readonly call: OperationCall } | { readonly ask: InputRequiredResult }> {
      const responses = ctx.mcpReq.inputResponses;
      const operation = pipe.catalog.operations.find(({ name }) => name === call.operation);
      const wants = call.caller.via === 'stdio' && capabilities?.roots && operation?.inFolders?.(call.input);
      if (!wants) return { call };
      const answer = inputResponse(responses, ANSWER);
      if (answer.kind === 'roots') note(answer.roots);
      else if (!known && !isSilent && lastsWithItsRequest(ctx)) {
        const asked = server.listRoots(undefined, { timeout: FOLDERS_MS, signal: call.signal });
        await asked.then(
          ({ roots }) => note(roots),
          () => {
            isSilent = true;
          },
        );
      }
      if (known) return { call: { ...call, folders: known } };
      if (isSilent || (responses && ANSWER in responses)) return { call };
      return { ask: inputRequired({ inputRequests: { [ANSWER]: inputRequired.listRoots() } }) };
    },
  };
}
