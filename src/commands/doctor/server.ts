import { once } from 'node:events';
import { createServer } from 'node:net';
import { configuredUrl } from '../../config/config.ts';
import { createDoctorFindings, type DoctorCheck } from './finding.ts';

const ANSWER_MS = 5000;

export const serverCheck: DoctorCheck = {
  what: 'server',
  async run({ config, services, signal }) {
    const { good, note, problem } = createDoctorFindings('server');
    const url = await services.maintenance.serverUrl();
    if (url !== undefined) {
      const answers = await healthy(url, signal);
      return [
        answers
          ? good(`magpie serve runs at ${url}`)
          : problem(
              `magpie serve holds the data folder and does not answer at ${url}`,
              'end it, and start it again',
            ),
      ];
    }
    if (config.port === 0) return [good('none runs; it would take any free port')];
    const taken = await bindingFails(config.port, config.host);
    if (taken === undefined)
      return [good(`none runs; its address would be ${configuredUrl({ ...config, publicUrl: undefined })}`)];
    if (taken !== 'EADDRINUSE')
      return [problem(`${config.host}:${config.port} cannot be used (${taken})`, 'another --host or --port')];
    return [
      note(`another program uses port ${config.port}`, 'end it, or start magpie serve with another --port'),
    ];
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

/** Returns the error code if a server cannot listen on the port; undefined if it can. */
async function bindingFails(port: number, host: string): Promise<string | undefined> {
  const probe = createServer();
  try {
    probe.listen({ port, host, exclusive: true });
    await once(probe, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed';
  } finally {
    await new Promise((done) => probe.close(done));
  }
}
