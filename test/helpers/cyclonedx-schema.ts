import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const schemas = new URL('../../node_modules/@cyclonedx/cyclonedx-library/res/schema/', import.meta.url);
let validate: ValidateFunction | undefined;

/** What of a document is not as the official JSON schema of CycloneDX 1.6 has it. */
export function cyclonedxFaults(document: unknown): string[] {
  validate ??= compiled();
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compiled(): ValidateFunction {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, schemas), 'utf8')) as object;
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addFormat('idn-email', true);
  ajv.addFormat('iri-reference', true);
  // The main schema names the others by their files.
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema({ ...read(name), $id: `http://cyclonedx.org/schema/${name}` });
  return ajv.compile(read('bom-1.6.SNAPSHOT.schema.json'));
}
