/**
 * What the contract and its decisions ask of search and browse (Area A). Each is cited by at least one
 * test, in square brackets in the test's title; requirements.test.ts fails when one is not.
 */
export const REQUIREMENTS: Readonly<Record<string, string>> = {
  'path.search': 'GET /search answers the search response body',
  'path.searchgiant': 'GET /searchgiant answers the search response body',
  'path.ultrafastsearch': 'GET /ultrafastsearch answers the search response body',
  'path.browse': 'GET /browse answers the search response body',
  'path.browsegiant': 'GET /browsegiant answers the search response body',
  'path.browseByUrl': 'GET /browseByUrl answers the search response body',
  'path.listpdfs': 'GET /listpdfs answers file name and access URL of each uploaded PDF as matches',
  'path.document': 'GET /document answers matches out of one part of an uploaded file',
  'path.pdfpro': 'GET /pdfpro answers matches out of one part of an uploaded file',
  'path.pdfload': 'GET /pdfload answers a status body that tells where PDFs are uploaded',
  'path.list': 'GET /list answers a status body whose inner string lists the slash commands',
  'path.help': 'GET /help answers a status body whose inner string is the usage help',
  'tool.every': 'every operationId is a tool of that name',
  'parameter.string':
    'query parameters are strings, the numeric ones too; over MCP a number may come as a number',
  'parameter.required': 'a missing required parameter is 400 and named',
  'parameter.q': 'a missing or empty q is 400 and says that no query was provided',
  'parameter.percentile': 'percentile is 1 to 100',
  'parameter.numofpages': 'numofpages is 1 to 10 and is how many results come back',
  'parameter.paging': 'paging starts at 1 and is optional; one more returns the next part',
  'parameter.inputwindowwords':
    'inputwindowwords is a hard ceiling on the words of all text returned together',
  'parameter.url': 'q of browse takes an http or https URL; q of ultrafastsearch takes any text',
  'parameter.unknown': 'unknown parameters are ignored over REST and named in an error over MCP',
  'body.item': 'a result has title, link, and optionally summary and full_content',
  'body.summary': 'summary is on the first five results only',
  'body.full_content': 'full_content is on the first three results of a search only',
  'body.rules': 'rules tells to browse the most useful link and to save the previous answer',
  'body.error': 'an error is {"error": string}, with the same words on every surface',
  'body.engines': "one engine's failure is data: engines has name, ok, reason and ms",
  'reduce.subset': 'a higher percentile returns a subset of a lower one, in page order',
  'ultrafastsearch.snippets': 'ultrafastsearch fetches no page and returns up to 10 results with snippets',
  'browse.parts': 'parts joined in order are the whole text; part and parts say where one stands',
  'browse.end': 'past the end: no results, and rules says how many parts there are',
  'browse.hidden': 'hidden text does not reach the answer',
  'failure.all-engines':
    'all engines failing is 502 "failed to fetch search results" with each reason, within 5 s',
  'failure.deadline': 'a call over its deadline is 504',
  'failure.fetching': 'a page that failed says "Error fetching content" with what to do',
  'failure.too-large': 'ResponseTooLarge is 413 and names a percentile that then fits',
  'failure.unsupported': 'what cannot be read is 415 with the type named',
  'local.offline': 'with no engine reachable, pages read before are found',
  'safety.private': 'private addresses are refused, redirects included',
};
