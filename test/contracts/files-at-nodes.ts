import { expect, test } from 'vitest';
import { followLink, linkOf } from '../helpers/uploads.ts';

const TEXT = 'The bittern booms in the reeds at dusk, and is seldom seen.\n';

interface Matches {
  readonly matches: readonly { readonly metadata: { readonly text: string; readonly fileName: string } }[];
}

/** Files at two nodes of one database, which know each caller as the same user. */
export function filesAtNodesContract(urlOf: (node: number) => string): void {
  /** The same address at another node, as a load balancer leads to it. */
  const at = (node: number, link: string) => {
    const { pathname, search } = new URL(link);
    return new URL(`${pathname}${search}`, urlOf(node)).href;
  };

  async function matchesAt(node: number, path: string): Promise<Matches['matches']> {
    const response = await fetch(new URL(path, urlOf(node)));
    return ((await response.json()) as Matches).matches;
  }
  const ask = (node: number, name: string) =>
    matchesAt(node, `/document?q=bittern&fileName=${name}&partId=*`);

  test('a file that was uploaded at one node is listed, searched, read and deleted at the other', async () => {
    const visitor = await followLink(await linkOf(urlOf(0)));
    expect((await visitor.put('birds.txt', Buffer.from(TEXT))).ok).toBe(true);
    const [file] = await matchesAt(1, '/listpdfs');
    expect(file?.metadata.fileName).toBe('birds.txt');
    await expect.poll(async () => (await ask(1, 'birds.txt')).length).toBe(1);
    expect((await ask(1, 'birds.txt'))[0]?.metadata.text).toContain('booms in the reeds');
    // Its address is signed: the other node opens what this one has signed.
    const address = /http\S+/.exec(file?.metadata.text ?? '')?.[0] ?? '';
    expect(await (await fetch(at(0, address))).text()).toBe(TEXT);
    // The session of the page is that of both nodes.
    const { form } = visitor;
    // The cookie's name has the port, which is one behind a load balancer.
    const cookie = visitor.cookie.replace(new URL(urlOf(0)).port, new URL(urlOf(1)).port);
    const deleted = await fetch(new URL('/app/file/delete', urlOf(1)), {
      method: 'POST',
      headers: { cookie, origin: urlOf(1) },
      body: new URLSearchParams({ name: 'birds.txt', form }),
      redirect: 'manual',
    });
    expect(deleted.status).toBe(303);
    expect(await matchesAt(0, '/listpdfs')).toEqual([]);
    expect((await fetch(at(0, address))).status).toBe(404);
  });

  test('a link from one node opens the page at another node and shows the files of the first', async () => {
    const visitor = await followLink(at(1, await linkOf(urlOf(0))));
    expect((await visitor.put('reeds.txt', Buffer.from(TEXT))).ok).toBe(true);
    await expect.poll(async () => (await ask(0, 'reeds.txt')).length).toBe(1);
  });
}
