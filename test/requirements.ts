/**
 * What the contract and its decisions ask. Each is cited by at least one
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
  'path.document': 'GET /document answers matches out of one part of an uploaded file, or of the whole',
  'path.pdfpro': 'GET /pdfpro answers matches out of one part of an uploaded file, or of the whole',
  'path.pdfload': 'GET /pdfload answers a status body that tells where PDFs are uploaded',
  'path.hybrid': 'GET /hybrid answers the search response body',
  'path.upsert': 'GET /upsert, /insert and /upsertToUsersKnowledgeBase keep a text and answer a status body',
  'path.upsertjson': 'POST /upsertjson keeps the q of a JSON body',
  'path.query': 'GET /query, /pdfsearch and /queryUsersKnowledgeBase answer the nearest texts as matches',
  'path.metadatakb': 'GET /metadatakb answers one match about the knowledge base',
  'path.reset': 'GET /reset, /resetKnowledgeBase and /resetUsersKnowledgeBase answer a status body',
  'path.list': 'GET /list answers a status body whose inner string lists the slash commands',
  'path.help': 'GET /help answers a status body whose inner string is the usage help',
  'tool.every': 'every operationId is a tool of that name',
  'parameter.string':
    'query parameters are strings, the numeric ones too; over MCP a number may come as a number',
  'parameter.required': 'a missing required parameter is 400 and named',
  'parameter.q': 'a missing or empty q is 400 and says that no query was provided',
  'parameter.empty': 'q of metadatakb and of the reset family must be present, and may be empty',
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
  'body.rules':
    'rules tells a search to browse the most useful link, and every answer to save the previous one',
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
  'knowledge.durable':
    'an insert is on disk before it is answered: killing the process loses nothing answered',
  'knowledge.once': 'the same text again is not a second entry',
  'knowledge.passages': 'long text becomes passages of its own matches',
  'knowledge.id': 'an id is <user>-<microseconds>, unique and rising',
  'knowledge.score':
    'score is closeness in 0..1, matches sorted by it; values and sparseValues empty unless asked',
  'knowledge.metadata':
    'metadatakb has records, passages, bytes, oldest, newest and model, the newest entry as sample',
  'knowledge.reset': 'a reset deletes every entry of the caller',
  'knowledge.trash':
    'what reset and deleteEntry took out comes back with ids and times for 7 days, and then is gone',
  'knowledge.asked': 'a reset asks the user first where the client or the terminal can; a no deletes nothing',
  'knowledge.unintended': 'prefetch, preview, another site and HEAD neither keep nor delete',
  'knowledge.collections': 'collections stay apart, and a text with a key replaces what had the key',
  'knowledge.conflicts':
    'what says something else than an older text is named by upsert, comes first in query, and the older one is marked and kept',
  'knowledge.list':
    'listEntries gives the entries newest first, by tag, source, text, collection and time, in pages',
  'knowledge.edit': 'updateEntry changes one entry by its id, and the text before can be restored',
  'knowledge.speaker': 'query and hybrid take speaker: only turns of chats that this one speaks are found',
  'knowledge.times':
    'since and until take words such as last week, and a question may say when something was noted',
  'knowledge.cited':
    'matches of query, document and hybrid carry the entry or file, page, passage and characters, and a link to that place',
  'knowledge.backup': 'kb export and kb import bring every entry back as it was',
  'knowledge.given':
    'every word and number of an imported or synced file is in its entry, or is counted and named as left out',
  'knowledge.isolated':
    'nothing of one user shows to another, in results, counts, resources, completions or errors',
  'knowledge.storage': 'a full disk and a read-only folder are clear errors, and reading goes on',
  'knowledge.check':
    'kb check finds what is damaged in the data folder, and kb check --mend keeps all that can be read',
  'hybrid.fused': 'hybrid fuses pages and kept texts into one list of results',
  'resource.kb':
    'kb://stats, entries, collections, tags and trash in pages, and kb://entries/{id} are resources, with completion',
  'resource.notices': 'clients that asked are told of changes of these resources, in both protocol eras',
  'local.offline': 'with no engine reachable, pages read before are found',
  'path.scan': 'POST /v1/scan answers the scan response body: scan_id and vulnerabilities, worst first',
  'path.getScan': 'GET /v1/scan/{scan_id} answers the same body for a scan, whatever its state',
  'scan.async': 'Prefer: respond-async gives 202 with the place of the result',
  'scan.history': 'deep_scan finds secrets that only the history holds',
  'scan.sarif': 'a scan comes as SARIF 2.1.0 by Accept, and passes its schema',
  'scan.problem': 'errors of Area B are problem+json with the member error',
  'scan.cli':
    'magpie scan tells CI by its exit code what was found at or above --fail-on, known findings aside',
  'path.automationrpa':
    'GET /automationrpa answers one match: id, address, team as score, a summary as items',
  'automation.found': 'a task without an address is about the page that a search finds, which is named',
  'automation.private': 'an automation neither fetches nor calls a private address',
  'automation.refusal': 'a platform that refuses is 401, 403, 404, 429 or 502, in words that say what to do',
  'automation.asked':
    'credentials come by query, by header, or by a page that an MCP client has its user open',
  'automation.secret': 'no credential of a platform is logged, stored or echoed',
  'path.startMonitoring': 'POST /v1/monitor/start watches an infrastructure and answers how it stands',
  'path.getMonitoringStatus': 'GET /v1/monitor/status/{infrastructure_id} answers how it stands',
  'monitor.options': 'a wrong monitoring option is 400 and named',
  'monitor.restart': 'a killed server continues to watch after its restart',
  'monitor.alerts': 'a monitor raises each alert once, and clears it once',
  'monitor.delivery': 'notifications of alerts are signed, tried again, and kept when given up',
  'monitor.order': 'notifications of a problem at one place come in the order in which it happened',
  'monitor.flapping': 'a problem that comes and goes is notified less and less',
  'monitor.secrets': 'the secret and the address of a webhook are in no status',
  'monitor.private': 'private targets are watched only from the inventory, and monitors only by their owner',
  'monitor.notices': 'its owner is notified of changes of a monitor',
  'path.checkCompliance':
    'POST /v1/compliance/check answers, for each standard, its controls with status and evidence',
  'path.generateComplianceReport':
    'POST /v1/compliance/report writes the report of a check, or of standards and scope',
  'compliance.evidence': 'no control passes whose checks did not run to their end in the scope',
  'compliance.forms':
    'a report comes as JSON, Markdown, HTML, PDF and three documents of OSCAL, by Accept and by a link',
  'compliance.async': 'who prefers it is answered at once, with where the check or the report will be',
  'compliance.verify': 'magpie compliance verify tells whether a report is as it was made',
  'compliance.seal':
    'each report comes with a signature over its bytes, which a stranger verifies by the published key',
  'safety.private': 'private addresses are refused, redirects included',
};
