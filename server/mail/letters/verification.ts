import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import type { LinkLetter } from './sign-in.ts'

export function verificationLetter({ to, appName, url }: LinkLetter): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Подтвердите почту для «${appName}»`,
    before: ['Здравствуйте!', `Этот адрес указали в «${appName}». Подтвердите, что он ваш.`],
    button: { label: 'Подтвердить почту', url },
    after: [
      'Ссылка работает один час.',
      'Если вы ничего не указывали, не нажимайте на неё: без подтверждения адресом никто не воспользуется.',
    ],
  })
}
