import type { EmailMessage } from '#server/email/mail.ts'
import { type Addressee, type LinkEmail, writeEmail } from './layout.ts'

interface SignInEmail extends LinkEmail {
  /** For the browser that asked; null when it is not known. */
  code: string | null
  minutes: number
}

/** The code is also in the subject, so that a phone shows it in the notification. */
export function signInEmail(message: SignInEmail): EmailMessage {
  const { appName, url, code, minutes } = message
  const works = `${code ? 'Код и ссылка работают' : 'Ссылка работает'} ${minutes} минут`
  return writeEmail(message, {
    subject: code ? `Вход в «${appName}»: код ${code}` : `Вход в «${appName}»`,
    before: code
      ? [`Введите этот код на странице, где вы входите в «${appName}»:`]
      : [`Вот ссылка, по которой вы войдёте в «${appName}» без пароля.`],
    ...(code && { code, beforeButton: ['Или откройте ссылку, если письмо на том же устройстве:'] }),
    button: { label: 'Войти', url },
    after: [
      `${works} и только один раз. Если ничего не сработало, запросите новое письмо на странице входа.`,
      code
        ? 'Никому не называйте код и не пересылайте это письмо. Если вы не просили о входе, ничего делать не нужно: без письма никто не войдёт.'
        : 'Если вы не просили о входе, ничего делать не нужно: без этой ссылки никто не войдёт. Не пересылайте это письмо.',
    ],
  })
}

export function verificationEmail(message: LinkEmail): EmailMessage {
  const { appName, url } = message
  return writeEmail(message, {
    subject: `Подтвердите почту для «${appName}»`,
    before: [`Этот адрес указали в «${appName}». Подтвердите, что он ваш.`],
    button: { label: 'Подтвердить почту', url },
    after: [
      'Ссылка работает один час. Откройте её в том браузере, где регистрировались: тогда останется и пароль, который вы задали.',
      'Если вы не регистрировались, кто-то другой указал ваш адрес и мог задать к нему свой пароль. Не нажимайте на ссылку: без подтверждения адресом никто не воспользуется.',
    ],
  })
}

export function passwordResetEmail(message: LinkEmail): EmailMessage {
  const { appName, url } = message
  return writeEmail(message, {
    subject: `Новый пароль для «${appName}»`,
    before: [`Кто-то, надеемся, что вы, попросил задать новый пароль в «${appName}».`],
    button: { label: 'Задать новый пароль', url },
    after: [
      'Ссылка работает один час и только один раз. После смены пароля нужно будет войти заново на всех устройствах.',
      'Если это были не вы, просто удалите письмо: пароль останется прежним.',
    ],
  })
}

/** To the current address: asks its owner to allow the change. */
export function confirmChangeEmail(message: LinkEmail & { newEmail: string }): EmailMessage {
  const { appName, url, newEmail } = message
  return writeEmail(message, {
    subject: `Смена почты в «${appName}»`,
    before: [
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

/** To the new address: asks to confirm that it belongs to the user. */
export function verifyNewAddressEmail(message: LinkEmail): EmailMessage {
  const { appName, url } = message
  return writeEmail(message, {
    subject: `Подтвердите новую почту для «${appName}»`,
    before: [`Этот адрес станет почтой вашего аккаунта в «${appName}». Остался последний шаг.`],
    button: { label: 'Подтвердить новую почту', url },
    after: ['Ссылка работает один час.', 'Если вы не меняли почту, не нажимайте на неё.'],
  })
}

/** To the old address, after the change, so that a theft is noticed. */
export function emailChangedEmail(message: Addressee & { newEmail: string }): EmailMessage {
  const { appName, newEmail } = message
  return writeEmail(message, {
    subject: `Почта в «${appName}» изменена`,
    before: [
      `Почта вашего аккаунта в «${appName}» изменена на ${newEmail}. На этот адрес письма больше приходить не будут.`,
    ],
    after: ['Если вы этого не делали, сразу напишите в поддержку.'],
  })
}

/** To the owner of an account, after a sign-in through a provider that reported the same address. */
export function joinAccountEmail(message: LinkEmail & { service: string }): EmailMessage {
  const { appName, url, service } = message
  return writeEmail(message, {
    subject: `Привязать ${service} в «${appName}»`,
    before: [
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

export function deleteAccountEmail(message: LinkEmail): EmailMessage {
  const { appName, url } = message
  return writeEmail(message, {
    subject: `Удаление аккаунта в «${appName}»`,
    before: [
      `Вы попросили удалить аккаунт в «${appName}». Вместе с ним удалятся чаты, файлы, картинки и остаток символов. Вернуть их будет нельзя.`,
    ],
    button: { label: 'Удалить навсегда', url },
    after: [
      'Ссылка работает 24 часа. Откройте её в том браузере, где вы вошли.',
      'Если вы передумали или не просили об этом, просто удалите письмо.',
    ],
  })
}
