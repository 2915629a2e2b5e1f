const MAX_WORDS = 12
/** Shorter words are matched whole: as a prefix they would match too many words. */
const MIN_PREFIX = 4

/** Nouns whose stem changes between forms; the stemmer of Postgres only removes endings. */
const twins: [sign: RegExp, twin: string][] = [
  [/^деньг.*/, 'денег'],
  [/^денег$/, 'деньг'],
  [/^письм.*/, 'писем'],
  [/^писем$/, 'письм'],
  [/(?<=[бвгджзлмнпрстфхцчшщ])к(?:а|и|у|е|ой|ам|ами|ах)$/, 'ок'],
  [/(?<=[бвгджзлмнпрстфхцчшщ])ок$/, 'к'],
]

/** The query as tsquery terms: each word with its other forms, matched as a prefix. */
export function searchWords(query: string): string[] {
  const words = withoutYo(query.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(0, MAX_WORDS).map((word) => `(${formsOf(word).map(beginning).join(' | ')})`)
}

function formsOf(word: string): string[] {
  const [sign, twin = ''] = twins.find(([ending]) => ending.test(word)) ?? []
  if (sign) return [word, word.replace(sign, twin)]
  // Imperatives such as «проверьте» and «скачайте» are frequent in pages and queries.
  return [word.replace(/(?<=..)[ьй]те$/, '')]
}

function beginning(word: string): string {
  return word.length < MIN_PREFIX ? word : `${word}:*`
}

export function withoutYo(text: string): string {
  return text.replaceAll('ё', 'е').replaceAll('Ё', 'Е')
}
