/** Whoever has followed a link of `pdfload`: a cookie, and what the page's hidden field says. */
export interface Visitor {
  readonly cookie: string;
  readonly form: string;
  /** A PUT as the page's script sends it. */
  put(name: string, body: Uint8Array): Promise<Response>;
}

/** Follows a link of `pdfload`, as a browser without scripts does. */
export async function followLink(link: string): Promise<Visitor> {
  const opened = await fetch(link, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(new URL('/app/files', link), { headers: { cookie } })).text();
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
  return {
    cookie,
    form,
    put: (name, body) =>
      fetch(new URL(`/app/files/${encodeURIComponent(name)}`, link), {
        method: 'PUT',
        headers: { cookie, 'x-form': form },
        body: new Uint8Array(body),
      }),
  };
}

/** The link in the answer of `pdfload` of a running server. */
export async function linkOf(base: string): Promise<string> {
  const { status } = (await (await fetch(new URL('/pdfload', base))).json()) as {
    status: { status: string };
  };
  return /http\S+/.exec(status.status)?.[0] ?? '';
}
