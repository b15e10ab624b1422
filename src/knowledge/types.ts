/** What tools, flows, commands and the server know of this room: types alone. */

export type { Entry, Filter, Match, NewEntry, Passage, Stats } from './entry.ts';
export type {
  ChangeListener,
  DocumentFile,
  EmbeddingProgress,
  EntryPage,
  Inserted,
  Knowledge,
  KnowledgeOptions,
  Pages,
  QueryOptions,
} from './knowledge.ts';
