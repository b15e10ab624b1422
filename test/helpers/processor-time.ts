/**
 * Seconds of this thread's own processor time that `work` takes. Unlike the time on the clock it does not grow with what
 * else the machine does, so that a limit far above linear work and far below quadratic work holds everywhere.
 */
export function processorSeconds(work: () => unknown): number {
  const began = process.threadCpuUsage();
  work();
  return since(began);
}

/** The same of asynchronous work on this thread. */
export async function processorSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.threadCpuUsage();
  await work();
  return since(began);
}

/** The processor time that the other threads of this process take while `work` runs. */
export async function processorSecondsElsewhere(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  const here = await processorSecondsOf(work);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6 - here;
}

function since(began: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1e6;
}
