"""Writes the texts for correct.py: at most 60 of each language and source, 3,800 in 51 languages. They are read from these public
repositories, at the commits with which the model was made, each cloned (bare will do) as CLONES/<owner>+<name>:
- global-asp/global-asp b0193c31 and global-asp/asp-source 99e0223: stories of the Global African Storybook Project, CC BY;
- microsoft/IoT-For-Beginners 8bd53553, MIT: paragraphs of half of the lessons; the other half was for checks.
Usage: texts.py CLONES TEXTS_JSONL"""
import collections, json, random, re, subprocess, sys

clones, out = sys.argv[1:]
COMMITS = {'global-asp+global-asp': 'b0193c31', 'global-asp+asp-source': '99e0223', 'microsoft+IoT-For-Beginners': '8bd53553'}
LANGUAGES = 'ar bg bn cs da de el en es et fa fi fr he hi hr hu id it ja ko lt mr ms my nl no pa pl pt ro ru sk sl sr sv sw ta th tl tr tw uk ur vi zh'.split()
OF_STORIES = LANGUAGES + 'ca eo nn ht km lo or jam yue'.split()
MOST, MIN_STORY, MIN_LESSON, MIN_LESSON_DENSE, MAX_LESSON = 60, 25, 120, 50, 900
random.seed(1)
texts = collections.defaultdict(list)


def git(repository, *args):
    return subprocess.run(['git', '-C', f'{clones}/{repository}', '-c', 'core.quotepath=off', *args], capture_output=True, check=True).stdout


def files(repository, *folder):
    rows = git(repository, 'ls-tree', '-r', '-z', COMMITS[repository], *folder).decode().split('\0')
    return [(row.split('\t')[1], row.split()[2]) for row in rows if row]


def read(repository, blob):
    return git(repository, 'cat-file', 'blob', blob).decode('utf8', 'replace')


def clean(text):
    text = re.sub(r'!\[[^\]]*\]\([^)]*\)', '', text)
    text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', text)
    text = re.sub(r'\{[:#.][^}]*\}', '', re.sub(r'<[^>]+>', '', text))
    return re.sub(r'[ \t]+', ' ', re.sub(r'[*_`]{1,3}', '', text)).strip()


def bodies(markdown):
    """What stands under each heading."""
    markdown = re.sub(r'(?s)^---\n.*?\n---\n|<!--.*?-->', '', markdown)
    parts = re.split(r'(?m)^#{1,6}\s+.*$\n?', re.sub(r'(?s)```.*?```', '', markdown))
    return [part.rstrip('\n') for part in parts[1:]]


def story(markdown):
    pages = [clean(page) for page in re.split(r'\n##\s*\n', markdown)[1:] if not page.startswith('* License')]
    pages = [page for page in pages if len(page) > MIN_STORY]
    return ' '.join(pages[:random.randint(1, 4)]) if pages else None


def add_stories(repository, languages, *folder):
    for path, blob in files(repository, *folder):
        found = re.match(r'([a-z]+)/\d{4}_.*\.md$', path)
        if not found or found[1] not in languages:
            continue
        text = story(read(repository, blob))
        if text:
            texts['asp', found[1]].append(text)


add_stories('global-asp+global-asp', OF_STORIES)
add_stories('global-asp+asp-source', ['en'], 'en')

LESSONS = 'microsoft+IoT-For-Beginners'
of = collections.defaultdict(dict)
for path, blob in files(LESSONS):
    found = re.match(r'translations/([a-z]+)/(.*\.md)$', path)
    if found and found[1] in LANGUAGES:
        of[found[1]][found[2]] = blob
    elif path.endswith('.md') and not path.startswith('translations/'):
        of['en'][path] = blob
lessons = sorted({found[1] for path in of['en'] if (found := re.match(r'(.*lessons/[^/]+)', path))})
random.shuffle(lessons)
checks = set(lessons[:len(lessons) // 2])
for language in of:
    least = MIN_LESSON_DENSE if language in ('zh', 'tw', 'ja') else MIN_LESSON
    for path, blob in sorted(of[language].items()):
        found = re.match(r'(.*lessons/[^/]+)', path)
        if not found or found[1] in checks:
            continue
        paragraphs = [clean(one) for body in bodies(read(LESSONS, blob)) for one in body.split('\n\n')]
        texts['iot', language] += [one[:MAX_LESSON] for one in paragraphs if len(one) > least]

with open(out, 'w') as file:
    for (source, language), some in texts.items():
        random.shuffle(some)
        for text in some[:MOST]:
            file.write(json.dumps(dict(src=source, lang=language, text=text), ensure_ascii=False) + '\n')
