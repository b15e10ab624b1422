import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { UserConsent } from '../../../operation.ts';

const ANSWER = 'consent';

/** Returns true if the client can show the user a form. An empty `elicitation` object also means yes. */
export function canAskUser(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (!elicitation) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

export function buildUserQuestion(message: string): InputRequiredResult {
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

export function buildPageQuestion(message: string, url: string, ticket: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [PAGE]: inputRequired.elicitUrl({ message, url }) },
    requestState: ticket,
  });
}

export function readPageConsent(responses: Record<string, unknown> | undefined): UserConsent {
  const answer = inputResponse(responses, PAGE);
  if (answer.kind === 'missing') return 'unasked';
  return answer.kind === 'elicit' && answer.action === 'accept' ? 'yes' : 'no';
}

export function readConsent(responses: Record<string, unknown> | undefined): UserConsent {
  const answer = inputResponse(responses, ANSWER);
  if (answer.kind === 'missing') return 'unasked';
  return answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true
    ? 'yes'
    : 'no';
}
