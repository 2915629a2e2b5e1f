import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'
import type { LinkEmail } from './sign-in.ts'

/** To the owner of an account, after somebody came through a service that named the same address. */
export function joinAccountEmail({ to, appName, url, service }: LinkEmail & { service: string }): EmailMessage {
  return writeEmail({
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
