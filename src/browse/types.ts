/** What tools, flows, commands and the server know of this room: types alone. */

export type { Browse, BrowseOptions, ReadOptions } from './browse.ts';
