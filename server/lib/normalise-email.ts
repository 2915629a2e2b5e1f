/** Domains of one mail service. */
const sameService: Record<string, string> = {
  'googlemail.com': 'gmail.com',
  'ya.ru': 'yandex.ru',
  'yandex.by': 'yandex.ru',
  'yandex.com': 'yandex.ru',
  'yandex.kz': 'yandex.ru',
}

/** One spelling for one mailbox: without +tags and without differences that Gmail and Yandex ignore. */
export function normaliseEmail(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const service = sameService[domain] ?? domain
  const box = address.slice(0, Math.max(at, 0)).replace(/(?!^)\+.*$/s, '')
  if (service === 'gmail.com') return `${box.replaceAll('.', '')}@${service}`
  return `${service === 'yandex.ru' ? box.replaceAll('.', '-') : box}@${service}`
}
