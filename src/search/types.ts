/** What tools, flows, commands and the server know of this room: types alone. */

export type { EngineReport, FindOptions, Found, Search, SearchOptions } from './search.ts';
export type { IndexListing, IndexOptions, Indexer, IndexerOptions } from './indexer.ts';
