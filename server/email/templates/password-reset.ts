import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'
import type { LinkEmail } from './sign-in.ts'

export function passwordResetEmail({ to, appName, url }: LinkEmail): EmailMessage {
  return writeEmail({
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
