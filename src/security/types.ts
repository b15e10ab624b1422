/** What tools, flows, commands and the server know of this room: types alone. */

export type { ScanTerms, Security, SecurityOptions, Watch } from './security.ts';
