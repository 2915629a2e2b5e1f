import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { fold, formsOf } from '../search/words.ts'

/** Question words and polite phrases: they do not name the subject of a question. */
const questionWords = new Set(
  `сколько какой какая какое какие каков какова каковы каким какую какого какому каком почему зачем откуда куда
  нужно надо можно нельзя ли будет быть есть является это этот эта эти тот чем чему кто кому кого чей чья
  скажи скажите подскажи подскажите расскажи расскажите напиши объясни найди покажи перечисли назови пожалуйста
  файл файле файлах документ документе документах указано указан указана написано сказано говорится
  предусмотрено предусмотрен предусмотрена действовать делать сделать хочу могу могут мочь должен должна должны
  вообще именно только если какова составляет равна происходит считается`
    .split(/\s+/)
    .filter(Boolean),
)

const isQuestionWord = (word: string) => questionWords.has(word)

/** The word of a question first, then what documents call the same thing. */
const synonymGroups = [
  'цена стоимость стоить стоит почем тариф расценки',
  'оплата оплатить платить платеж расчет уплата перечислить',
  'срок период длительность продолжительность дата когда',
  'долго срок время период',
  'зарплата заработная оклад оплата вознаграждение',
  'получка заработная зарплата',
  'штраф неустойка пеня санкция ответственность',
  'опоздание просрочка опоздать задержка нарушение',
  'опоздать просрочить просрочка задержать',
  'расторгнуть расторжение прекратить прекращение отказ отказаться',
  'разорвать расторгнуть расторжение прекращение',
  'вернуть возврат возвращать возвращается',
  'купить приобрести покупка приобретение',
  'сломаться поломка неисправность дефект недостаток повреждение',
  'сломать поломка неисправность дефект повреждение повредить',
  'починить ремонт отремонтировать устранить ремонтировать',
  'мыть мойка очистка чистить промывка промыть',
  'чистить очистка чистка уход промывка',
  'включить включение запуск пуск запустить',
  'выключить выключение отключить отключение',
  'отпуск отдых каникулы',
  'каникулы отпуск',
  'больничный болезнь нетрудоспособность заболеть',
  'заболеть болезнь нетрудоспособность больничный',
  'уволиться увольнение расторжение прекращение',
  'уволить увольнение расторжение',
  'начальник руководитель директор',
  'шеф руководитель директор начальник',
  'сотрудник работник персонал',
  'жилье квартира помещение',
  'квартплата аренда плата арендная',
  'аренда наем съем арендный',
  'снимать аренда арендовать арендатор',
  'хозяин собственник арендодатель наймодатель',
  'задаток залог депозит обеспечительный аванс',
  'предоплата аванс авансовый',
  'гарантия гарантийный',
  'доставка доставить привезти поставка отгрузка',
  'привезти доставка поставка доставить',
  'склад хранение хранить',
  'хранить хранение',
  'ребенок дети учащийся ученик обучающийся',
  'ученик учащийся обучающийся школьник',
  'школьник учащийся обучающийся ученик',
  'родители законный представитель',
  'телефон звонить позвонить номер',
  'позвонить телефон номер связаться',
  'адрес находиться расположен место',
  'время часы график режим',
  'расписание график режим',
  'работает график режим часы',
  'выходной праздничный нерабочий суббота воскресенье',
  'жалоба претензия обращение',
  'пожаловаться жалоба претензия обращение',
  'скидка дисконт льгота',
  'подарок бонус',
  'машина автомобиль транспорт',
  'такси транспорт проезд',
  'билет проезд перелет',
  'самолет авиабилет перелет авиа',
  'поезд железнодорожный',
  'гостиница отель проживание',
  'отель гостиница проживание',
  'еда питание питаться обед',
  'обед перерыв питание',
  'кофе напиток эспрессо',
  'вес масса',
  'размер габариты размеры ширина',
  'громкость шум',
  'температура градус',
  'ошибка код неисправность',
  'пожар возгорание огонь пожарный',
  'травма несчастный повреждение',
  'пароль доступ учетный',
  'удаленно дистанционно удаленный дистанционный',
  'дом удаленный дистанционный дистанционно',
  'премия бонус поощрение надбавка',
  'деньги сумма средства денежный',
  'количество объем число',
  'минимальный менее минимум наименьший',
  'максимальный более максимум предельный наибольший',
  'предупредить уведомить уведомление сообщить известить',
  'уведомить уведомление предупредить известить',
  'подписать подпись подписывать',
  'ответственный отвечать назначить',
  'перенести перенос отложить',
  'одежда форма внешний',
  'мобильный телефон смартфон',
  'животное питомец собака кошка',
  'собака животное питомец',
  'кошка животное питомец',
  'коммунальный свет вода электроэнергия отопление',
  'жкх коммунальный',
].map((line) => {
  const [word = '', ...same] = line.split(' ')
  return { word, same }
})

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
  /** Synonyms. */
  same: string[]
  /** Beginnings of words of the same root. */
  begins: string[]
}

const MAX_WORDS = 40
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const MIN_ROOT = 5

/** The database stems them with the same dictionary as the texts. */
export async function termsOf(db: Db, question: string): Promise<Term[]> {
  const all = [...new Set(fold(question.normalize('NFC')).match(WORD) ?? [])]
  const content = all.filter((word) => !isQuestionWord(word))
  const words = (content.length > 0 ? content : all).slice(0, MAX_WORDS)
  const allForms = words.map((word) => [...formsOf(word), numeralOf(word) ?? word])
  const [stems, synonyms] = await Promise.all([stemsOf(db, allForms.flat()), loadSynonyms(db)])
  const terms = allForms.map((forms): Term => {
    const exact = unique(forms.flatMap((form) => stems.get(form) ?? []))
    const same = unique(exact.flatMap((stem) => synonyms.get(stem) ?? [])).filter((stem) => !exact.includes(stem))
    return { exact, same, begins: unique(exact.map(rootOf).filter((root) => root !== null)) }
  })
  return terms.filter(({ exact }) => exact.length > 0)
}

/** Stem → stems of its synonyms. The dictionary is constant, so it is stemmed once. */
let synonyms: Map<string, string[]> | null = null

async function loadSynonyms(db: Db): Promise<Map<string, string[]>> {
  if (synonyms) return synonyms
  const stems = await stemsOf(
    db,
    synonymGroups.flatMap(({ word, same }) => [word, ...same]),
  )
  const found = new Map<string, string[]>()
  for (const { word, same } of synonymGroups) {
    const others = same.flatMap((other) => stems.get(other) ?? [])
    for (const stem of stems.get(word) ?? []) found.set(stem, [...(found.get(stem) ?? []), ...others])
  }
  synonyms = found
  return found
}

const unique = <Item>(items: Item[]) => [...new Set(items)]

/** «Поставк» and «постав» have one root. Null for stems with digits and for short ones. */
function rootOf(stem: string): string | null {
  if (/\d/.test(stem)) return null
  const length = Math.max(MIN_ROOT, Math.ceil(stem.length * 0.62))
  return length < stem.length || stem.length >= MIN_ROOT ? stem.slice(0, length) : null
}

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
