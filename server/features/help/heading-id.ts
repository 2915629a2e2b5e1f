const cyrillic = [...'абвгдеёжзийклмнопрстуфхцчшщъыьэюя']
const latin = 'a b v g d e e zh z i y k l m n o p r s t u f h ts ch sh sch  y  e yu ya'.split(' ')
const spelling = new Map(cyrillic.map((email, i) => [email, latin[i] ?? '']))

/** A heading's own address in Latin letters: a Cyrillic one turns into percent signs as soon as it is copied. */
export function headingId(text: string, taken: ReadonlySet<string>): string {
  const spelled = [...text.toLowerCase()].map((email) => spelling.get(email) ?? email).join('')
  const name = spelled.match(/[a-z0-9]+/g)?.join('-') ?? 'section'
  let id = name
  for (let n = 2; taken.has(id); n += 1) id = `${name}-${n}`
  return id
}
