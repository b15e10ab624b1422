import { type Implementation, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { VERSION } from '../../version.ts';
import { SMALL_LOGO_SVG } from '../logo.ts';

const NAME: Implementation = { name: 'magpie', title: 'Magpie', version: VERSION };

/** A data URL, because a server over stdio has no address for a file. */
const ICON = { src: `data:image/svg+xml,${encodeURIComponent(SMALL_LOGO_SVG)}`, mimeType: 'image/svg+xml' };

/** Sends the icon only in the response to `initialize`, because later clients get the server's name every time. */
export class NamedServer extends Server {
  constructor(options: ServerOptions) {
    super({ ...NAME, icons: [ICON] }, options);
  }

  protected override _outboundServerInfo(): Implementation {
    return NAME;
  }
}
