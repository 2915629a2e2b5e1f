import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'
import type { LinkEmail } from './sign-in.ts'

export function verificationEmail({ to, appName, url }: LinkEmail): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Подтвердите почту для «${appName}»`,
    before: ['Здравствуйте!', `Этот адрес указали в «${appName}». Подтвердите, что он ваш.`],
    button: { label: 'Подтвердить почту', url },
    after: [
      'Ссылка работает один час. Откройте её в том браузере, где регистрировались: тогда останется и пароль, который вы задали.',
      'Если вы не регистрировались, кто-то другой указал ваш адрес и мог задать к нему свой пароль. Не нажимайте на ссылку: без подтверждения адресом никто не воспользуется.',
    ],
  })
}
