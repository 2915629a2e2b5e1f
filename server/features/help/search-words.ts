const MAX_WORDS = 12
/** A shorter beginning would fit half of the dictionary. */
const MIN_PREFIX = 4

/** Nouns that change in the middle, where the dictionary cuts endings only. */
const twins: [sign: RegExp, twin: string][] = [
  [/^деньг.*/, 'денег'],
  [/^денег$/, 'деньг'],
  [/^письм.*/, 'писем'],
  [/^писем$/, 'письм'],
  [/(?<=[бвгджзлмнпрстфхцчшщ])к(?:а|и|у|е|ой|ам|ами|ах)$/, 'ок'],
  [/(?<=[бвгджзлмнпрстфхцчшщ])ок$/, 'к'],
]

/** A question in the language of the database: each word with its other shapes, as the beginning of a word. */
export function searchWords(query: string): string[] {
  const words = withoutYo(query.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(0, MAX_WORDS).map((word) => `(${shapesOf(word).map(beginning).join(' | ')})`)
}

function shapesOf(word: string): string[] {
  const [sign, twin = ''] = twins.find(([ending]) => ending.test(word)) ?? []
  if (sign) return [word, word.replace(sign, twin)]
  // «Проверьте» and «скачайте» are what pages say and people repeat.
  return [word.replace(/(?<=..)[ьй]те$/, '')]
}

function beginning(word: string): string {
  return word.length < MIN_PREFIX ? word : `${word}:*`
}

export function withoutYo(text: string): string {
  return text.replaceAll('ё', 'е').replaceAll('Ё', 'Е')
}
