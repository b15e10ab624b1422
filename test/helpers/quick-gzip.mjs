import { registerHooks, syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

/** Imported into npm and what it starts: what is packed for a test is compressed a little, in a third of the time. */

const { Gzip } = zlib;
zlib.Gzip = function quickGzip(options) {
  return new Gzip({ ...options, level: 1 });
};
syncBuiltinESMExports();

// The command that packs a bundle has its level in its code.
registerHooks({
  load(url, context, load) {
    const module = load(url, context);
    if (!url.endsWith('/mcpb/dist/cli/pack.js')) return module;
    return { ...module, source: String(module.source).replace('level: 9', 'level: 1') };
  },
});
