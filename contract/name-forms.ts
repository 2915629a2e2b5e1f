/** The forms of a Russian name by its ending. More forms than exist do no harm: only whole words are compared. */

const HARD_ENDINGS = ['', 'а', 'у', 'ом', 'ем', 'е', 'ы', 'ым', 'ой', 'ых', 'ыми', 'ов', 'ам', 'ами', 'ах']
const ADJECTIVE_ENDINGS =
  'ой ый ий ого его ому ему ым им ом ем ия ию ием ии ая яя ую юю ое ее ые ие ых их ыми ими ей'.split(' ')

interface Rule {
  end: RegExp
  /** How many characters of the end are replaced. */
  cut: number
  ends: readonly string[]
}

const rules: Rule[] = [
  { end: /(?:[оыи]й|ая|яя)$/, cut: 2, ends: ADJECTIVE_ENDINGS },
  { end: /й$/, cut: 1, ends: ['й', 'я', 'ю', 'ем', 'е', 'и', 'ев', 'ям'] },
  { end: /ь$/, cut: 1, ends: ['ь', 'я', 'ю', 'ем', 'е', 'и', 'ью', 'ей', 'ям'] },
  { end: /а$/, cut: 1, ends: ['', 'а', 'ы', 'и', 'е', 'у', 'ой', 'ою', 'ей', 'ею', 'ам', 'ами', 'ах', 'ых'] },
  { end: /я$/, cut: 1, ends: ['я', 'и', 'е', 'ю', 'ей', 'ею', 'ь', 'й', 'ям'] },
  { end: /[бвгджзклмнпрстфхцчшщ]$/, cut: 0, ends: HARD_ENDINGS },
]

/** Павел → Павла: the vowel before the last consonant disappears. */
const FLEETING_VOWEL = /^(.+[бвгджзклмнпрстфхцчшщ])[ео]([лцкнр])$/

/** Case and «ё» make no difference. */
export const foldWord = (word: string) => word.toLowerCase().replaceAll('ё', 'е')

/** All forms of one word, as `foldWord` writes them; words of other alphabets have only themselves. */
export function formsOf(word: string): Set<string> {
  const plain = foldWord(word)
  const forms = new Set([plain])
  if (!/^[а-я]{2,}$/.test(plain)) return forms
  const rule = rules.find(({ end }) => end.test(plain))
  if (!rule) return forms
  const stem = plain.slice(0, plain.length - rule.cut)
  for (const end of rule.ends) forms.add(stem + end)
  const fleeting = FLEETING_VOWEL.exec(plain)
  if (fleeting) for (const end of HARD_ENDINGS.slice(1)) forms.add(`${fleeting[1]}${fleeting[2]}${end}`)
  return forms
}
