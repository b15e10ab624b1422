import { type Implementation, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { VERSION } from '../../version.ts';
import { SMALL_MARK } from '../mark.ts';

const NAME: Implementation = { name: 'magpie', title: 'Magpie', version: VERSION };

/** Data in the address, since a server over stdio has no address of its own. */
const ICON = { src: `data:image/svg+xml,${encodeURIComponent(SMALL_MARK)}`, mimeType: 'image/svg+xml' };

/**
 * A server that shows its icon in the answer to `initialize`. Clients of 2026 get the name with every answer, which the icon
 * would make half a kilobyte longer: they get the name alone.
 */
export class NamedServer extends Server {
  constructor(options: ServerOptions) {
    super({ ...NAME, icons: [ICON] }, options);
  }

  protected override _outboundServerInfo(): Implementation {
    return NAME;
  }
}
