import { once } from 'node:events';
import { createServer } from 'node:net';
import { configuredUrl } from '../../config/config.ts';
import { describeListenFailure } from '../../lib/network/listen-failure.ts';
import { type DoctorCheck, good, note, problem } from './finding.ts';

const ANSWER_MS = 5000;

export const serverCheck: DoctorCheck = {
  what: 'server',
  async run({ config, services, signal }) {
    const url = await services.maintenance.serverUrl();
    if (url !== undefined) {
      const answers = await healthy(url, signal);
      return answers
        ? good(`magpie serve runs at ${url}`)
        : problem(
            `magpie serve uses the data folder, but does not answer at ${url}`,
            'end it, and start it again',
          );
    }
    if (config.port === 0)
      return good('no server runs, and assistants on this machine need none; it would take any free port');
    const taken = await bindingFails(config.port, config.host);
    if (taken === undefined)
      return good(
        `no server runs, and assistants on this machine need none; magpie serve would be at ${configuredUrl({ ...config, publicUrl: undefined })}`,
      );
    if (taken.code === 'EADDRINUSE')
      return note(
        `another program uses port ${config.port}`,
        'end it, or start magpie serve with another --port',
      );
    return problem(
      `magpie serve cannot use ${config.host}:${config.port}, since ${describeListenFailure(taken)}`,
      'start magpie serve with another --host or --port',
    );
  },
};

async function healthy(url: string, signal: AbortSignal): Promise<boolean> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  return fetch(new URL('/healthz', url), { signal: deadline }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

async function bindingFails(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  const probe = createServer();
  try {
    probe.listen({ port, host, exclusive: true });
    await once(probe, 'listening');
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    await new Promise((done) => probe.close(done));
  }
}
