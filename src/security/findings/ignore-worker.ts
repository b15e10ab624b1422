/** Reads an ignore file in YAML off the event loop; see ignore-file.ts. */
export { entriesOfYaml as answer } from './ignore-entries.ts';
