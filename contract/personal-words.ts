import type { PersonalKind } from './personal-data.ts'

/** What personal data is called, in tokens and to people; apart from the patterns, which a page loads later. */
export const kindWords: Record<PersonalKind, string> = {
  phone: 'телефон',
  email: 'почта',
  card: 'карта',
  passport: 'паспорт',
  snils: 'СНИЛС',
  inn: 'ИНН',
  ogrn: 'ОГРН',
  account: 'счёт',
  name: 'имя',
}
