import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

export const gdpr: Catalogue = {
  id: 'gdpr-32',
  title: 'General Data Protection Regulation (EU) 2016/679, Article 32: security of processing',
  edition: 'Regulation (EU) 2016/679',
  source: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  license: 'Law of the European Union; wording by Magpie',
  spellings: [
    'gdpr',
    'eu gdpr',
    'gdpr art. 32',
    'gdpr article 32',
    'general data protection regulation',
    'dsgvo',
    'rgpd',
  ],
  controls: () => readControls('gdpr-32'),
};
