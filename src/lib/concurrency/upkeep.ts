export interface UpkeepOptions {
  readonly work: (signal: AbortSignal) => Promise<object | undefined>;
  readonly done: string;
  readonly failed: string;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  readonly firstMs: number;
  readonly intervalMs?: number | undefined;
}

const INTERVAL_MS = 300_000;

export function createUpkeep(options: UpkeepOptions): { close(): Promise<void> } {
  const { work, done, failed, log, firstMs, intervalMs = INTERVAL_MS } = options;
  const closing = new AbortController();
  const { signal: closed } = closing;
  let failing = false;

  async function run(): Promise<void> {
    try {
      const result = await work(closed);
      if (result) log.info({ ...result }, done);
      failing = false;
    } catch (err) {
      if (!failing && !closed.aborted) log.warn({ err }, failed);
      failing = true;
    }
  }

  let running = Promise.resolve();
  const next = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      running = run().then(() => {
        if (!closed.aborted) timer = next(intervalMs);
      });
    }, ms).unref();
  let timer = next(firstMs);

  return {
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
