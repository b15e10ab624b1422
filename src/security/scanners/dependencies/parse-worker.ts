import { parentPort } from 'node:worker_threads';
import { type ParseJob, parseLockfile } from './parse.ts';

/** Reads lockfiles off the event loop; see parse-desk.ts. */
parentPort?.on('message', (job: ParseJob) => parentPort?.postMessage(parseLockfile(job)));
