/** What tools, flows, commands and the server know of this room: types alone. */

export type { DocumentOptions, Documents } from './documents.ts';
