import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Nominatim' } as const;
const MAX_QUESTION_CHARS = 200;
const BEFORE =
  /^(?:where (?:is|are)|(?:the )?(?:address|location|coordinates|map) of|directions to|wo liegt|où se trouve|dónde (?:está|queda)|где находится)\s+(?:the )?/i;
const AFTER = / (?:located|on a map|address|map)$/i;

const place = z.object({
  osm_type: z.enum(['node', 'way', 'relation']),
  osm_id: z.number().int().positive(),
  display_name: z.string(),
  name: z.string().nullish().catch(undefined),
  lat: z.string().catch(''),
  lon: z.string().catch(''),
  type: z.string().catch(''),
});

/** Places from Nominatim: https://operations.osmfoundation.org/policies/nominatim/ */
export const openstreetmap: EngineFactory = ({
  baseUrl = 'https://nominatim.openstreetmap.org',
  contact,
} = {}) => ({
  ...describeEngine('openstreetmap'),
  pauses: [403],
  refusals: { 403: 'it refuses by its usage policy' },
  request: ({ text, limit, language, region }) =>
    createGetRequest(`${baseUrl}/search`, {
      q: takeCharacters(nameOf(text), MAX_QUESTION_CHARS),
      format: 'jsonv2',
      limit: limit,
      'accept-language': language,
      countrycodes: region?.toLowerCase(),
      email: contact,
    }),
  parse(body) {
    const places = readJson(body, z.array(z.unknown()), SERVICE);
    return readHits(places, place, SERVICE, ({ osm_type, osm_id, display_name, name, lat, lon, type }) => ({
      url: `https://www.openstreetmap.org/${osm_type}/${osm_id}`,
      title: escapeHtmlText(name || display_name),
      snippet: escapeHtmlText(
        `${display_name} (${[type.replaceAll('_', ' '), `${lat}, ${lon}`].filter(Boolean).join(', ')}) © OpenStreetMap contributors`,
      ),
    }));
  },
});

function nameOf(text: string): string {
  const words = text.replace(/["?!]/g, '').replace(/\s+/g, ' ').trim();
  return words.replace(BEFORE, '').replace(AFTER, '') || words || '-';
}
