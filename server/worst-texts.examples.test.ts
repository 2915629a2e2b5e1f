import { setImmediate as turn } from 'node:timers/promises'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { citedNumbers } from '#contract/citations.ts'
import { cellText } from '#contract/csv.ts'
import { MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import { createMask } from '#contract/mask.ts'
import { formsOf as nameForms } from '#contract/name-forms.ts'
import { fillPrompt, parsePrompt } from '#contract/prompt-variables.ts'
import { MAX_PROMPT_CONTENT, MAX_PROMPT_QUERY } from '#contract/prompts.ts'
import { tooLong, type WorstCase, worstTexts } from '#contract/testing/worst-texts.ts'
import { MAX_MESSAGE, type Message } from '#contract/threads.ts'
import { MAX_MASKED_NAME, MAX_MASKED_NAMES } from '#contract/users.ts'
import { linksIn } from '#contract/web-search.ts'
import { withoutMasked } from '#server/features/answers/masking.ts'
import { fileAsText } from '#server/features/files/files.ts'
import { searchWords } from '#server/features/help/search.ts'
import { addedWords, namesIn } from '#server/features/knowledge/abbreviations.ts'
import { clausesIn, clausesOf } from '#server/features/knowledge/clauses.ts'
import { familyOf } from '#server/features/knowledge/families.ts'
import { passagesIn } from '#server/features/knowledge/passages.ts'
import { writePassageBlock } from '#server/features/knowledge/retrieve.ts'
import { cleanWords } from '#server/features/knowledge/search-words.ts'
import {
  correctionsOf,
  distantRelativesOf,
  hasWord,
  relativesOf,
  toVocabulary,
} from '#server/features/knowledge/vocabulary.ts'
import { declineReasonOf } from '#server/features/payments/decline-reason.ts'
import { maskBody } from '#server/features/payments/mask-body.ts'
import { pageTextOf } from '#server/features/scans/page-text.ts'
import { findSpans, fragmentOf, markedText, wordsBeginning } from '#server/features/search/fragment.ts'
import { findCorrections, formsOf, otherLayout, wordsOf } from '#server/features/search/words.ts'
import { markdownFile } from '#server/features/sharing/export.ts'
import { citationsLine } from '#server/features/sharing/lines.ts'
import { cleanTitle, cutExchange } from '#server/features/threads/title.ts'
import { srtFile, txtFile } from '#server/features/transcriptions/export.ts'
import { textOf } from '#server/features/transcriptions/join.ts'
import { cleanQuery, plainQuery } from '#server/features/web-search/find-in-web.ts'
import { decodePage, looksLikeText } from '#server/files/encoding.ts'
import { downloadName, safeFileName } from '#server/files/file-name.ts'
import { MAX_SYMBOLS } from '#server/files/text.ts'
import { escapeHtml } from '#server/lib/html.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { safeError } from '#server/lib/safe-error.ts'
import { storableText } from '#server/lib/storable.ts'
import { cutAtWord } from '#server/lib/whole-words.ts'
import { demoAnswer } from '#server/llm/demo.ts'
import { readPassageBlock, readTranscript } from '#server/llm/demo-prompts.ts'

/** Nothing that one person sends may hold up the others: every function over such a text, with the worst texts. */

const MOST_MS = 50

const manyNames = Array.from({ length: MAX_MASKED_NAMES }, (_, n) => `${'и '.repeat(MAX_MASKED_NAME / 2 - 4)}я${n}`)
const manyForms = Array.from({ length: MAX_MASKED_NAMES }, (_, n) => `Анна Петровна ${'Иванова '.repeat(n % 4)}`)

async function maskWith(names: string[], text: string) {
  const mask = createMask(names)
  const pause = createPauses()
  mask.reserve(text)
  for (const _ of mask.maskInChunks(text)) await pause()
}

/** As files are indexed: a few passages, then the others get their turn. */
async function cutInBatches(content: string) {
  let count = 0
  for (const _ of passagesIn({ name: 'a', content, pages: [] })) {
    count += 1
    if (count % 5 === 0) await turn()
  }
}

const names = await namesIn('Государственная Дума (ГД) и Совет Федерации. '.repeat(10), turn)
const addToFive = (text: string) => Array.from({ length: 5 }, () => addedWords(names, text))
const abbreviations = {
  definitions: (length: number) => '(АБ)'.repeat(length / 4),
  'definitions of eight words': (length: number) => 'я б в г д е ж з (ЯБВГДЕЖЗ) '.repeat(length / 27),
  'endings of endings': (length: number) => `ббб${'ами'.repeat(12)}б `.repeat(length / 41),
  'other endings of endings': (length: number) => `ббб${'ему'.repeat(12)}б `.repeat(length / 41),
}

const message = (content: string) =>
  ({
    ...{ role: 'assistant', content, files: [], error: null, thought: { text: content } },
    citations: [{ n: 1, fileName: '', place: null, web: { title: '', site: '', url: '', date: null } }],
  }) as unknown as Message

async function exportAsMarkdown(content: string) {
  const thread = { title: content.slice(0, 200), createdAt: '2026-03-05T12:00:00.000Z' } as never
  const exported = {
    owner: '',
    thread,
    bytes: 0,
    messages: [message(content)],
    summaries: [],
    speakerOf: () => 'Модель',
  }
  for await (const _ of markdownFile(exported)) await turn()
}

/** Letters only: a word of digits has no relatives. */
const lettersOf = (n: number) => [...String(n)].map((digit) => 'абвгдежзик'[Number(digit)]).join('')
const manyWords = {
  'words with one beginning': (length: number) =>
    Array.from({ length: length / 16 }, (_, n) => `строитель${lettersOf(n)}`).join(' '),
  'words with one end': (length: number) =>
    Array.from({ length: length / 16 }, (_, n) => `${lettersOf(n)}острой`).join(' '),
}
function* eachWord(text: string) {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(' ', from)
    yield text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
  }
}
const largeVocabularies = await Promise.all(
  Object.values(manyWords).map((make) => toVocabulary(make(1_500_000).split(' '))),
)

const similar = (word: string) =>
  Array.from({ length: 20_000 }, (_, n) => word.slice(0, -1) + String.fromCharCode(1072 + (n % 32)))

const backticks = {
  signs: worstTexts['"`"'] ?? String,
  fences: worstTexts[JSON.stringify('```\n')] ?? String,
  'short runs': worstTexts[JSON.stringify('``a`')] ?? String,
}
const decoded = (bytes: Uint8Array) => [looksLikeText(bytes), decodePage(bytes, null)]

const lines = { lines: worstTexts[JSON.stringify('\n')] ?? String, words: worstTexts[JSON.stringify('a\n')] ?? String }

const cases: WorstCase[] = [
  { name: 'masking', limit: MAX_MESSAGE, run: (text) => maskWith(['Анна Петровна', 'Иван'], text) },
  { name: 'masking with many names', limit: MAX_MESSAGE, run: (text) => maskWith(manyNames, text) },
  { name: 'masking with many similar names', limit: MAX_MESSAGE, run: (text) => maskWith(manyForms, text) },
  {
    ...{ name: 'a cut that splits no value', limit: MAX_MESSAGE },
    run: (text) => [createMask(manyNames).cut(text, MAX_MESSAGE / 2), createMask().afterValue(text, MAX_MESSAGE / 2)],
  },
  { name: 'forms of a name', limit: MAX_MASKED_NAME, run: nameForms },
  { name: 'a list of hidden names', limit: MAX_MASKED_NAME, run: (text) => createMask(Array(100).fill(text)) },
  { name: 'restoring an answer', limit: MAX_MESSAGE, run: (text) => createMask().restore(text) },
  {
    name: 'restoring a chunk of an answer',
    limit: 20_000,
    run: (text) =>
      createMask()
        .restoreStream(() => {})
        .push(text),
  },
  { name: 'maskingSettings in a search query', limit: 200, run: (text) => withoutMasked({ names: manyNames }, text) },
  { name: 'citations of an answer', limit: MAX_MESSAGE, run: citedNumbers },
  { name: 'the line of citations', limit: MAX_MESSAGE, run: (text) => citationsLine(message(text)) },
  { name: 'export in Markdown', limit: MAX_MESSAGE, run: exportAsMarkdown },
  { name: 'passages of a file', limit: 100_000, run: cutInBatches },
  { name: 'passages of a long file', limit: MAX_SYMBOLS, run: cutInBatches, texts: lines },
  { name: 'names of a long file', limit: 200_000, run: (text) => namesIn(text, turn) },
  {
    name: 'definitions and endings of a long file',
    limit: 400_000,
    run: (text) => namesIn(text, turn),
    texts: abbreviations,
  },
  { name: 'abbreviations in five passages', limit: 2000, run: addToFive, also: abbreviations },
  {
    ...{ name: 'a vocabulary of a library', limit: 3_000_000, texts: manyWords },
    run: (text) => toVocabulary(eachWord(text)),
  },
  {
    ...{
      name: 'a word in a large vocabulary',
      limit: 32,
      also: { stem: () => 'строительстваа', end: () => 'абвгострой' },
    },
    run: (text) =>
      largeVocabularies.map((large) => [
        [hasWord(large, text), relativesOf(large, [text])],
        [distantRelativesOf(large, [text]), correctionsOf(large, text)],
      ]),
  },
  { name: 'search words of a model', limit: 20_000, run: cleanWords },
  { name: 'relatives of a word', limit: 700, run: (text) => familyOf(text) },
  { name: 'words of a found text', limit: 200_000, run: (text) => fragmentOf(text, wordsBeginning(text, ['и', 'a'])) },
  { name: 'characters of a found text', limit: 200_000, run: (text) => fragmentOf(text, findSpans(text, 'a')) },
  { name: 'a found title', limit: 200, run: (text) => markedText(text, findSpans(text, 'и')) },
  { name: 'words of a search query', limit: 200, run: (text) => [wordsOf(text).map(formsOf), otherLayout(text)] },
  { name: 'words of a question', limit: MAX_MESSAGE, run: (text) => wordsOf(text).map(formsOf) },
  {
    name: 'a correction',
    limit: 200,
    run: (text) => findCorrections(text, similar(text), true),
    texts: { word: worstTexts['"я"'] ?? String },
  },
  {
    ...{ name: 'a correction of a usual word', limit: 24, texts: { word: worstTexts['"я"'] ?? String } },
    run: (text) => findCorrections(text, similar(text), true),
  },
  { name: 'a title of a model', limit: 4000, run: cleanTitle },
  { name: 'an exchange to name', limit: MAX_MESSAGE, run: (text) => cutExchange({ question: text, answer: text }) },
  { name: 'a search query of a model', limit: 2000, run: cleanQuery },
  {
    name: 'a question as a search query',
    limit: MAX_MESSAGE,
    run: (text) => plainQuery({ question: text, history: [] }),
  },
  { name: 'addresses in a message', limit: MAX_MESSAGE, run: linksIn },
  {
    ...{ name: 'variables of a prompt', limit: MAX_PROMPT_CONTENT },
    run: (text) => [parsePrompt(text), fillPrompt(text, new Map())],
    also: {
      'many variables': (length) => Array.from({ length: length / 9 }, (_, n) => `{{а${n}}}`).join(''),
      'many dates': (length) => '{{а:дата=сегодня}}'.repeat(length / 18),
      'spaces in a variable': (length) => `{{а${' '.repeat(490)}|}}`.repeat(length / 500),
    },
  },
  { name: 'a search in help', limit: MAX_PROMPT_QUERY, run: searchWords },
  { name: 'a file for a model', limit: MAX_SYMBOLS, run: (text) => fileAsText('a', text), texts: backticks },
  {
    ...{ name: 'passages for a model', limit: 2000 },
    run: (text) =>
      readPassageBlock(writePassageBlock(Array(12).fill({ n: 1, fileName: text, place: text, section: text, text }))),
  },
  {
    ...{ name: 'passages that a message pretends to have', limit: MAX_MESSAGE },
    run: (text) =>
      readPassageBlock(writePassageBlock([{ n: 1, fileName: '', place: null, section: null, text: '' }]) + text),
    also: { 'begun passages': (length) => '[1] a\n```\n'.repeat(length / 10) },
  },
  { name: 'a transcript of a chat', limit: MAX_MESSAGE, run: readTranscript },
  {
    name: 'an answer of the demo model',
    limit: MAX_MESSAGE,
    run: (text) => demoAnswer([{ role: 'user', content: text }]),
  },
  { name: 'subtitles', limit: 20_000, run: (text) => srtFile(Array(50).fill({ start: 0, end: 1, text: `a${text}` })) },
  { name: 'a transcription as text', limit: MAX_SYMBOLS, run: (text) => txtFile('a', text), texts: lines },
  { name: 'segments as a text', limit: 20_000, run: (text) => textOf(Array(50).fill({ start: 0, end: 1, text })) },
  { name: 'a cell of a CSV file', limit: MAX_MESSAGE, run: cellText },
  { name: 'a text that is stored', limit: MAX_MESSAGE, run: storableText },
  { name: 'a text in an email', limit: 20_000, run: escapeHtml },
  { name: 'a text that is shortened', limit: MAX_MESSAGE, run: (text) => cutAtWord(text, 80) },
  { name: 'a description of an image', limit: MAX_IMAGE_PROMPT, run: (text) => downloadName(text, 'png') },
  { name: 'a file name', limit: 20_000, run: safeFileName },
  {
    name: 'the encoding of a file',
    limit: 32_768,
    run: (text) =>
      [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le'), iconv.encode(text, 'cp866')].map(decoded),
  },
  { name: 'clauses of a passage', limit: 4000, run: clausesIn },
  { name: 'clauses of a question', limit: MAX_MESSAGE, run: clausesOf },
  { name: 'a page of a scan', limit: 60_000, run: (text) => pageTextOf(text, 'ab12') },
  { name: 'an error for the log', limit: 100_000, run: (text) => safeError(new Error(text, { cause: text })) },
  { name: 'a message of the gateway', limit: 20_000, run: (text) => maskBody({ message: text }) },
  {
    name: 'a declined payment',
    limit: 20_000,
    run: (text) => declineReasonOf({ message: text, payment: null } as never),
  },
]

describe(`nothing else waits longer than ${MOST_MS} ms for`, () => {
  test.each(cases)('$name (S10.523, S10.524, S10.1091)', { timeout: 120_000 }, async (each) => {
    expect(await tooLong(each, MOST_MS)).toEqual([])
  })
})
