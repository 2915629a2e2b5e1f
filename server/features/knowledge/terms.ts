import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { fold, formsOf } from '../search/words.ts'
import { correctionsOf, distantRelativesOf, relativesOf, type Vocabulary } from './vocabulary.ts'

/** Question words, pronouns and polite phrases: they do not name the subject of a question. */
const questionWords = new Set(
  `сколько какой какая какое какие каков какова каковы каким какую какого какому каком почему зачем откуда куда
  нужно надо можно нельзя ли будет быть есть является это этот эта эти тот чем чему кто кому кого чей чья
  скажи скажите подскажи подскажите расскажи расскажите напиши объясни найди покажи перечисли назови пожалуйста
  файл файле файлах документ документе документах указано указан указана написано сказано говорится
  предусмотрено предусмотрен предусмотрена действовать делать сделать хочу могу могут мочь должен должна должны
  вообще именно только если какова составляет равна происходит считается
  который которая которое которые которого которому которым котором которую которой которых которыми
  другой другая другое другие других другого другому другим другую такой такая такое такие
  самый сам сама само сами себя себе собой свой своя свое свои своего своей своих мой моя мое мои моего моей
  твой наш наша ваш те та того тому так там тут здесь снова совсем уже еще также тоже просто очень сейчас теперь
  всегда после больше стать станет стал стала стали хотеть хочет хотят`
    .split(/\s+/)
    .filter(Boolean),
)

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
  /** Its weight among the words of the question. */
  weight: number
}

const MAX_WORDS = 40
const WORD = /[\p{L}\p{N}\p{M}]+/gu

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
  const stems = await stemsOf(db, allForms.flat())
  const terms = allForms.flatMap((forms, n): Term[] => {
    const exact = unique(forms.flatMap((form) => stems.get(form) ?? []))
    if (exact.length === 0) return []
    const isOwn = n < own.length
    return [{ ...expand(vocabulary, exact, isOwn), weight: isOwn ? 1 : SEARCH_WORD_WEIGHT }]
  })
  // Two forms of a word are one term: a question does not get heavier by repeating itself.
  return terms.filter(
    ({ exact }, n) => terms.findIndex((other) => other.exact.some((stem) => exact.includes(stem))) === n,
  )
}

function contentWords(text: string): string[] {
  const all = unique(fold(text.normalize('NFC')).match(WORD) ?? [])
  const content = all.filter((word) => !isQuestionWord(word))
  return (content.length > 0 ? content : all).slice(0, MAX_WORDS)
}

/** What the files have for a word; a correction only when they have nothing else. */
function expand(vocabulary: Vocabulary, exact: string[], isOwn: boolean): Omit<Term, 'weight'> {
  const family = relativesOf(vocabulary, exact)
  // A model has already chosen the words, and there are many of them.
  const kin = isOwn ? distantRelativesOf(vocabulary, exact).filter((word) => !family.includes(word)) : []
  const isKnown = family.length > 0 || exact.some((stem) => vocabulary.words.has(stem))
  const fixed = isKnown ? [] : unique(exact.flatMap((stem) => correctionsOf(vocabulary, stem)))
  return { exact, family, kin, fixed }
}

const unique = <Item>(items: Item[]) => [...new Set(items)]

const WordStems = z.object({ word: z.string(), stems: z.array(z.string()) })

async function stemsOf(db: Db, words: string[]): Promise<Map<string, string[]>> {
  const rows = await rowsOf(
    db,
    sql`
    select word, tsvector_to_array(to_tsvector('russian', word)) as stems
    from unnest(${sql.param(unique(words))}::text[]) as word`,
    WordStems,
  )
  return new Map(rows.map(({ word, stems }) => [word, stems.filter(isPlain)]))
}

/** Anything else would need quoting in a tsquery. */
const isPlain = (stem: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(stem)
