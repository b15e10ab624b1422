import type { Catalogue } from '../assessing/catalogue.ts';
import { addMappings } from '../mappings/mappings.ts';
import { cisControls } from './cis-controls.ts';
import { cweTop25 } from './cwe-top-25.ts';
import { gdpr } from './gdpr.ts';
import { hipaa } from './hipaa.ts';
import { iso27001 } from './iso-27001.ts';
import { nist80053 } from './nist-800-53.ts';
import { nistCsf } from './nist-csf.ts';
import { owaspAsvs } from './owasp-asvs.ts';
import { owaspTop10of2021, owaspTop10of2025 } from './owasp-top-10.ts';
import { pciDss } from './pci-dss.ts';
import { soc2 } from './soc-2.ts';
import { scorecard, slsa } from './supply-chain.ts';

/** All standards in display order, with the checks from their tables in `mappings/`. */
export const CATALOGUES: readonly Catalogue[] = [
  nist80053,
  nistCsf,
  owaspAsvs,
  owaspTop10of2021,
  owaspTop10of2025,
  cweTop25,
  cisControls,
  pciDss,
  soc2,
  iso27001,
  hipaa,
  gdpr,
  slsa,
  scorecard,
].map(addMappings);
