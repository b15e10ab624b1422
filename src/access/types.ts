/** What tools, flows, commands and the server know of this room: types alone. */

export type { Access, AccessOptions, Visit } from './access.ts';
