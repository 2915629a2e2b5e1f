import { isIPv6 } from 'node:net'
import { deviceOf } from '#contract/device-name.ts'
import { profilePath } from '#contract/profile-sections.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import { wideNetworkOf } from '#server/http/client-ip.ts'
import { type Addressee, formatMoment, writeEmail } from './layout.ts'

interface NewSignIn extends Addressee {
  appUrl: string
  at: Date
  userAgent?: string | null | undefined
  ipAddress?: string | null | undefined
}

/** To the owner of an account, after a sign-in from an unknown browser. */
export function newSignInEmail(message: NewSignIn): EmailMessage {
  const { appName, appUrl, at, userAgent, ipAddress } = message
  const network = ipAddress ? `, сеть ${networkLabel(ipAddress)}` : ''
  return writeEmail(message, {
    subject: `Новый вход в «${appName}»`,
    before: [
      `В ваш аккаунт вошли с нового устройства: ${deviceOf(userAgent).name}${network}. Время: ${formatMoment(at)}.`,
      'Если это были вы, ничего делать не нужно.',
    ],
    button: { label: 'Посмотреть сеансы', url: appUrl + profilePath('sessions') },
    after: [
      'Если это не вы: завершите остальные сеансы в профиле, проверьте, кто может читать вашу почту, а если у вас есть пароль, смените его.',
    ],
  })
}

/** Shortened, so that the owner recognises the provider but the exact address is not shown. */
function networkLabel(ip: string): string {
  if (isIPv6(ip)) return wideNetworkOf(ip) ?? ip
  return ip.replace(/\.\d+$/, '.*')
}

interface FactorEmail extends Addressee {
  appUrl: string
  factor: 'totp' | 'passkey' | 'all'
}

const added = {
  totp: 'включён вход в два шага: после первого шага мы спрашиваем код из приложения',
  passkey: 'добавлен ключ доступа: с ним можно войти без письма и пароля',
  all: 'включён вход в два шага',
}
const removed = {
  totp: 'выключен вход в два шага: код из приложения больше не нужен',
  passkey: 'удалён ключ доступа: войти с ним больше нельзя',
  all: 'поддержка сняла вход в два шага и ключи доступа. Все входы завершены, войдите заново',
}

export function factorAddedEmail(message: FactorEmail): EmailMessage {
  const { appName, appUrl, factor } = message
  return writeEmail(message, {
    subject: factor === 'passkey' ? `Новый ключ доступа в «${appName}»` : `Вход в два шага в «${appName}» включён`,
    before: [`В вашем аккаунте «${appName}» ${added[factor]}.`],
    button: { label: 'Открыть профиль', url: appUrl + profilePath('second-factor') },
    after: ['Если это не вы, завершите в профиле остальные входы и сразу напишите в поддержку.'],
  })
}

export function factorRemovedEmail(message: FactorEmail): EmailMessage {
  const { appName, appUrl, factor } = message
  return writeEmail(message, {
    subject: factor === 'passkey' ? `Ключ доступа в «${appName}» удалён` : `Вход в два шага в «${appName}» выключен`,
    before: [`В вашем аккаунте «${appName}» ${removed[factor]}.`],
    button: { label: 'Открыть профиль', url: appUrl + profilePath('second-factor') },
    after: ['Если вы этого не просили, завершите в профиле остальные входы и сразу напишите в поддержку.'],
  })
}

/** To the owner of an account, after a password was set in a session. */
export function passwordSetEmail(message: Addressee & { appUrl: string; isFirst: boolean }): EmailMessage {
  const { appName, appUrl, isFirst } = message
  return writeEmail(message, {
    subject: isFirst ? `Пароль для входа в «${appName}»` : `Пароль в «${appName}» изменён`,
    before: [
      isFirst
        ? `Для вашего аккаунта «${appName}» создан пароль: теперь с ним можно войти без письма.`
        : `Пароль вашего аккаунта «${appName}» изменён.`,
      'Если это были вы, ничего делать не нужно.',
    ],
    button: { label: 'Посмотреть сеансы', url: appUrl + profilePath('sessions') },
    after: [
      'Если это не вы: завершите остальные сеансы, задайте другой пароль по ссылке «Забыли пароль?» на странице входа и напишите в поддержку.',
    ],
  })
}

/** A code for a signed-in user who is about to do something sensitive. */
export function proofCodeEmail(message: Addressee & { code: string }): EmailMessage {
  const { appName, code } = message
  return writeEmail(message, {
    subject: `Код подтверждения для «${appName}»`,
    before: [`Ваш код: ${code}`, 'Введите его в окне, где вас попросили подтвердить, что это вы.'],
    after: [
      'Код работает 10 минут.',
      'Если вы ничего не подтверждаете, никому не сообщайте код и завершите в профиле остальные входы.',
    ],
  })
}

/** To the owner of an account, after a key for programs was made in a session. */
export function newApiKeyEmail(
  message: Addressee & { appUrl: string; name: string; lastFour: string; ip: string },
): EmailMessage {
  const { appName, appUrl, name, lastFour, ip } = message
  return writeEmail(message, {
    subject: `Новый ключ API в «${appName}»`,
    before: [
      `В вашем аккаунте «${appName}» создан ключ API «${name}» (…${lastFour}), сеть ${networkLabel(ip)}. Программы с этим ключом тратят ваши символы.`,
      'Если это были вы, ничего делать не нужно.',
    ],
    button: { label: 'Открыть ключи API', url: appUrl + profilePath('keys') },
    after: ['Если это не вы: отключите ключ, завершите остальные сеансы и проверьте, кто может читать вашу почту.'],
  })
}
