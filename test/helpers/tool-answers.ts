/** Answers of a tool by the Model Context Protocol, as the services give them. */

export interface ToolAnswer {
  readonly text?: string;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: object;
}

const message = ({ text, ...rest }: ToolAnswer) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { content: text === undefined ? [] : [{ type: 'text', text }], ...rest },
});

/** As a body of JSON. */
export function toolAnswer(answer: ToolAnswer): string {
  return JSON.stringify(message(answer));
}

/** As server-sent events, with a notification before the answer. */
export function toolEvent(answer: ToolAnswer): string {
  const note = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 'started' },
  };
  return [note, message(answer)].map((one) => `event: message\ndata: ${JSON.stringify(one)}\n\n`).join('');
}
