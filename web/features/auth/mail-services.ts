export interface MailService {
  name: string
  /** The text of the button that opens it. */
  invitation: string
  url: string
}

const mail: MailService = { name: 'Почта Mail', invitation: 'Открыть Почту Mail', url: 'https://e.mail.ru/' }
const yandex: MailService = {
  name: 'Яндекс Почта',
  invitation: 'Открыть Яндекс Почту',
  url: 'https://mail.yandex.ru/',
}
const gmail: MailService = { name: 'Gmail', invitation: 'Открыть Gmail', url: 'https://mail.google.com/' }
const rambler: MailService = {
  name: 'Рамблер/почта',
  invitation: 'Открыть Рамблер/почту',
  url: 'https://mail.rambler.ru/',
}
const outlook: MailService = { name: 'Outlook', invitation: 'Открыть Outlook', url: 'https://outlook.live.com/mail/' }
const icloud: MailService = { name: 'iCloud', invitation: 'Открыть почту iCloud', url: 'https://www.icloud.com/mail' }
const proton: MailService = { name: 'Proton Mail', invitation: 'Открыть Proton Mail', url: 'https://mail.proton.me/' }
const yahoo: MailService = { name: 'Yahoo Mail', invitation: 'Открыть Yahoo Mail', url: 'https://mail.yahoo.com/' }

const domains: [MailService, string[]][] = [
  [mail, ['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru', 'internet.ru', 'vk.com']],
  [yandex, ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'narod.ru']],
  [gmail, ['gmail.com', 'googlemail.com']],
  [rambler, ['rambler.ru', 'rambler.ua', 'lenta.ru', 'ro.ru', 'autorambler.ru', 'myrambler.ru']],
  [outlook, ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'live.ru', 'hotmail.ru']],
  [icloud, ['icloud.com', 'me.com', 'mac.com']],
  [proton, ['proton.me', 'protonmail.com', 'pm.me']],
  [yahoo, ['yahoo.com', 'ymail.com']],
]

const byDomain = new Map(domains.flatMap(([service, names]) => names.map((name) => [name, service] as const)))

/** The mail service of this address, if its domain is known. */
export function mailServiceOf(email: string): MailService | null {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return byDomain.get(domain.trim().toLowerCase()) ?? null
}
