import type { CommandContext } from '../../command.ts';
import { configuredUrl } from '../../config/config.ts';

/** Open WebUI stores its connections in its own database, so `magpie setup` writes no file for it. */

export const OPEN_WEBUI = 'open-webui';

export async function buildOpenWebUiEntry(options: Pick<CommandContext, 'services' | 'config'>) {
  const { services, config } = options;
  const url = `${(await services.maintenance.serverUrl()) ?? configuredUrl(config) ?? 'http://127.0.0.1:8787'}/mcp`;
  const connection = {
    type: 'mcp',
    url,
    path: '',
    auth_type: 'none',
    key: '',
    config: { enable: true },
    info: { id: 'magpie', name: 'Magpie', description: 'Web search, a knowledge base, scans and monitors' },
  };
  return { url, connections: [connection] };
}

export async function explainAddress(
  { url, connections }: Awaited<ReturnType<typeof buildOpenWebUiEntry>>,
  remove: boolean,
  ctx: CommandContext,
) {
  if (remove) {
    await ctx.print('Open WebUI: delete Magpie under Admin Settings, External Tools.');
    return;
  }
  await ctx.print('Open WebUI takes the address of a server, and keeps it by itself:');
  await ctx.print('  1. magpie serve');
  await ctx.print(`  2. Admin Settings, External Tools, +: type MCP (Streamable HTTP), URL ${url}`);
  await ctx.print(
    '     Without keys the auth is None; with keys it is Bearer, and takes what magpie key create --scope read,write prints.',
  );
  await ctx.print('Or in its environment before its first start:', 'hint');
  await ctx.print(`TOOL_SERVER_CONNECTIONS='${JSON.stringify(connections)}'`, 'hint');
  await ctx.print('In a container it needs an address that it can reach: docs/remote.md.', 'quiet');
}
