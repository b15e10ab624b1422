import { type Implementation, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { VERSION } from '../../version.ts';
import { SMALL_LOGO_SVG } from '../logo.ts';

const NAME: Implementation = { name: 'magpie', title: 'Magpie', version: VERSION };

/** Icon as a data URL, because a server over stdio cannot serve a file. */
const ICON = { src: `data:image/svg+xml,${encodeURIComponent(SMALL_LOGO_SVG)}`, mimeType: 'image/svg+xml' };

/** Sends the icon only in the response to `initialize`. Other responses contain at most the name. */
export class NamedServer extends Server {
  constructor(options: ServerOptions) {
    super({ ...NAME, icons: [ICON] }, options);
  }

  protected override _outboundServerInfo(): Implementation {
    return NAME;
  }
}
