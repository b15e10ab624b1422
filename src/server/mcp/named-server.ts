import { type Implementation, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { VERSION } from '../../version.ts';
import { SMALL_LOGO_SVG } from '../logo.ts';

const NAME: Implementation = { name: 'magpie', title: 'Magpie', version: VERSION };

/** Icon as a data URL, because a server over stdio has no address for a file. */
const ICON = { src: `data:image/svg+xml,${encodeURIComponent(SMALL_LOGO_SVG)}`, mimeType: 'image/svg+xml' };

/**
 * A server that sends its icon only in the response to `initialize`. Clients of MCP 2026-07-28 get the server's name in every
 * response, and the icon would add half a kilobyte to each response.
 */
export class NamedServer extends Server {
  constructor(options: ServerOptions) {
    super({ ...NAME, icons: [ICON] }, options);
  }

  protected override _outboundServerInfo(): Implementation {
    return NAME;
  }
}
