/**
 * Numbers of clauses, by which people ask about contracts and laws: «Что в пункте 2.1?». The words of the index do not
 * have them, because a point separates words there and every clause that refers to another one names its number too.
 */

/** The lexeme of a clause in the index. Words of texts never contain «§». */
const lexeme = (number: string) => `§${number}`

const NUMBER = String.raw`\d{1,3}(?:\.\d{1,3}){0,4}`
/** At the beginning of a line, of a heading, of a row of a table. */
const LINE = new RegExp(
  String.raw`^([ \t]{0,20})(#{1,6} |\| |- )?((?:п\.|ст\.|§|пункт|статья|раздел|глава|часть) {0,3})?(${NUMBER})([.)]?)(?=\s|$)`,
  'gimu',
)
const MAX_CLAUSES = 200
const MAX_PARTS = 5

/** Clauses that begin in a text, as lexemes of the index. */
export function clausesIn(text: string): string[] {
  const found = new Set<string>()
  const above: { indent: number; number: string }[] = []
  for (const [, indent = '', sign, word, number = '', end] of text.matchAll(LINE)) {
    const isClause = number.includes('.') || word || end || sign?.startsWith('#')
    if (!isClause || found.size >= MAX_CLAUSES) continue
    found.add(lexeme(number))
    while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop()
    const outer = above.at(-1)?.number
    // «1.» that is set in below «2.» is asked for as 2.1.
    const whole = outer !== undefined && !number.includes('.') && !word ? `${outer}.${number}` : number
    if (whole !== number && whole.split('.').length <= MAX_PARTS) found.add(lexeme(whole))
    above.push({ indent: indent.length, number: whole })
  }
  return [...found]
}

const NAMED = new RegExp(
  String.raw`(?<!\p{L})(?:(?:п|пп|ст|разд|гл)\.|§|(?:под)?пункт\p{L}{0,4}|стать\p{L}{1,3}|раздел\p{L}{0,3}|глав\p{L}{1,2}|част\p{L}{1,2})\s{0,3}№?\s{0,3}(${NUMBER})(?![\p{L}\p{N}])`,
  'giu',
)
const MAX_ASKED = 5

/** Clauses that a question names, as lexemes of the index. */
export function clausesOf(question: string): string[] {
  const found = new Set<string>()
  for (const [, number = ''] of question.matchAll(NAMED)) if (found.size < MAX_ASKED) found.add(lexeme(number))
  return [...found]
}
