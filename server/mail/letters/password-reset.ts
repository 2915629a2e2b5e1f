import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import type { LinkLetter } from './sign-in.ts'

export function passwordResetLetter({ to, appName, url }: LinkLetter): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Новый пароль для «${appName}»`,
    before: ['Здравствуйте!', `Кто-то, надеемся, что вы, попросил задать новый пароль в «${appName}».`],
    button: { label: 'Задать новый пароль', url },
    after: [
      'Ссылка работает один час и только один раз. После смены пароля нужно будет войти заново на всех устройствах.',
      'Если это были не вы, просто удалите письмо: пароль останется прежним.',
    ],
  })
}
