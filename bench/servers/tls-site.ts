import { parentPort } from 'node:worker_threads';
import { AUTHORITY, startTlsSite } from '../../test/helpers/tls-site.ts';

/** The site that `bench/monitor.ts` probes, in another thread; posts its port, and its authority's path. */
const { port } = await startTlsSite({ certificate: 'good' });
parentPort?.postMessage({ port, authority: AUTHORITY });
