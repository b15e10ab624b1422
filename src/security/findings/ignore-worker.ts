export { entriesOfYaml as answer } from './ignore-entries.ts';
