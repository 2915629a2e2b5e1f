import { describe, expect, test } from 'vitest'
import { MAX_ASSISTANT_NAME } from '#contract/assistants.ts'
import { isBracketLine, isDollarFormula, isFormula, isParenFormula } from '#contract/markdown/math-or-money.ts'
import { createMask } from '#contract/mask.ts'
import { MAX_PROMPT_CONTENT } from '#contract/prompts.ts'
import { tooLong, type WorstCase, worstTexts } from '#contract/testing/worst-texts.ts'
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
import { citedParts, mayCite } from './ui/markdown/citations.ts'

/** The same as server/worst-texts.examples.test.ts for the page: a text must not freeze it. */

const MOST_MS = 50
/** Where it happens once: a question is masked whole when its writer pauses, two versions are compared on demand. */
const MOST_SLOW_MS = 200

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
  { name: 'a CSV file', limit: MAX_MESSAGE, run: (text) => csvText([text], [[text]]) },
]

describe('the page does not freeze on', () => {
  test.each(cases)('$name (S10.523)', { timeout: 120_000 }, async ({ most = MOST_MS, ...each }) => {
    expect(await tooLong(each, most)).toEqual([])
  })
})
