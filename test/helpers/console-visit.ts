/** A browser without scripts at the console of a server: it keeps cookies, and sends a form with the word of its page. */
export function visitConsole(url: () => string) {
  const jar = new Map<string, string>();
  const get = async (path: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, ...(init.headers as Record<string, string>) };
    const response = await fetch(new URL(path, url()), { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const page = async (path: string) => (await get(path)).text();
  const token = async (at = '/app/notes') => /name="form" value="([^"]+)"/.exec(await page(at))?.[1] ?? '';
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    get(path, { method: 'POST', body: new URLSearchParams({ form: await token(), ...fields }), headers });
  return { jar, get, page, token, post };
}
