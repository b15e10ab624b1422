import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { Consent } from '../../../operation.ts';

/** Name of the question that the client asks its user (elicitation in MCP). The user's answer has the same name. */

const ANSWER = 'consent';

/** True if the client can ask its user a question. A client whose capability names no mode can show forms. */
export function canAskUser(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (!elicitation) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

/** Returns the result that makes the client ask its user and call again. For clients of 2025, the SDK does both. */
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

export function canOpenPage(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.elicitation?.url !== undefined;
}

const PAGE = 'credentials';

/** Returns the result that makes the client ask its user to open a page and call again with `ticket`. */
export function askOnPage(message: string, url: string, ticket: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [PAGE]: inputRequired.elicitUrl({ message, url }) },
    requestState: ticket,
  });
}

export function readPageConsent(responses: Record<string, unknown> | undefined): Consent {
  const answer = inputResponse(responses, PAGE);
  if (answer.kind === 'missing') return 'unasked';
  return answer.kind === 'elicit' && answer.action === 'accept' ? 'yes' : 'no';
}

/** Reads the user's answer; `unasked` without an answer. Every answer except a clear yes counts as a no. */
export function readConsent(responses: Record<string, unknown> | undefined): Consent {
  const answer = inputResponse(responses, ANSWER);
  if (answer.kind === 'missing') return 'unasked';
  return answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true
    ? 'yes'
    : 'no';
}
