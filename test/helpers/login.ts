import type { visitConsole } from './console-visit.ts';

export type Visit = ReturnType<typeof visitConsole>;

/** What a browser brings along to the console when it comes back from a provider that redirects at once. */
export async function goToProvider(visit: Visit, next = ''): Promise<URL> {
  const begun = await visit.get(`/app/oidc/login${next && `?next=${encodeURIComponent(next)}`}`);
  if (begun.status !== 302) throw new Error(`the login answers ${begun.status}: ${await begun.text()}`);
  const answer = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

/** The console's own answer to that. */
export async function comeBack(visit: Visit, { pathname, search }: URL): Promise<Response> {
  return visit.get(`${pathname}${search}`);
}

export async function signInBy(visit: Visit, next?: string): Promise<Response> {
  return comeBack(visit, await goToProvider(visit, next));
}
