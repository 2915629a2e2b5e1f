import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import type { LinkLetter } from './sign-in.ts'

/** To the owner of an account, after somebody came through a service that named the same address. */
export function joinAccountLetter({ to, appName, url, service }: LinkLetter & { service: string }): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Привязать ${service} в «${appName}»`,
    before: [
      'Здравствуйте!',
      `Кто-то, надеемся, что вы, хочет входить в «${appName}» через ${service} с вашим адресом почты. Аккаунт с этим адресом уже есть.`,
      `Если это вы, привяжите ${service} к аккаунту.`,
    ],
    button: { label: `Привязать ${service}`, url },
    after: [
      'Ссылка работает один час и только в том браузере, где вы входили через сервис.',
      'Если это были не вы, просто удалите письмо: без этой ссылки никто не войдёт.',
    ],
  })
}
