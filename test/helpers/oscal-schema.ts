import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

/** What of a document is not as NIST's JSON schema of OSCAL assessment results has it; empty when all is. */
export function oscalFaults(document: unknown): string[] {
  const path = new URL('../fixtures/oscal/oscal_assessment-results_schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as object;
  const ajv = new Ajv({ strict: false, allErrors: false });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  const validate = ajv.compile(schema);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
