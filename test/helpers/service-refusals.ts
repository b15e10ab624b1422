import { toolAnswer, toolEvent } from './tool-answers.ts';

/** How the services that answer without a key refuse: each in the form of its own errors. */

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The forms of a service's limit, which last so many seconds from now, and of its other errors. */
interface ServiceForms {
  readonly limits: readonly ((seconds: number) => Reply)[];
  error(status: number, message: string): Reply;
  /** Results in a shape that they did not have before. */
  readonly changed: string;
}

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const protocolError = (status: number, message: string, headers?: Record<string, string>) =>
  reply(status, { jsonrpc: '2.0', error: { code: -32000, message }, id: null }, headers);
const OTHER_SHAPE = JSON.stringify({ version: 3, hits: { rows: [['Twelve rows']] } });
const SIGN_UP = 'The limit of the free use is reached. To continue, get a key of your own.';

/** By engine name; of several limits the first is the usual one. */
export const SERVICE_FORMS: Readonly<Record<string, ServiceForms>> = {
  tavily: {
    limits: [
      (seconds) =>
        reply(432, { error: { code: 'keyless_limit', message: SIGN_UP, retry_after_seconds: seconds } }),
      (seconds) => reply(429, { message: SIGN_UP, retry_after_seconds: seconds }),
    ],
    error: (status, message) => reply(status, { detail: { error: message } }),
    changed: OTHER_SHAPE,
  },
  exa: {
    limits: [
      () => reply200(toolEvent({ text: 'Slow down.', _meta: { 'ai.exa/rateLimited': true } })),
      () => reply200(toolEvent({ text: `${SIGN_UP} (rate limit)`, isError: true })),
      (seconds) => protocolError(429, SIGN_UP, { 'retry-after': String(seconds) }),
    ],
    error: protocolError,
    changed: toolEvent({ text: '1. Twelve rows (rows.example)' }),
  },
  firecrawl: {
    limits: [
      (seconds) =>
        reply(429, { success: false, error: SIGN_UP, reason: 'credits', retry_after_seconds: seconds }),
      () => reply(402, { success: false, error: 'Payment required: no credits are left.' }),
    ],
    error: (status, message) => reply(status, { success: false, error: message }),
    changed: JSON.stringify({ success: true, data: [['Twelve rows']] }),
  },
  keenable: {
    limits: [(seconds) => reply(429, { error: SIGN_UP }, { 'retry-after': String(seconds) })],
    error: (status, message) => reply(status, { error: message }),
    changed: OTHER_SHAPE,
  },
  parallel: {
    limits: [
      (seconds) =>
        protocolError(429, SIGN_UP, { 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() }),
      () => reply200(toolAnswer({ text: `Rate limit exceeded. ${SIGN_UP}`, isError: true })),
    ],
    error: protocolError,
    changed: toolAnswer({ structuredContent: { rows: ['Twelve rows'] } }),
  },
  anysearch: {
    limits: [() => reply(429, { code: 429, message: SIGN_UP })],
    error: (status, message) => reply(status, { code: status, message }),
    changed: OTHER_SHAPE,
  },
};

function reply200(body: string): Reply {
  return { status: 200, body };
}
