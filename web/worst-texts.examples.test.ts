import { describe, expect, test, vi } from 'vitest'
import { MAX_ASSISTANT_NAME } from '#contract/assistants.ts'
import { isBracketLine, isDollarFormula, isFormula, isParenFormula } from '#contract/markdown/math-or-money.ts'
import { createMask } from '#contract/mask.ts'
import { MAX_PROMPT_CONTENT } from '#contract/prompts.ts'
import { tooLong, type WorstCase, worstMarkdown, worstTexts } from '#contract/testing/worst-texts.ts'
import { MAX_MESSAGE } from '#contract/threads.ts'
import { linksIn } from '#contract/web-search.ts'
import { listCitations } from './features/chat/citations/citation-labels.ts'
import { matching } from './features/chat/composer/suggest-search.ts'
import { sentencesOf } from './features/chat/messages/speech-text.ts'
import { thoughtChunks } from './features/chat/messages/thought-chunks.ts'
import { lastLine } from './features/chat/messages/thought-labels.ts'
import { diffText } from './features/prompts/text-diff.ts'
import { rank } from './features/search/ranking.ts'
import { csvText } from './lib/csv.ts'
import { drawThread } from './shell/drawn-thread.tsx'
import { citedParts, mayCite } from './ui/markdown/citations.ts'
import { isTooDense, markupCost } from './ui/markdown/parse/markup-cost.ts'
import { splitInPieces } from './ui/markdown/parse/split.ts'

/** The same as server/worst-texts.examples.test.ts for the page: a text must not freeze it. */

const MOST_MS = 50
/** Where it happens once: a question is masked whole when its writer pauses, two versions are compared on demand. */
const MOST_SLOW_MS = 200

/** There is no address on the server either. */
vi.stubGlobal('location', { origin: 'https://none.invalid' })

let drawn = 0
/** Each time another text, so that nothing is taken from the cache. */
function drawMessage(text: string) {
  drawn += 1
  const message = { role: 'assistant', content: `${drawn} ${text}`, files: [], thought: null }
  return drawThread({ title: 'a', temporary: false, Messages: [message] } as never, false)
}

/** As the page parses a text before it shows it. */
async function parseInPieces(text: string) {
  if (isTooDense(text)) return
  for (const _ of splitInPieces(text)) await new Promise((go) => setTimeout(go))
}

/** React for development, which tests run, takes two to three times as long as the built one. */
const MOST_DRAWN_MS = 3 * MOST_MS

const cases: (WorstCase & { most?: number })[] = [
  { name: 'masking', limit: MAX_MESSAGE, run: (text) => createMask(['Анна']).mask(text), most: MOST_SLOW_MS },
  { name: 'addresses in a message', limit: MAX_MESSAGE, run: linksIn },
  { name: 'citations of an answer', limit: MAX_MESSAGE, run: (text) => listCitations(text, []) },
  { name: 'citations in a text', limit: MAX_MESSAGE, run: (text) => mayCite(text) && citedParts(text) },
  { name: 'a formula', limit: 20_000, run: (text) => [isFormula(text), isParenFormula(text), isBracketLine(text)] },
  { name: 'a sum of money', limit: 20_000, run: (content) => isDollarFormula({ before: '', content, after: '' }) },
  { name: 'sentences that are read aloud', limit: 20_000, run: sentencesOf },
  { name: 'a thought', limit: MAX_MESSAGE, run: (text) => [thoughtChunks(text), lastLine(text)] },
  {
    ...{ name: 'two versions of a prompt', limit: MAX_PROMPT_CONTENT, most: MOST_SLOW_MS },
    run: (text) => diffText(text, 'a b\n'.repeat(5000)),
    texts: { words: worstTexts[JSON.stringify('и ')] ?? String, lines: worstTexts[JSON.stringify('a\n')] ?? String },
  },
  {
    name: 'a new version of a prompt',
    limit: MAX_PROMPT_CONTENT,
    run: (text) => diffText(text, text.replace('a', '')),
  },
  { name: 'a search for assistants', limit: 200, run: (text) => matching([{ name: text, description: text }], text) },
  {
    name: 'a search for commands',
    limit: MAX_ASSISTANT_NAME,
    run: (text) => rank([{ title: text, keywords: text } as never], text),
  },
  { name: 'messages that the server draws', limit: 4980, run: drawMessage, also: worstMarkdown, most: MOST_DRAWN_MS },
  { name: 'messages of half a screen', limit: 1000, run: drawMessage, also: worstMarkdown, most: MOST_DRAWN_MS },
  { name: 'the cost of Markdown', limit: MAX_MESSAGE, run: markupCost, also: worstMarkdown },
  { name: 'the longest answer', limit: MAX_MESSAGE, run: parseInPieces, also: worstMarkdown, most: MOST_SLOW_MS },
  { name: 'a CSV file', limit: MAX_MESSAGE, run: (text) => csvText([text], [[text]]) },
]

describe('the page does not freeze on', () => {
  test.each(cases)('$name (S10.523)', { timeout: 300_000 }, async ({ most = MOST_MS, ...each }) => {
    expect(await tooLong(each, most)).toEqual([])
  })
})
