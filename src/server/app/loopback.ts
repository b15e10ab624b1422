import type { Listening } from '../http/http.ts';
import type { Pipe } from '../invoke.ts';

const HOST = '127.0.0.1';

/** The upload page alone, for a stdio server, which has no other HTTP. */
export interface LoopbackPage {
  /** Its address; the first call takes a free port of this machine. */
  url(): Promise<string>;
  close(): Promise<void>;
}

export function createLoopbackPage(pipe: Pipe, readOnly: boolean): LoopbackPage {
  let listening: Promise<Listening> | undefined;
  // Loaded here: a stdio server starts without all of HTTP.
  const start = async () => {
    const [{ createEdge, listen }, { createUploadApp }] = await Promise.all([
      import('../http/http.ts'),
      import('./app.ts'),
    ]);
    const app = createEdge(pipe, { host: HOST, corsOrigins: [] });
    app.route('/app', createUploadApp(pipe, { readOnly }));
    return listen(app, HOST, 0);
  };
  return {
    async url() {
      listening ??= start().catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
      return (await listening).url;
    },
    async close() {
      await (await listening)?.close(0);
    },
  };
}
