/** MCP session of a client that uses a protocol version of 2025. Any node can serve the session. */
export interface StoredMcpSession {
  readonly id: string;
  readonly owner: string;
  /** Key or access token that began the session. Its revocation ends the session. */
  readonly credential?: string | undefined;
  readonly expiresAt?: number | undefined;
  /** The client's `initialize` request as JSON. Any node can recreate the session from it. */
  readonly initialize: string;
}

export interface ServerNodeMessage {
  readonly session: string;
  readonly message: string;
}

export interface SessionStreamId {
  readonly session: string;
  readonly owner: string;
  readonly stream: string;
}

export interface McpSessionEvent {
  readonly number: number;
  readonly message: string;
  readonly ends: boolean;
}

/** Stores sessions. All nodes of a database can serve them. Each method is atomic. */
export interface McpSessionStore {
  /** Adds a session. If the owner then has more than `most`, deletes those that were idle longest. */
  insertSession(session: StoredMcpSession, at: number, most: number): Promise<void>;
  /** Updates the session's time of use. Returns undefined for an unknown id or another owner's session. */
  useSession(id: string, owner: string, at: number): Promise<StoredMcpSession | undefined>;
  deleteSession(id: string, owner: string): Promise<void>;
  listSessions(ids: readonly string[], at?: number): Promise<string[]>;
  deleteIdle(before: number): Promise<void>;
  /** Subscribes a session. Returns false if it has ended or already has `most` subscriptions. */
  subscribe(session: string, uri: string, most: number): Promise<boolean>;
  unsubscribe(session: string, uri: string): Promise<void>;
  listSubscriptions(session: string): Promise<string[]>;
  checkIn(node: string): Promise<void>;
  /** Returns true if the node called `checkIn` within the last `ms`. Default: `SERVER_NODE_TIMEOUT_MS`. */
  isThere(node: string, ms?: number): Promise<boolean>;
  checkOut(node: string): Promise<void>;
  /** Stores a message for a node. Returns false if the session has ended or `most` messages already wait. */
  sendMail(mail: ServerNodeMessage, node: string, most: number): Promise<boolean>;
  sendToOthers(mail: ServerNodeMessage, node: string, most: number): Promise<void>;
  takeMail(node: string): Promise<ServerNodeMessage[]>;
  /** Calls the listener when messages may have arrived. Returns the function that removes the listener. */
  onMail(node: string, listener: () => void): Promise<() => void>;
  /** Stores events in one transaction. Skips events that are stored already or whose session has ended. */
  writeEvents(
    events: readonly (McpSessionEvent & SessionStreamId)[],
    most: { readonly count: number; readonly bytes: number },
  ): Promise<void>;
  listEvents(place: SessionStreamId, after: number, most: number): Promise<McpSessionEvent[]>;
  deleteEvents(olderMs: number): Promise<void>;
  onEvents(session: string, listener: () => void): Promise<() => void>;
}

export const SERVER_NODE_TIMEOUT_MS = 15_000;
