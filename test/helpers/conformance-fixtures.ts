import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What the official conformance suite calls: tools, resources and prompts of fixed names and answers. */

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const codec = createRequestStateCodec<Record<string, unknown>>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

function ask(message: string, field: string, type: 'string' | 'boolean') {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } as never }, required: [field] },
  });
}

function prompted(text: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
}

const userName = () => ask('Who is there?', 'name', 'string');
const answered = (ctx: ServerContext, key: string, field: string): unknown =>
  acceptedContent<Record<string, unknown>>(ctx.mcpReq.inputResponses, key)?.[field];

export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  addContentTools(server);
  addConversationTools(server);
  addInputTools(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris'], total: 1, hasMore: false },
  }));
  return server;
}

function addContentTools(server: McpServer): void {
  const resource = (uri: string, mimeType: string, text: string) =>
    ({ type: 'resource', resource: { uri, mimeType, text } }) as const;
  server.registerTool('test_simple_text', { description: 'Text' }, () =>
    say('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'A picture' }, () => ({ content: [image] }));
  server.registerTool('test_audio_content', { description: 'A sound' }, () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'A resource inside' }, () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  server.registerTool('test_multiple_content_types', { description: 'Several kinds' }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'A schema of the 2020-12 dialect',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    (args) => say(JSON.stringify(args)),
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'An argument mirrored in a header',
      inputSchema: fromJsonSchema<{ region?: string }>({
        type: 'object',
        properties: {
          region: { type: 'string', ...{ 'x-mcp-header': 'Region' } },
          level: { type: 'integer' },
        },
      }),
    },
    ({ region }) => say(`region: ${region}`),
  );
}

function addConversationTools(server: McpServer): void {
  const empty = z.object({});
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs', inputSchema: empty },
    async (_args, ctx) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        await pause(20);
      }
      return say('logged');
    },
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs when asked', inputSchema: empty },
    async (_args, ctx) => {
      await ctx.mcpReq.log('info', 'only for a client that set a level');
      return say('logged');
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells progress', inputSchema: empty },
    async (_args, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken ?? 0, progress, total: 100 },
        });
        await pause(20);
      }
      return say(String(progressToken));
    },
  );
  server.registerTool(
    'test_reconnection',
    { description: 'Breaks its stream', inputSchema: empty },
    async (_args, ctx) => {
      ctx.http?.closeSSE?.();
      await pause(100);
      return say('reconnected');
    },
  );
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'A result alone', inputSchema: empty },
    () => say('done'),
  );
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const { content } = await ctx.mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      return say(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const elicitation = (name: string, properties: Record<string, unknown>, required: string[]) =>
    server.registerTool(
      name,
      { description: 'Asks the user', inputSchema: z.object({ message: z.string().optional() }) },
      async ({ message = 'Please fill in' }, ctx) => {
        const { action, content } = await ctx.mcpReq.elicitInput({
          mode: 'form',
          message,
          requestedSchema: { type: 'object', properties: properties as never, required },
        });
        return say(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
      },
    );
  elicitation('test_elicitation', { response: { type: 'string', description: "User's response" } }, [
    'response',
  ]);
  elicitation(
    'test_elicitation_sep1034_defaults',
    {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    [],
  );
  const options = ['option1', 'option2', 'option3'];
  const titled = ['First', 'Second', 'Third'].map((title, i) => ({
    const: `value${i + 1}`,
    title: `${title} Option`,
  }));
  elicitation(
    'test_elicitation_sep1330_enums',
    {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
    [],
  );
}

function addInputTools(server: McpServer): void {
  const inputSchema = z.object({});
  const tool = (
    name: string,
    handle: (ctx: ServerContext) => Promise<ReturnType<typeof say> | ReturnType<typeof inputRequired>>,
  ) => server.registerTool(name, { description: 'Needs input', inputSchema }, (_args, ctx) => handle(ctx));
  const state = (tool: string, rest: Record<string, unknown> = {}) => codec.mint({ tool, ...rest });

  tool('test_missing_capability', async (ctx) =>
    ctx.mcpReq.inputResponses?.llm_answer === undefined
      ? inputRequired({ inputRequests: { llm_answer: prompted('Say pong') } })
      : say('answered'),
  );
  tool('test_input_required_result_elicitation', async (ctx) => {
    const name = answered(ctx, 'user_name', 'name');
    return typeof name === 'string'
      ? say(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: userName() } });
  });
  tool('test_input_required_result_sampling', async (ctx) => {
    const response = ctx.mcpReq.inputResponses?.capital_question;
    if (response !== undefined) return say(`Sampling response: ${JSON.stringify(response)}`);
    return inputRequired({ inputRequests: { capital_question: prompted('What is the capital of France?') } });
  });
  tool('test_input_required_result_list_roots', async (ctx) => {
    const response = ctx.mcpReq.inputResponses?.client_roots;
    if (response !== undefined) return say(JSON.stringify(response));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  tool('test_input_required_result_request_state', async (ctx) =>
    answered(ctx, 'confirm', 'ok') !== undefined && ctx.mcpReq.requestState() !== undefined
      ? say('state-ok')
      : inputRequired({
          inputRequests: { confirm: ask('Please confirm', 'ok', 'boolean') },
          requestState: await state('request_state'),
        }),
  );
  tool('test_input_required_result_tampered_state', async (ctx) =>
    answered(ctx, 'confirm', 'ok') !== undefined && ctx.mcpReq.requestState() !== undefined
      ? say('integrity-ok')
      : inputRequired({
          inputRequests: { confirm: ask('Please confirm', 'ok', 'boolean') },
          requestState: await state('tampered_state'),
        }),
  );
  tool('test_input_required_result_multiple_inputs', async (ctx) => {
    const { user_name, greeting, client_roots } = ctx.mcpReq.inputResponses ?? {};
    if (user_name !== undefined && greeting !== undefined && client_roots !== undefined)
      return say('all there');
    return inputRequired({
      inputRequests: {
        user_name: userName(),
        greeting: prompted('Greet'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state('multiple_inputs'),
    });
  });
  tool('test_input_required_result_multi_round', async (ctx) => {
    const round = ctx.mcpReq.requestState<{ round?: number }>()?.round ?? 0;
    if (round === 0) {
      return inputRequired({
        inputRequests: { step1: userName() },
        requestState: await state('rounds', { round: 1 }),
      });
    }
    if (round === 1) {
      return inputRequired({
        inputRequests: { step2: ask('Which colour?', 'color', 'string') },
        requestState: await state('rounds', { round: 2 }),
      });
    }
    return say(`Likes ${answered(ctx, 'step2', 'color')}`);
  });
  tool('test_input_required_result_capabilities', async (ctx) => {
    if (ctx.mcpReq.inputResponses !== undefined) return say('fulfilled');
    const envelope = ctx.mcpReq.envelope as Record<string, Record<string, unknown>> | undefined;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation ? { user_name: userName() } : {}),
      ...(declared?.sampling ? { greeting: prompted('Greet') } : {}),
      ...(declared?.roots ? { client_roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length > 0
      ? inputRequired({ inputRequests })
      : say('nothing can be asked');
  });
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, (uri) => ({
    contents: [
      { uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PIXEL }],
  }));
  server.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'watched' }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function addPrompts(server: McpServer): void {
  const message = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [message('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [message(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'embedded' } },
        },
        message('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture' }, () => ({
    messages: [{ role: 'user', content: image }, message('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Needs input' }, (async (
    ctx: ServerContext,
  ) => {
    const context = answered(ctx, 'user_context', 'context');
    if (typeof context === 'string') return { messages: [message(`Use this context: ${context}`)] };
    return inputRequired({ inputRequests: { user_context: ask('Which context?', 'context', 'string') } });
  }) as never);
}
