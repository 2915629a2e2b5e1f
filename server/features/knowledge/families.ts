/**
 * Word families by rule: «платить», «плата», «оплачивать», «неплательщик». It works on stems of the index and decides
 * nothing alone: a word of the same family counts for less than the word itself.
 */

const VOWEL = /[аеиоуыэюя]/

/** Endings of derived words, longest first. They are removed one after another while a root remains. */
const suffixes = [
  ...[
    'аторск',
    'яторск',
    'атор',
    'ятор',
    'итор',
    'тельниц',
    'тельств',
    'ировани',
    'ировк',
    'ическ',
    'изаци',
    'ировать',
    'ельств',
    'енност',
    'анност',
  ],
  ...['ительн', 'ательн', 'тельн', 'ован', 'еван', 'ыван', 'иван', 'ирова', 'енств', 'еств', 'ость', 'ниц', 'щиц'],
  ...['тель', 'тел', 'ател', 'ител', 'ени', 'ани', 'яни', 'ени', 'ённ', 'енн', 'анн', 'янн', 'ост', 'ств', 'аци'],
  ...['яци', 'ник', 'щик', 'чик', 'ист', 'изм', 'овск', 'евск', 'инск', 'ыва', 'ива', 'ова', 'ева', 'иру', 'ир'],
  ...['очк', 'ечк', 'ушк', 'оньк', 'еньк', 'чив', 'лив', 'оват', 'еват', 'ющ', 'ущ', 'ащ', 'ящ', 'вш', 'ск', 'ец'],
  ...['иц', 'ок', 'ек', 'ик', 'ов', 'ев', 'ив', 'ен', 'ан', 'ян', 'ит', 'ат', 'ят', 'ет', 'ем', 'им', 'ну', 'ся', 'сь'],
  ...['нн', 'к', 'ц', 'н', 'л', 'т', 'в', 'ш', 'и', 'а', 'я', 'у', 'ю', 'е', 'о', 'ы', 'ь', 'й'],
]

const prefixes = [
  ...['противо', 'взаимо', 'пере', 'недо', 'сверх', 'пред', 'обез', 'обес', 'безо', 'подо', 'надо', 'разо', 'изо'],
  ...['воз', 'вос', 'без', 'бес', 'раз', 'рас', 'при', 'про', 'пре', 'под', 'над', 'обо', 'ото', 'низ', 'нис'],
  ...['вы', 'до', 'за', 'из', 'ис', 'на', 'не', 'об', 'от', 'по', 'вз', 'вс', 'со', 'о', 'у', 'с', 'в'],
]

/** Consonants that replace each other before endings: друг and дружить, свет and освещать. */
const classes: Record<string, string> = {
  ...{ г: '1', ж: '1', з: '1', д: '1', к: '2', ч: '2', ц: '2', т: '2', щ: '2', х: '3', ш: '3', с: '3' },
}

const MIN_ROOT = 3
/** A suffix of one or two letters may as well be the end of a short root. */
const MIN_BEFORE_SHORT = 5
/** Shorter roots differ in one letter from too many others. */
const MIN_ALTERNATING = 4
/** A word without its prefix belongs to a family only if this much is left. */
const MIN_WITHOUT_PREFIX = 4

export interface Family {
  /** Equal for «договор» and «договорный». */
  root: string
  /** The root without prefixes, equal for «оплата» and «выплата»; null when too little is left. */
  core: string | null
}

export function familyOf(stem: string): Family | null {
  if (!/^[а-я]+$/.test(stem)) return null
  const root = withoutSuffixes(stem)
  if (root.length < MIN_ROOT || !VOWEL.test(root)) return null
  const core = withoutPrefix(root)
  return { root: withAlternation(root), core: core === null ? null : withAlternation(core) }
}

function withoutSuffixes(stem: string): string {
  for (let root = stem; ; ) {
    const suffix = suffixes.find((end) => root.endsWith(end) && isRoot(root.slice(0, -end.length), end))
    if (!suffix) return root
    root = root.slice(0, -suffix.length)
  }
}

/** A root has a vowel and ends with a consonant, which may be soft. */
const isRoot = (rest: string, end: string) =>
  rest.length >= (end.length > 2 ? MIN_ROOT : MIN_BEFORE_SHORT) &&
  VOWEL.test(rest) &&
  /[бвгджзклмнпрстфхцчшщь]$/.test(rest)

function withoutPrefix(root: string): string | null {
  const prefix = prefixes.find((start) => root.startsWith(start) && isCore(root.slice(start.length)))
  if (!prefix) return root.length >= MIN_WITHOUT_PREFIX ? root : null
  return root.slice(prefix.length)
}

const isCore = (rest: string) => rest.length >= MIN_WITHOUT_PREFIX && VOWEL.test(rest)

/** «Люби-ть» and «любл-ю», «нос» and «нош», «увол-ить» and «уволь-нение»: the last consonant stands for its class. */
function withAlternation(root: string): string {
  const plain = root
    .replace(/ь$/, '')
    .replace(/([бвмп])л$/, '$1')
    .replace(/жд$/, 'д')
    .replace(/(?:ст|ск)$/, 'щ')
  if (plain.length < MIN_ALTERNATING) return plain
  const last = plain.at(-1) ?? ''
  return plain.slice(0, -1) + (classes[last] ?? last)
}

const MIN_PART = 4

/** «Авиабилет» has the part «билет», «водоснабжение» the parts «вод» and «снабжение»; the vowel joins them. */
export function isCompoundOf(compound: string, part: string): boolean {
  if (part.length < MIN_PART || compound.length < part.length + 3) return false
  const at = compound.length - part.length
  return (
    compound.endsWith(part) && /[оеа]/.test(compound.charAt(at - 1)) && VOWEL.test(compound.slice(0, at - 1) || 'а')
  )
}
