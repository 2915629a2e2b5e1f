import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import type { LinkLetter } from './sign-in.ts'

export function deleteAccountLetter({ to, appName, url }: LinkLetter): Letter {
  return writeLetter({
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
