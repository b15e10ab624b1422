import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

/** PCI DSS: every defined requirement, with appendices, in Magpie's own words, since the Council's text is not free. */
export const pciDss: Catalogue = {
  id: 'pci-dss',
  title: 'Payment Card Industry Data Security Standard',
  edition: '4.0.1 (June 2024)',
  source: 'https://www.pcisecuritystandards.org/document_library/',
  license:
    'Requirement numbers of the PCI Security Standards Council; all wording by Magpie, none by the Council',
  spellings: ['pci', 'pci 4', 'pci 4.0', 'pci 4.0.1', 'pci dss 4', 'pci dss 4.0', 'pci dss 4.0.1'],
  controls: () => readControls('pci-dss'),
};
