import { withoutModel } from './embeddings-api.ts';
import { exitOf } from './exit-of.ts';
import { environment, spawnServer, temporaryFolder } from './magpie.ts';
import { makePostgres } from './postgres.ts';

/** Two servers, each in its process and with a data folder of its own, on one database. */
export interface TwoNodes {
  /** The address at present. */
  urlOf(node: number): string;
  kill(node: number): Promise<void>;
  /** Starts a node in the place of one that has ended. */
  start(node: number): Promise<void>;
  remove(): Promise<void>;
}

/** Both find an empty database at their start: one of them makes the tables. */
export async function startTwoNodes(settings: Readonly<Record<string, string>> = {}): Promise<TwoNodes> {
  const place = await makePostgres('none');
  const folders = [temporaryFolder(), temporaryFolder()];
  const words = await withoutModel();
  const spawn = ({ path }: { readonly path: string }) =>
    spawnServer({ ...environment(path), DATABASE_URL: place.url, ...words, ...settings });
  const nodes = await Promise.all(folders.map(spawn));
  return {
    urlOf: (node) => nodes[node]?.url ?? '',
    async kill(node) {
      const child = nodes[node]?.process;
      child?.kill('SIGKILL');
      if (child) await exitOf(child);
    },
    async start(node) {
      nodes[node] = await spawn(folders[node] as (typeof folders)[number]);
    },
    async remove() {
      for (const node of nodes) await node.stop();
      await place.remove();
      for (const folder of folders) folder.remove();
    },
  };
}
