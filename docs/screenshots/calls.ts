/** Calls of operations over REST, with a key. */
export interface Calls {
  /** Answers JSON; rejects with the words of a refusal. */
  get(path: string): Promise<unknown>;
  post(path: string, input: object): Promise<unknown>;
  /** A link that opens the upload page. */
  uploadLink(): Promise<string>;
}

export function createCalls(url: string, key: string): Calls {
  async function send(path: string, init: RequestInit): Promise<unknown> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json();
  }
  return {
    get: (path) => send(path, {}),
    post: (path, input) => send(path, { method: 'POST', body: JSON.stringify(input) }),
    async uploadLink() {
      const { status } = (await send('pdfload', {})) as { status: { status: string } };
      return /http\S+/.exec(status.status)?.[0] ?? '';
    },
  };
}
