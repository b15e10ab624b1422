import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { Consent } from '../../../operation.ts';

/** Asking the user through the client: MCP's elicitation, in both protocol eras. */

const ANSWER = 'consent';

/** Whether the client can put a question before its user. One that names no mode has forms. */
export function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (!elicitation) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

/**
 * The result that makes the client ask, and call again with the answer; for 2025 clients the SDK sends the
 * question itself and calls the handler again.
 */
export function askUser(message: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [ANSWER]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Yes, go on', default: false } },
          required: ['confirm'],
        },
      }),
    },
  });
}

/** Whether the client can have its user open an address of ours. */
export function canOpen(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.elicitation?.url !== undefined;
}

const PAGE = 'credentials';

/** The result that makes the client have its user open a page, and call again with `ticket`. */
export function askOnPage(message: string, url: string, ticket: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [PAGE]: inputRequired.elicitUrl({ message, url }) },
    requestState: ticket,
  });
}

/** Whether the user went to the page: `unasked` when the call carries no answer. */
export function userOpened(responses: Record<string, unknown> | undefined): Consent {
  const answer = inputResponse(responses, PAGE);
  if (answer.kind === 'missing') return 'unasked';
  return answer.kind === 'elicit' && answer.action === 'accept' ? 'yes' : 'no';
}

/** What the user answered; `unasked` when the call carries no answer. Anything but a clear yes is a no. */
export function userSaid(responses: Record<string, unknown> | undefined): Consent {
  const answer = inputResponse(responses, ANSWER);
  if (answer.kind === 'missing') return 'unasked';
  return answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true
    ? 'yes'
    : 'no';
}
