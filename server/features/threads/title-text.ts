import type { Exchange } from '#server/llm/title-request.ts'

const MAX_WORDS = 250
const QUESTION_WORDS = 150
/** Even a single word may be endless. */
const MAX_SYMBOLS = 4000
const MAX_TITLE_SYMBOLS = 80

/** As much of the first exchange as a name needs. */
export function cutExchange({ question, answer }: Exchange): Exchange {
  const asked = wordsOf(question).slice(0, QUESTION_WORDS)
  const answered = wordsOf(answer).slice(0, MAX_WORDS - asked.length)
  return { question: asked.join(' '), answer: answered.join(' ') }
}

const wordsOf = (text: string) => text.slice(0, MAX_SYMBOLS).split(/\s+/).filter(Boolean)

/** What a model said, as a title: one line, without marks and quotes around it or a dot at its end. */
export function cleanTitle(said: string): string {
  const line = said
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/^ ?(#+ )?/, '')
    .replace(/^[*_`]+|[*_` ]+$/g, '')
    .replace(/^(название|заголовок|title): ?/i, '')
  return shorten(undress(line))
}

const around = [/^«([^«»]*)»$/, /^"([^"]*)"$/, /^“([^“”]*)”$/, /^„([^„“”]*)[“”]$/, /^'([^']*)'$/]

/** A pair of quotes goes only if nothing within is quoted too; three dots are not the end of a sentence. */
function undress(title: string): string {
  const bare = title.replace(/(?<!\.)\.$/, '').trim()
  const inner = around.map((quotes) => quotes.exec(bare)?.[1]).find((text) => text !== undefined) ?? bare
  return inner === title ? title : undress(inner)
}

function shorten(title: string): string {
  if (title.length <= MAX_TITLE_SYMBOLS) return title
  const cut = title.slice(0, MAX_TITLE_SYMBOLS)
  const end = cut.lastIndexOf(' ')
  // Half of an emoji is nothing.
  return end > MAX_TITLE_SYMBOLS / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
}
