import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Finds words that are not in docs/glossary.md: each has one ordinary word that is used instead.
 * Without arguments the whole tree is read, with folders or files only these.
 */
const instead: Record<string, string> = {
  world: 'deps, app or the name of the thing',
  worlds: 'services',
  desk: 'admin',
  letter: 'email, or character',
  letters: 'emails, or characters',
  news: 'event',
  tell: 'publish, notify, send, say',
  tells: 'publishes, notifies, says',
  told: 'published, notified, sent',
  telling: 'publishing',
  hear: 'receive, transcribe',
  hears: 'receives, transcribes',
  heard: 'received, transcribed',
  hearing: 'receiving, transcription',
  wish: 'options',
  wishes: 'options',
  cage: 'sandbox',
  cupboard: 'store',
  shelf: 'store',
  journey: 'e2e test',
  journeys: 'e2e tests',
  books: 'ledger',
  standin: 'fake',
  fault: 'error',
  faults: 'errors',
  refusal: 'rejection',
  refusals: 'rejections',
  excerpt: 'passage',
  excerpts: 'passages',
  situation: 'context',
  material: 'input',
  borrowed: 'impersonated',
  postman: 'webhook sender',
  said: 'sent, written, stated',
  somebody: 'a user, another user, a client',
  whoever: 'the one who, the client that',
  nobody: 'no one, no user',
  anybody: 'anyone, any user',
  he: 'they, or the noun',
  him: 'them, or the noun',
  his: 'their, or the noun',
  himself: 'themselves, or the noun',
}

/** Ordinary in a sentence, unclear as a name in code. */
const names: Record<string, string> = {
  kept: 'stored, saved, pending',
  room: 'capacity, limit, space',
  look: 'poll, check, style',
  piece: 'chunk, part',
  pieces: 'chunks, parts',
  act: 'action, run',
  acts: 'actions',
  dead: 'stale',
  shape: 'schema, to…',
}

/** Ordinary words of a document, where they name nothing in the code. */
const prose = /^(letters?|tells?|told|said|heard?|hears|refusals?|faults?)$/

/** Names that are stored or belong to others: [file, word]. */
const allowed: [RegExp, RegExp][] = [
  [/^scripts\/check-words\.ts$/, /./],
  [/^docs\/glossary\.md$|^CHANGELOG\.md$/, /./],
  [/^server\/db\/(migrations|functions|previous|tables)/, /^(act|heard|excerpts|refusals?|pieces?)$/],
  [/^server\/features\/(statistics\/notes|health\/health)/, /^books$/],
  [/^eval\/retrieval\/documents\//, /./],
  [/^server\/features\/audit\/audit/, /^act$/],
  [/^server\/realtime\/(bus|redis)|^drill\/scenarios\/redis/, /^news$/],
  [/^drill\//, /^faults?$/],
  [/\.test\.tsx$|^web\/testing\//, /^acts?$/],
  [/^server\/email\/templates\/layout/, /^letter$/],
  [/^server\/llm\/anthropic/, /^refusal$/],
  [/^web\/features\/transcriptions\/local\/recordings/, /^wish$/],
]

const asName = (word: string) =>
  new RegExp(
    String.raw`(?:[.{(\[,=>]\s?|\b(?:const|let|function)\s)${word}\b|\b${word}(?=[.,)\]:?}(]|\s[=!])|\b${word}(?=[A-Z])|[a-z](?=${word[0]?.toUpperCase()}${word.slice(1)}(?![a-z]))`,
  )
const nameRules = Object.entries(names).map(([word, better]) => ({ word, better, found: asName(word) }))

const paths = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...(paths.length > 0 ? paths : ['.'])], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql|css|md)$/.test(file) && existsSync(file))
  .filter((file) => !/^(content|server\/db\/migrations)\//.test(file))

const isAllowed = (file: string, word: string) => allowed.some(([path, words]) => path.test(file) && words.test(word))

let count = 0
function report(file: string, at: number, word: string, better: string) {
  if (isAllowed(file, word)) return
  count += 1
  console.info(`${file}:${at}  ${word} → ${better}`)
}

/** `hearAnswer`, `HEARD_MS` and «hear» all have the word hear. */
const wordsIn = (text: string) => text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? []

for (const file of files) {
  for (const word of new Set(wordsIn(file))) {
    const better = instead[word]
    if (better !== undefined && Object.hasOwn(instead, word)) report(file, 0, word, better)
  }
  for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const word of new Set(
      wordsIn(
        line
          .replaceAll(/https?:\S+/g, '')
          .replaceAll('stand-in', 'standin')
          .replaceAll('sign-in-letter', ''),
      ),
    )) {
      if (file.endsWith('.md') && prose.test(word)) continue
      const better = Object.hasOwn(instead, word) ? instead[word] : undefined
      if (better !== undefined) report(file, i + 1, word, better)
    }
    if (file.endsWith('.md')) continue
    // `.shape` is a field of a zod schema.
    const code = line.replace(/^\s*(?:\*|\/\/|--).*$/, '').replaceAll(/\/\*\*.*?\*\/|\.shape\b/g, '')
    for (const { word, better, found } of nameRules) if (found.test(code)) report(file, i + 1, word, better)
  }
}
if (count > 0) {
  console.info(`${count} words to replace, see docs/glossary.md`)
  process.exitCode = 1
}
