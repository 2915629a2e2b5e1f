import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'
import type { LinkEmail } from './sign-in.ts'

export function deleteAccountEmail({ to, appName, url }: LinkEmail): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Удаление аккаунта в «${appName}»`,
    before: [
      'Здравствуйте!',
      `Вы попросили удалить аккаунт в «${appName}». Вместе с ним удалятся беседы, файлы, картинки и остаток символов. Вернуть их будет нельзя.`,
    ],
    button: { label: 'Удалить навсегда', url },
    after: [
      'Ссылка работает 24 часа. Откройте её в том браузере, где вы вошли.',
      'Если вы передумали или не просили об этом, просто удалите письмо.',
    ],
  })
}
