import { parentPort } from 'node:worker_threads';
import { startTlsSite } from '../../test/helpers/tls-site.ts';

/** The site that `bench/monitor.ts` probes, in another thread; posts its port. */
const { port } = await startTlsSite({ certificate: 'good' });
parentPort?.postMessage(port);
