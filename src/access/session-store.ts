/** A session of an MCP client of 2025 as all nodes know it. */
export interface StoredSession {
  readonly id: string;
  readonly owner: string;
  /** The credential that it was begun with: its revocation ends the session. */
  readonly credential?: string | undefined;
  readonly expiresAt?: number | undefined;
  /** The client's `initialize`, as JSON: any node makes the session again from it. */
  readonly initialize: string;
}

/** What one node has for another one, about a session. */
export interface Mail {
  readonly session: string;
  readonly message: string;
}

/** A stream of a session, which one node sends. */
export interface StreamPlace {
  readonly session: string;
  readonly owner: string;
  readonly stream: string;
}

/** A message of a stream that another node reads. */
export interface SessionEvent {
  /** Its place in the stream. */
  readonly number: number;
  readonly message: string;
  /** Whether no other follows. */
  readonly ends: boolean;
}

/** What is kept of one session's events: the oldest beyond it are deleted. */
export interface EventBounds {
  readonly count: number;
  readonly bytes: number;
}

/** Sessions that every node of a database serves. Each method is one atomic step. */
export interface SessionStore {
  /** Of an owner who has more than `most`, those idle longest are deleted. */
  insertSession(session: StoredSession, at: number, most: number): Promise<void>;
  /** Counts as a use; undefined for an unknown id, and for another owner's. */
  useSession(id: string, owner: string, at: number): Promise<StoredSession | undefined>;
  /** With all that belongs to it; another owner's stays. */
  deleteSession(id: string, owner: string): Promise<void>;
  /** Those of the ids that exist; with `at` they count as used. */
  listSessions(ids: readonly string[], at?: number): Promise<string[]>;
  /** Deletes those that were last used before a time. */
  deleteIdle(before: number): Promise<void>;
  /** False, and nothing is kept, where the session has `most` other addresses, or has ended. */
  subscribe(session: string, uri: string, most: number): Promise<boolean>;
  unsubscribe(session: string, uri: string): Promise<void>;
  listSubscriptions(session: string): Promise<string[]>;
  /** Says that a node is there, for the next `NODE_MS`. */
  checkIn(node: string): Promise<void>;
  /** Whether it has checked in within `NODE_MS`, or so many milliseconds. */
  isThere(node: string, ms?: number): Promise<boolean>;
  /** Says that a node has ended. */
  checkOut(node: string): Promise<void>;
  /** False where the node has `most` messages of the session already, or the session has ended. */
  sendMail(mail: Mail, node: string, most: number): Promise<boolean>;
  /** The same to every node that is there, but one. */
  sendToOthers(mail: Mail, node: string, most: number): Promise<void>;
  /** A node's mail, oldest first; it is deleted. */
  takeMail(node: string): Promise<Mail[]>;
  /** Calls the listener when mail may have come; it may also come without a call. Returns the function that ends it. */
  onMail(node: string, listener: () => void): Promise<() => void>;
  /** All of them or none, and once; a session that has ended keeps none. Who listens to the session's events hears of it. */
  writeEvents(events: readonly (SessionEvent & StreamPlace)[], most: EventBounds): Promise<void>;
  /** The next events of a stream, in order. */
  listEvents(place: StreamPlace, after: number, most: number): Promise<SessionEvent[]>;
  /** Deletes those that are older than so many milliseconds. */
  deleteEvents(olderMs: number): Promise<void>;
  /** Calls the listener when events of a session may have come; they may also come without a call. */
  onEvents(session: string, listener: () => void): Promise<() => void>;
}

/** Milliseconds after which a node that has not checked in again is taken to be gone. */
export const NODE_MS = 15_000;
