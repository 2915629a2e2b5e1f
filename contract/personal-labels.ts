import type { PersonalKind } from './personal-data.ts'

/** Names of personal data in tokens and on screens. Separate from the patterns, which the page loads later. */
export const kindLabels: Record<PersonalKind, string> = {
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
