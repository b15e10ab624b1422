/** Parses a YAML ignore file in a worker thread; see ignore-file.ts. */
export { entriesOfYaml as answer } from './ignore-entries.ts';
