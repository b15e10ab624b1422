import { z } from 'zod';
import { defineOperation, findOfferedOperation } from '../src/operation.ts';
import { renderStatus, statusBody } from './schemas/status.ts';

export const list = defineOperation({
  name: 'list',
  title: 'List the slash commands',
  description: 'Lists the slash commands that the user can type.',
  toolset: 'web',
  essential: true,
  routes: ['GET /list'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: z.object({}),
  output: statusBody,
  example: {},
  async run(_input, { catalog, offers }) {
    const lines = catalog.prompts.map(({ name, description, operation }) => {
      const absent = findOfferedOperation(catalog, operation, offers) ? '' : ' (not offered here)';
      return `/${name}: ${description}${absent}`;
    });
    return { status: { status: lines.join('\n') } };
  },
  render: renderStatus,
});
