import { type Caller, type CredentialState, localCaller } from '../../src/caller.ts';
import { createLog } from '../../src/log.ts';
import { type Metrics, noMetrics } from '../../src/metrics.ts';
import type { OperationCatalog } from '../../src/operation.ts';
import { createApp, type HttpOptions, type ListeningServer, listen } from '../../src/server/http/http.ts';
import { MAX_BODY_BYTES } from '../../src/server/http/json-request.ts';
import type { OperationPipeline } from '../../src/server/invoke.ts';
import { createMcpServer } from '../../src/server/mcp/mcp.ts';
import {
  createMcpEndpoint,
  createScopeCheck,
  type McpEndpoint,
  type McpServerFactory,
} from '../../src/server/mcp/mcp-http.ts';
import { createChangeNotifications } from '../../src/server/mcp/resources/change-notifications.ts';
import type { Services } from '../../src/wiring/services.ts';

/** Magpie's real HTTP stack in this process, with operations (or an MCP server) of the test's own behind it. */
export interface Stack {
  readonly url: string;
  readonly pipe: OperationPipeline;
  readonly mcp: McpEndpoint;
  /** Lines that were logged. */
  readonly logged: string[];
  close(): Promise<void>;
}

export interface StackOptions {
  readonly catalog?: OperationCatalog;
  readonly pipe?: Partial<OperationPipeline>;
  readonly metrics?: Metrics;
  readonly http?: Partial<HttpOptions>;
  /** Sessions kept at once. */
  readonly maxSessions?: number;
  /** Of callers who were let in; valid for as long as they like when left out. */
  readonly standingOf?: (caller: Caller) => CredentialState;
  /** In place of the server that the catalog makes. */
  readonly mcp?: McpServerFactory;
}

const noRoom = () => Promise.reject(new Error('this stack has no rooms'));

const NO_SERVICES: Services = {
  search: noRoom,
  browse: noRoom,
  indexer: noRoom,
  sites: noRoom,
  knowledge: noRoom,
  intake: noRoom,
  embedder: noRoom,
  fetchedModels: noRoom,
  documents: noRoom,
  passes: noRoom,
  security: noRoom,
  compliance: noRoom,
  monitor: noRoom,
  automation: noRoom,
  appUrl: noRoom,
  onKnowledgeChange: () => () => {},
  onMonitorChange: () => () => {},
  identity: {
    access: noRoom,
    tasks: noRoom,
    tokens: noRoom,
    login: noRoom,
    apps: noRoom,
    sessions: async () => undefined,
  },
  maintenance: {
    updateAdvisories: noRoom,
    checkData: noRoom,
    checkDatabase: noRoom,
    backUp: noRoom,
    checkBackup: noRoom,
    restoreBackup: noRoom,
    countUser: noRoom,
    exportUser: noRoom,
    deleteUser: noRoom,
    moveData: noRoom,
    moveFiles: noRoom,
    checkFiles: noRoom,
    readKeys: noRoom,
    examineBucket: noRoom,
    testEngines: noRoom,
    listEngines: noRoom,
    serverUrl: noRoom,
    browserPath: noRoom,
  },
  lifecycle: {
    onlyRead() {},
    refuseUnusableBucket: async () => {},
    ready: async () => {},
    findDamage: async () => {},
    workOnJobs: async () => {},
    settle: async () => {},
    close: async () => {},
  },
};

/** These rooms, and no others. */
export function rooms(own: Partial<Services>): Services {
  return { ...NO_SERVICES, ...own };
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const logged: string[] = [];
  const log = createLog('debug', (line) => logged.push(line));
  const pipe: OperationPipeline = {
    catalog: options.catalog ?? { operations: [], prompts: [] },
    services: NO_SERVICES,
    log,
    metrics: options.metrics ?? noMetrics,
    callTimeout: 60_000,
    responseBytes: 1_000_000,
    running: new Set(),
    ...options.pipe,
  };
  const names = new Set(pipe.catalog.operations.map(({ name }) => name));
  const notifications = createChangeNotifications(pipe.services, pipe.log);
  const make: McpServerFactory =
    options.mcp ??
    ((caller, lasts, subscriptions) =>
      createMcpServer(
        pipe,
        names,
        caller,
        lasts === 'session' ? { notifications, era: 'legacy', subscriptions } : undefined,
      ));
  const endpoint = createMcpEndpoint(make, {
    log,
    notifications,
    services: pipe.services,
    gate: createScopeCheck(pipe, names),
    standingOf: options.standingOf ?? (() => 'valid'),
    bodyBytes: MAX_BODY_BYTES,
    maxSessions: options.maxSessions,
  });
  const app = createApp(pipe, endpoint, {
    host: '127.0.0.1',
    corsOrigins: [],
    identify: (request) => localCaller(request.headers.get('x-user') ?? 'ada', 'http'),
    ...options.http,
  });
  const server: ListeningServer = await listen(app, '127.0.0.1', 0);
  return {
    url: server.url,
    pipe,
    mcp: endpoint,
    logged,
    async close() {
      await endpoint.close();
      await server.close(100);
    },
  };
}
