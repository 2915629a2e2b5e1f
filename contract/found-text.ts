/** Spaces that texts have and nobody types. */
export const SPACES = '\u00a0\u2009\u202f\t\n'
/** Marks of Markdown, which stand inside the words of an answer but are not shown. */
export const IGNORED = '*_`~'

const spaces = new RegExp(`[${SPACES}]`, 'g')
const ignored = new RegExp(`[${IGNORED}]`, 'g')

/** As texts are compared where words are looked for in a chat. */
export const foldCharacters = (text: string) =>
  text.toLowerCase().replaceAll('ё', 'е').replace(spaces, ' ').replace(ignored, '')

export const foldFound = (text: string) => foldCharacters(text).trim()
