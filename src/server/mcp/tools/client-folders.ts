import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
} from '@modelcontextprotocol/server';
import type { Call, Pipe } from '../../invoke.ts';

const ANSWER = 'folders';
const MAX_FOLDERS = 100;

export interface ClientFolders {
  withFolders(
    call: Call,
    capabilities: ClientCapabilities | undefined,
    responses: Record<string, unknown> | undefined,
  ): { readonly call: Call } | { readonly ask: InputRequiredResult };
}

export function createClientFolders(server: Server, pipe: Pipe): ClientFolders {
  let known: readonly string[] | undefined;
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined;
  });
  return {
    withFolders(call, capabilities, responses) {
      const operation = pipe.catalog.operations.find(({ name }) => name === call.operation);
      const wants = call.caller.via === 'stdio' && capabilities?.roots && operation?.inFolders?.(call.input);
      if (!wants) return { call };
      const answer = inputResponse(responses, ANSWER);
      if (answer.kind === 'roots') known = answer.roots.slice(0, MAX_FOLDERS).flatMap(pathOf);
      if (known) return { call: { ...call, folders: known } };
      if (responses && ANSWER in responses) return { call };
      return { ask: inputRequired({ inputRequests: { [ANSWER]: inputRequired.listRoots() } }) };
    },
  };
}

function pathOf({ uri }: { readonly uri: string }): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
