/** What tools, flows, commands and the server know of this room: types alone. */

export type { ChangeListener, DocumentFile, EmbeddingProgress, EntryPage, Inserted, Knowledge, KnowledgeOptions, Pages, QueryOptions } from './knowledge.ts';
export type { Entry, Filter, Match, NewEntry, Passage, Stats } from './entry.ts';
