import { parentPort } from 'node:worker_threads';
import { startTlsSite } from '../../test/helpers/tls-site.ts';

/** The site that `bench/monitor.ts` watches, in a thread of its own; tells its port. */
const { port } = await startTlsSite({ certificate: 'good' });
parentPort?.postMessage(port);
