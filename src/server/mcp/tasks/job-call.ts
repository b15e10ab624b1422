import type { OperationCatalog } from '../../../operation.ts';

/** A call that reads the background job which a call of `starter` has started. */
export interface JobReadingCall {
  readonly starter: string;
  readonly startedAt: number;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Returns the call for the path at which REST has the job's result, with what both operations take. */
export function findJobReadingCall(
  { operations }: Pick<OperationCatalog, 'operations'>,
  starter: string,
  given: Readonly<Record<string, unknown>>,
  path: string,
): Pick<JobReadingCall, 'operation' | 'input'> {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  for (const { name, routes, input } of operations) {
    const inPath = routes.map((route) => matchRoute(route, pathname)).find((found) => found !== undefined);
    if (!inPath) continue;
    // The same operation needs nothing else, and its parameters may hold a password, which is never stored.
    const shared = Object.entries(given).filter(([key]) => name !== starter && key in input.shape);
    return {
      operation: name,
      input: { ...Object.fromEntries(shared), ...Object.fromEntries(searchParams), ...inPath },
    };
  }
  throw new TypeError(`no operation reads the job at ${path}`);
}

function matchRoute(route: string, pathname: string): Record<string, string> | undefined {
  const [wanted, found] = [route.split('/'), `GET ${pathname}`.split('/')];
  const parameters: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith('{')) parameters[part.slice(1, -1)] = found[at] ?? '';
    else if (part !== found[at]) return undefined;
  }
  return wanted.length === found.length ? parameters : undefined;
}
