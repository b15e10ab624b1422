import { type Running, startMagpie, temporaryFolder } from './magpie.ts';

/** Servers of a file, one for each environment: tests that set up the same one share it. */
export interface SharedServers {
  /** The server of this environment, with a data folder of its own, which is started when it is first asked for. */
  serverWith(environmentOf: (data: string) => Record<string, string>): Promise<Running>;
  stop(): Promise<void>;
}

export function createSharedServers(): SharedServers {
  const servers = new Map<string, Promise<Running>>();
  const folders: { remove(): void }[] = [];
  return {
    serverWith(environmentOf) {
      const key = JSON.stringify(environmentOf(''));
      const found = servers.get(key);
      if (found) return found;
      const folder = temporaryFolder();
      folders.push(folder);
      const started = startMagpie(environmentOf(folder.path));
      servers.set(key, started);
      return started;
    },
    async stop() {
      for (const server of servers.values()) await (await server).stop();
      for (const folder of folders) folder.remove();
    },
  };
}
