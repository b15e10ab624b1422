import { z } from 'zod';
import {
  defineOperation,
  findOfferedOperation,
  type Operation,
  removeUnavailableMentions,
} from '../src/operation.ts';
import { renderStatus, statusBody } from './schemas/status.ts';

export const help = defineOperation({
  name: 'help',
  title: 'Help with Magpie',
  description: 'Returns how to use these tools: for a user who asks what Magpie can do, or after an error.',
  toolset: 'web',
  essential: true,
  routes: ['GET /help'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: z.object({}),
  output: statusBody,
  example: {},
  async run(_input, { catalog, offers }) {
    const names = catalog.operations.map(({ name }) => name);
    const entries = catalog.operations.flatMap(({ name, helpName }) => {
      const word = helpName === undefined ? undefined : findOfferedOperation(catalog, name, offers);
      return helpName !== undefined && word
        ? [removeUnavailableMentions(entry(helpName, word), names, offers)]
        : [];
    });
    const served = catalog.prompts.filter(({ operation }) =>
      findOfferedOperation(catalog, operation, offers),
    );
    const commands = served.map(({ name }) => `/${name}`).join(', ');
    const before = 'Each operation, which is a tool over MCP, with its parameters:';
    return { status: { status: [before, ...entries, `Slash commands: ${commands}.`, ADVICE].join('\n\n') } };
  },
  render: renderStatus,
});

const ADVICE =
  'If an answer is too large (ResponseTooLarge), raise percentile to 10 or 20 and set numofpages to 1. ' +
  'If it times out, double percentile and numofpages.';

function entry(helpName: string, operation: Operation): string {
  const start = (operation.start ?? {}) as Record<string, unknown>;
  const listed = Object.entries(operation.input.shape).filter(
    ([name]) => !operation.unlisted?.includes(name),
  );
  const parameters = listed.map(([name, schema]) => {
    const optional = schema.safeParse(undefined).success ? 'optional ' : '';
    const value =
      start[name] === undefined
        ? ''
        : ` (start with ${start[name] === '' ? 'an empty string' : start[name]})`;
    return `${optional}${name}${value}`;
  });
  // The API contract uses another name for some operations. The help must contain that name too.
  const also = helpName === operation.name ? '' : `${operation.name}, also called `;
  return `${also}${helpName} (${parameters.join(', ')}): ${operation.description}`;
}
