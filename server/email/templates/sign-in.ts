import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'

export interface LinkEmail {
  to: string
  appName: string
  url: string
}

export function signInEmail({ to, appName, url, minutes }: LinkEmail & { minutes: number }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Вход в «${appName}»`,
    before: ['Здравствуйте!', `Вот ссылка, по которой вы войдёте в «${appName}» без пароля.`],
    button: { label: 'Войти', url },
    after: [
      `Ссылка работает ${minutes} минут и только один раз. Если она не сработала, запросите новую на странице входа.`,
      'Если вы не просили о входе, ничего делать не нужно: без этой ссылки никто не войдёт. Не пересылайте это письмо.',
    ],
  })
}
