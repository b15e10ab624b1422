import type { ConsoleOptions } from '../console/frame/visitor.ts';
import type { ListeningServer } from '../http/http.ts';
import type { OperationPipeline } from '../invoke.ts';

const HOST = '127.0.0.1';

/** Serves the files of links to a user of stdio, in the console's frame, without the rest of the console. */
export function createLoopbackPage(pipe: OperationPipeline) {
  let listening: Promise<ListeningServer> | undefined;
  // Imports the HTTP modules only when needed, because a stdio server seldom needs them.
  const start = async () => {
    const [{ createBaseApp, listen }, { createPageApp }, { addFilesPages }, { addCredentialPage }, session] =
      await Promise.all([
        import('../http/http.ts'),
        import('../console/frame/page-app.ts'),
        import('../console/keep/files.ts'),
        import('../console/credentials.ts'),
        import('./session.ts'),
      ]);
    const app = createBaseApp(pipe, { host: HOST, corsOrigins: [] });
    const options: ConsoleOptions = {
      linksOnly: true,
      identify: () => Promise.reject(session.noSessionError()),
    };
    app.route('/app', createPageApp(pipe, options, [addFilesPages, addCredentialPage]));
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
