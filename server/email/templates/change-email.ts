import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'
import type { LinkEmail } from './sign-in.ts'

/** To the current address: does its owner really want to leave it? */
export function confirmChangeEmail({ to, appName, url, newEmail }: LinkEmail & { newEmail: string }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Смена почты в «${appName}»`,
    before: [
      'Здравствуйте!',
      `В «${appName}» попросили сменить почту вашего аккаунта на ${newEmail}.`,
      'Если это вы, разрешите смену. После этого на новый адрес придёт ещё одно письмо.',
    ],
    button: { label: 'Разрешить смену почты', url },
    after: [
      'Ссылка работает один час.',
      'Если это не вы, не нажимайте на неё, а в профиле завершите остальные входы: кто-то мог воспользоваться вашим устройством.',
    ],
  })
}

/** To the new address: does it belong to the one who asked? */
export function verifyNewAddressEmail({ to, appName, url }: LinkEmail): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Подтвердите новую почту для «${appName}»`,
    before: ['Здравствуйте!', `Этот адрес станет почтой вашего аккаунта в «${appName}». Остался последний шаг.`],
    button: { label: 'Подтвердить новую почту', url },
    after: ['Ссылка работает один час.', 'Если вы не меняли почту, не нажимайте на неё.'],
  })
}

/** To the old address, after the change: the last chance to notice a theft. */
export function emailChangedEmail({
  to,
  appName,
  newEmail,
}: {
  to: string
  appName: string
  newEmail: string
}): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Почта в «${appName}» изменена`,
    before: [
      'Здравствуйте!',
      `Почта вашего аккаунта в «${appName}» изменена на ${newEmail}. На этот адрес письма больше приходить не будут.`,
    ],
    after: ['Если вы этого не делали, сразу напишите в поддержку.'],
  })
}
