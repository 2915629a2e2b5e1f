const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю'

const toCyrillic = new Map([...latin].map((key, place) => [key, cyrillic[place] ?? key]))
const toLatin = new Map([...cyrillic].map((key, place) => [key, latin[place] ?? key]))

/** The same keys pressed with the other layout on: «ghjabkm» was meant as «профиль». */
export function otherLayout(text: string): string {
  const keys = /[а-яё]/i.test(text) ? toLatin : toCyrillic
  return [...text.toLowerCase()].map((email) => keys.get(email) ?? email).join('')
}
