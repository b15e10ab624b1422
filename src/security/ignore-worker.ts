import { parentPort } from 'node:worker_threads';
import { entriesOfYaml } from './ignore-entries.ts';

/** Reads an ignore file in YAML off the event loop; see ignore-file.ts. */
parentPort?.on('message', (text: string) => parentPort?.postMessage(entriesOfYaml(text)));
