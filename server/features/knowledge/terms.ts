import type { Db } from '#server/db/client.ts'
import { contentLines } from '#server/lib/content.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { stemsOf } from '../search/text-query.ts'
import { fold, formsOf } from '../search/words.ts'
import { clausesOf } from './clauses.ts'
import { type Phrase, readSynonyms, type Synonyms, synonymsOf } from './synonyms.ts'
import { correctionsOf, distantRelativesOf, hasWord, relativesOf, type Vocabulary } from './vocabulary.ts'

const questionWords = new Set(contentLines('search/question-words.txt').flatMap((line) => line.split(' ')))

const isQuestionWord = (word: string) => questionWords.has(word)

const numerals =
  'ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать'.split(
    ' ',
  )
const tens = {
  тридцать: 30,
  сорок: 40,
  пятьдесят: 50,
  шестьдесят: 60,
  семьдесят: 70,
  восемьдесят: 80,
  девяносто: 90,
  сто: 100,
}
const numbers = new Map<string, string>([
  ...numerals.map((word, n) => [word, String(n)] as const),
  ...Object.entries(tens).map(([word, n]) => [word, String(n)] as const),
])
const numberWords = new Map([...numbers].map(([word, number]) => [number, word]))

/** The other way to write a number: «30» and «тридцать». */
const numeralOf = (word: string) => numbers.get(word) ?? numberWords.get(word) ?? null

/** A word of a question, as stems of the index. */
export interface Term {
  /** The word itself in all its forms. */
  exact: string[]
  /** Words of the same root. */
  family: string[]
  /** The same root with another prefix, and compounds with the word. */
  kin: string[]
  /** What a word that the files do not have was probably meant to be. */
  fixed: string[]
  /** What papers write for it, such as «воздушное судно» for «самолёт». */
  synonyms: Phrase[]
  /** Whether the files have the word itself. */
  isKnown: boolean
  /** Its weight among the words of the question. */
  weight: number
}

const MAX_WORDS = 40
/** Each is one more look-up in the index. */
const MAX_SYNONYMS = 16
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** A clause that is asked for by its number is what the question is about. */
const CLAUSE_WEIGHT = 3

/** Search words are more than a question has, and not all of them are right. */
const SEARCH_WORD_WEIGHT = 0.6

export interface Asked {
  question: string
  /** What a model wrote to search for it. */
  searchWords?: string | undefined
}

/** The words of a question and of its search words, each once. */
export async function termsOf(db: Db, { question, searchWords = '' }: Asked, vocabulary: Vocabulary): Promise<Term[]> {
  const own = contentWords(question)
  const added = contentWords(searchWords).filter((word) => !own.includes(word))
  const words = [...own, ...added]
  const allForms = words.map((word) => [...formsOf(word), numeralOf(word) ?? word])
  const [stems, synonyms] = await Promise.all([stemsOf(db, unique(allForms.flat())), readSynonyms(db)])
  const asked = new Set([...stems.values()].flat())
  const pause = createPauses()
  const terms: Term[] = []
  for (const [n, forms] of allForms.entries()) {
    const exact = unique(forms.flatMap((form) => stems.get(form) ?? []))
    if (exact.length === 0) continue
    // A library with many words is looked through for each misspelt one.
    await pause()
    if (n < own.length) terms.push(ownTerm(vocabulary, synonyms, exact, asked))
    // A model has already chosen its words, and there are many of them.
    else terms.push({ ...expand(vocabulary, exact), kin: [], synonyms: [], weight: SEARCH_WORD_WEIGHT })
  }
  // Two forms of a word are one term: a question does not get heavier by repeating itself.
  const once = terms.filter(
    ({ exact }, n) => terms.findIndex((other) => other.exact.some((stem) => exact.includes(stem))) === n,
  )
  return [...clausesOf(question).map(clauseTerm), ...once]
}

const clauseTerm = (lexeme: string): Term => ({
  ...{ exact: [lexeme], family: [], kin: [], fixed: [], synonyms: [], isKnown: true, weight: CLAUSE_WEIGHT },
})

function contentWords(text: string): string[] {
  const all = unique(fold(text.normalize('NFC')).match(WORD) ?? [])
  const content = all.filter((word) => !isQuestionWord(word))
  return (content.length > 0 ? content : all).slice(0, MAX_WORDS)
}

type Expanded = Pick<Term, 'exact' | 'family' | 'fixed' | 'isKnown'>

/** What the files have for a word; a correction only when they have nothing else. */
function expand(vocabulary: Vocabulary, exact: string[]): Expanded {
  const family = relativesOf(vocabulary, exact)
  const isKnown = exact.some((stem) => hasWord(vocabulary, stem))
  const fixed = isKnown || family.length > 0 ? [] : unique(exact.flatMap((stem) => correctionsOf(vocabulary, stem)))
  return { exact, family, fixed, isKnown }
}

function ownTerm(vocabulary: Vocabulary, synonyms: Synonyms, exact: string[], asked: ReadonlySet<string>): Term {
  const found = expand(vocabulary, exact)
  const kin = distantRelativesOf(vocabulary, exact).filter((word) => !found.family.includes(word))
  // A word with synonyms is written correctly, even when the files do not have it.
  const isWord = exact.some((stem) => hasWord(synonyms.words, stem))
  const fixed = isWord ? [] : found.fixed
  const isLost = !isWord && !found.isKnown && found.family.length + fixed.length === 0
  const meant = isLost ? exact.flatMap((stem) => correctionsOf(synonyms.words, stem)) : [...exact, ...fixed]
  const same = synonymsOf(synonyms, meant, asked)
  const inFiles = same.filter((phrase) => phrase.every((stem) => hasWord(vocabulary, stem)))
  return { ...found, fixed, kin, synonyms: inFiles.slice(0, MAX_SYNONYMS), weight: 1 }
}

const unique = <Item>(items: Item[]) => [...new Set(items)]
