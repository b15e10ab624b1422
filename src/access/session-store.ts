/** An MCP session of a client with a 2025 protocol revision. All nodes can serve the session. */
export interface StoredSession {
  readonly id: string;
  readonly owner: string;
  /** Key or access token that began the session. If the credential is revoked, the session ends. */
  readonly credential?: string | undefined;
  readonly expiresAt?: number | undefined;
  /** The client's `initialize` request as JSON, from which any node can recreate the session. */
  readonly initialize: string;
}

export interface NodeMessage {
  readonly session: string;
  readonly message: string;
}

export interface SessionStreamId {
  readonly session: string;
  readonly owner: string;
  readonly stream: string;
}

export interface SessionEvent {
  readonly number: number;
  readonly message: string;
  readonly ends: boolean;
}

/** Maximum number and total bytes of a session's stored events. Above these limits, the oldest events are deleted. */
export interface EventBounds {
  readonly count: number;
  readonly bytes: number;
}

/** Stores the MCP sessions that all nodes of a database serve. Each method is one atomic step. */
export interface SessionStore {
  /** Stores a new session. If the owner then has more than `most` sessions, the sessions idle longest are deleted. */
  insertSession(session: StoredSession, at: number, most: number): Promise<void>;
  /** Returns the session and updates its time of use; undefined for an unknown id or another owner's session. */
  useSession(id: string, owner: string, at: number): Promise<StoredSession | undefined>;
  /** Deletes the session with its events, messages and subscriptions; does nothing for another owner's session. */
  deleteSession(id: string, owner: string): Promise<void>;
  /** Returns those of the ids that have a session. If `at` is given, sets the time of use of these sessions to `at`. */
  listSessions(ids: readonly string[], at?: number): Promise<string[]>;
  deleteIdle(before: number): Promise<void>;
  /** Subscribes a session to a resource. Returns false if the session has ended or already has `most` subscriptions. */
  subscribe(session: string, uri: string, most: number): Promise<boolean>;
  unsubscribe(session: string, uri: string): Promise<void>;
  listSubscriptions(session: string): Promise<string[]>;
  /** Marks a node as alive for the next `NODE_TIMEOUT_MS`. */
  checkIn(node: string): Promise<void>;
  /** True if the node has checked in within the last `ms` milliseconds (default `NODE_TIMEOUT_MS`). */
  isThere(node: string, ms?: number): Promise<boolean>;
  checkOut(node: string): Promise<void>;
  /** Stores a message for a node. False if the session has ended or already has `most` messages waiting for the node. */
  sendMail(mail: NodeMessage, node: string, most: number): Promise<boolean>;
  sendToOthers(mail: NodeMessage, node: string, most: number): Promise<void>;
  takeMail(node: string): Promise<NodeMessage[]>;
  /** Calls the listener when messages for the node may have arrived. Returns the unsubscribe function. */
  onMail(node: string, listener: () => void): Promise<() => void>;
  /** Writes all new events or none. Ignores events that are stored already and events of ended sessions. */
  writeEvents(events: readonly (SessionEvent & SessionStreamId)[], most: EventBounds): Promise<void>;
  listEvents(place: SessionStreamId, after: number, most: number): Promise<SessionEvent[]>;
  deleteEvents(olderMs: number): Promise<void>;
  /** Calls the listener when one or more events may have been written. Returns the unsubscribe function. */
  onEvents(session: string, listener: () => void): Promise<() => void>;
}

/** A node counts as dead this many milliseconds after its last check-in. */
export const NODE_TIMEOUT_MS = 15_000;
