import { badRequestError } from '../../../errors.ts';
import { type Operation, type OperationCatalog, TOOLSETS, type Toolset } from '../../../operation.ts';
import { VERSION } from '../../../version.ts';
import { selectCatalog } from '../../invoke.ts';
import { splitRoute } from '../rest.ts';
import heartbeat from './heartbeat.json' with { type: 'json' };
import {
  credentialHeaderParameters,
  EMPTY_TEXT_SCHEMA,
  NULL_SCHEMA,
  openApiParameters,
  openApiRequestBody,
} from './parameters.ts';
import { failureComponents, openApiFailures, openApiResponses } from './responses.ts';

const ABOUT_TOOLSETS: Readonly<Record<Toolset, string>> = {
  web: 'Web search and page reading',
  knowledge: 'The personal knowledge base',
  documents: 'Uploaded files',
  automation: 'Scheduled crawlers on an automation platform',
  security: 'Scans, monitoring and compliance',
};

/** Returns an OpenAPI 3.1 document as JSON. Throws `bad_request` for an invalid or too large toolset. */
export type OpenApiWriter = (request: {
  readonly url: string;
  readonly open: boolean;
  /** Toolsets to include, separated by commas, for example `essential`. GPT Actions need a short document. */
  readonly toolset?: string | undefined;
}) => string;

export function createOpenApiWriter(catalog: OperationCatalog): OpenApiWriter {
  const described = new Map<string, object>();
  return ({ url, open, toolset }) => {
    const toolsets = toolset === undefined ? undefined : toolsetsOf(toolset);
    const name = toolsets?.join() ?? '';
    const parts = described.get(name) ?? describeCatalog(catalog, toolsets);
    described.set(name, parts);
    return JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'Magpie',
        version: VERSION,
        description: 'Web search and page reading, a personal knowledge base, security scans.',
        contact: { name: 'Magpie', url: `${url}/docs` },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url }],
      security: [{ bearer: [] }, ...(open ? [{}] : [])],
      ...parts,
    });
  };
}

function describeCatalog(catalog: OperationCatalog, toolsets: readonly string[] | undefined): object {
  const { operations } = toolsets
    ? selectCatalog(catalog, { readOnly: false, toolsets, tools: [] })
    : catalog;
  const paths = toolsets ? actionPaths(operations) : pathsOf(operations);
  const tags = new Set(operations.map(({ toolset }) => toolset));
  return {
    tags: TOOLSETS.filter((name) => tags.has(name)).map((name) => ({
      name,
      description: ABOUT_TOOLSETS[name],
    })),
    paths: toolsets || !hasMonitors(operations) ? paths : { ...paths, ...HEARTBEAT_PATHS },
    components: {
      ...failureComponents(Object.keys(paths)),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`magpie key create`), or an access token of the configured authorization server',
        },
      },
    },
  };
}

const hasMonitors = (operations: readonly Operation[]) =>
  operations.some(({ name }) => name === 'startMonitoring');

type Paths = Record<string, Record<string, object>>;

function toolsetsOf(text: string): string[] {
  const known: readonly string[] = [...TOOLSETS, 'essential'];
  const names = text.split(',', known.length + 1).map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return known.filter((name) => names.includes(name));
  throw badRequestError(
    `toolset is ${JSON.stringify(unknown.slice(0, 80))}: it takes names out of ${known.join(', ')}, separated by commas`,
  );
}

function pathsOf(operations: readonly Operation[]): Paths {
  const paths: Paths = {};
  for (const operation of operations) {
    operation.routes.forEach((route, index) => {
      const { method, path } = splitRoute(route);
      paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation, method, path, index) };
    });
  }
  return paths;
}

function actionPaths(operations: readonly Operation[]): Paths {
  if (operations.length > MAX_GPT_ACTIONS) {
    throw badRequestError(
      `these toolsets have ${operations.length} operations, and a GPT Action takes at most ${MAX_GPT_ACTIONS}: name fewer`,
    );
  }
  const paths: Paths = {};
  for (const operation of operations) {
    const { method, path } = splitRoute(operation.routes[0] as Operation['routes'][number]);
    const described = describe(operation, method, path, 0);
    paths[path] = { ...paths[path], [method.toLowerCase()]: adapt(described) as object };
  }
  return paths;
}

function describe(operation: Operation, method: 'GET' | 'POST', path: string, index: number) {
  const { name, title, description, toolset, effect } = operation;
  return {
    operationId: index === 0 ? name : `${name}_${index + 1}`,
    summary: title,
    description,
    tags: [toolset],
    'x-openai-isConsequential': effect !== 'read',
    parameters: [...openApiParameters(operation, method, path), ...credentialHeaderParameters(operation)],
    requestBody: method === 'POST' ? openApiRequestBody(operation, path) : undefined,
    responses: openApiResponses(operation, path),
  };
}

const MAX_GPT_ACTIONS = 30;
const MAX_DESCRIPTION_CHARS = 300;

function adapt(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item?.in !== 'header').map(adapt);
  if (typeof value !== 'object' || value === null) return value;
  const adapted = Object.fromEntries(
    Object.entries(withoutEmpty(value)).map(([name, inner]) => [name, adapt(inner)]),
  );
  if (typeof adapted.description === 'string') adapted.description = shortened(adapted.description);
  if (Array.isArray(adapted.type)) [adapted.type] = adapted.type;
  if (adapted.type === 'object' && adapted.properties === undefined) adapted.properties = {};
  return adapted;
}

/** Removes '' and null from the accepted values, because a GPT omits an unused parameter instead. */
function withoutEmpty(value: object): object {
  const { anyOf, enum: values, ...rest } = value as { anyOf?: readonly object[]; enum?: readonly unknown[] };
  if (anyOf?.includes(EMPTY_TEXT_SCHEMA)) return { ...rest, ...anyOf[0] };
  if (anyOf) return { ...value, anyOf: anyOf.filter((one) => one !== NULL_SCHEMA) };
  return values ? { ...value, enum: values.filter((one) => one !== '' && one !== null) } : value;
}

function shortened(text: string): string {
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  const start = text.slice(0, MAX_DESCRIPTION_CHARS - 3);
  const sentences = /^.*[.!?](?=\s)/s.exec(start)?.[0];
  return sentences ?? `${start.slice(0, Math.max(start.lastIndexOf(' '), 0) || start.length).trimEnd()}...`;
}

const HEARTBEAT_PATHS = {
  '/heartbeat/{token}': { get: described('sendHeartbeat', 'A job has done its work', [heartbeat.token]) },
  '/heartbeat/{token}/{said}': {
    get: described('sendSignal', 'A job has begun, has done its work, or has failed', [
      heartbeat.token,
      heartbeat.said,
    ]),
  },
};

function described(operationId: string, summary: string, parameters: readonly object[]) {
  return {
    operationId,
    summary,
    description: 'Takes POST too. A body is not read.',
    tags: ['security'],
    security: [],
    parameters,
    responses: {
      200: { description: 'It was noted', content: { 'application/json': { schema: heartbeat.taken } } },
      ...openApiFailures('/heartbeat'),
    },
  };
}
