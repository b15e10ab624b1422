import { parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode } from './compile-cache.ts';
import type { JobHandler, ThreadMessage } from './pool-worker.ts';

keepCompiledCode();
const { handleJob } = (await import(workerData.file)) as { readonly handleJob: JobHandler<unknown, unknown> };

const send = (message: ThreadMessage<unknown>) => parentPort?.postMessage(message);
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

parentPort?.on('message', async (job: unknown) => {
  const found = await handleJob(
    job,
    (news) => send({ news }),
    () => {},
  );
  send({ answer: found, cpuMs: cpuMs() });
});
send({ ready: true, cpuMs: cpuMs() });
