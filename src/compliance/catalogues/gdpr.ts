import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** GDPR, Article 32, by its paragraphs and points, in our own words. */
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
  controls: async () => controlsFrom(CONTROLS),
};

const CONTROLS = `
# Article 32, paragraph 1: measures that fit the risk
32(1) Controller and processor take technical and organisational measures that fit the risk, the state of the art and the cost
32(1)(a) Personal data are pseudonymised and encrypted where that fits
32(1)(b) Systems and services stay confidential, whole, available and resilient
32(1)(c) After an incident, access to personal data comes back in time
32(1)(d) Whether the measures work is tested and judged regularly
# Article 32, paragraphs 2 to 4
32(2) The level of security takes account of loss, change, disclosure of and access to personal data, by accident or unlawfully
32(3) A code of conduct or a certification may show that this is so
32(4) Anyone who works for the controller or processor processes personal data only as instructed
`;
