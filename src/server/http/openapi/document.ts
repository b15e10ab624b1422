import { AppError } from '../../../errors.ts';
import { type Catalog, type Operation, TOOLSETS, type Toolset } from '../../../operation.ts';
import { VERSION } from '../../../version.ts';
import { selectCatalog } from '../../catalog.ts';
import { splitRoute } from '../rest.ts';
import { MAX_GPT_ACTIONS, toGptAction } from './actions.ts';
import { HEARTBEAT_PATHS } from './heartbeat-paths.ts';
import { credentialHeaderParameters, openApiParameters, openApiRequestBody } from './parameters.ts';
import { failureComponents, openApiResponses } from './responses.ts';

const ABOUT_TOOLSETS: Readonly<Record<Toolset, string>> = {
  web: 'Web search and page reading',
  knowledge: 'The personal knowledge base',
  documents: 'Uploaded files',
  automation: 'Scheduled crawlers on an automation platform',
  security: 'Scans, monitoring and compliance',
};

export interface OpenApiRequest {
  readonly url: string;
  readonly open: boolean;
  /** Comma-separated toolsets, such as `essential`. A GPT Action accepts only a short document. */
  readonly toolset?: string | undefined;
}

/** Writes OpenAPI 3.1 as JSON. AppError `bad_request` for an unknown toolset or too many operations. */
export type OpenApiWriter = (request: OpenApiRequest) => string;

export function createOpenApiWriter(catalog: Catalog): OpenApiWriter {
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

function describeCatalog(catalog: Catalog, toolsets: readonly string[] | undefined): object {
  const { operations } = toolsets ? selectCatalog(catalog, { readOnly: false, toolsets }) : catalog;
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
  throw new AppError(
    'bad_request',
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
    throw new AppError(
      'bad_request',
      `these toolsets have ${operations.length} operations, and a GPT Action takes at most ${MAX_GPT_ACTIONS}: name fewer`,
    );
  }
  const paths: Paths = {};
  for (const operation of operations) {
    const { method, path } = splitRoute(operation.routes[0] as Operation['routes'][number]);
    const described = describe(operation, method, path, 0);
    paths[path] = { ...paths[path], [method.toLowerCase()]: toGptAction(described) };
  }
  return paths;
}

function describe(operation: Operation, method: 'GET' | 'POST', path: string, index: number) {
  const { name, title, description, toolset, effect } = operation;
  return {
    // Operation ids must be unique in OpenAPI.
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
