import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { renderStatus, statusBody } from './schemas/status.ts';

export const list = defineOperation({
  name: 'list',
  title: 'List the slash commands',
  description: 'The slash commands that the user can type. Use when the user asks what commands there are.',
  toolset: 'web',
  routes: ['GET /list'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: z.object({}),
  output: statusBody,
  example: {},
  async run(_input, { catalog }) {
    const served = new Set(catalog.operations.map(({ name }) => name));
    const lines = catalog.prompts.map(({ name, description, operation }) =>
      served.has(operation)
        ? `/${name}: ${description}`
        : `/${name}: ${description} (not on this server: it does not offer ${operation})`,
    );
    return { status: { status: lines.join('\n') } };
  },
  render: renderStatus,
});
