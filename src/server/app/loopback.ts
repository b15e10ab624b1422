import type { ListeningServer } from '../http/http.ts';
import type { OperationPipeline } from '../invoke.ts';

const HOST = '127.0.0.1';

export function createLoopbackPage(pipe: OperationPipeline, readOnly: boolean) {
  let listening: Promise<ListeningServer> | undefined;
  // Imports the HTTP modules only when needed, because a stdio server seldom needs them.
  const start = async () => {
    const [{ createBaseApp, listen }, { createUploadApp }] = await Promise.all([
      import('../http/http.ts'),
      import('./app.ts'),
    ]);
    const app = createBaseApp(pipe, { host: HOST, corsOrigins: [] });
    app.route('/app', createUploadApp(pipe, { readOnly }));
    return listen(app, HOST, 0);
  };
  return {
    /** Returns the page's URL. The first call starts the page's server on a free port. */
    async url(): Promise<string> {
      listening ??= start().catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
      return (await listening).url;
    },
    async close(): Promise<void> {
      await (await listening)?.close(0);
    },
  };
}
