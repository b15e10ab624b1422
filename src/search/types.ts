/** What tools, flows, commands and the server know of this room: types alone. */

export type { Indexer, IndexerOptions, IndexListing, IndexOptions } from './indexer.ts';
export type { EngineReport, FindOptions, Found, Search, SearchOptions } from './search.ts';
