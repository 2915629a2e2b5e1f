import type { EmailMessage } from '#server/email/mail.ts'
import { writeEmail } from './layout.ts'

interface FactorEmail {
  to: string
  appName: string
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

export function factorAddedEmail({ to, appName, appUrl, factor }: FactorEmail): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: factor === 'passkey' ? `Новый ключ доступа в «${appName}»` : `Вход в два шага в «${appName}» включён`,
    before: ['Здравствуйте!', `В вашем аккаунте «${appName}» ${added[factor]}.`],
    button: { label: 'Открыть профиль', url: `${appUrl}/profile` },
    after: ['Если это не вы, завершите в профиле остальные входы и сразу напишите в поддержку.'],
  })
}

export function factorRemovedEmail({ to, appName, appUrl, factor }: FactorEmail): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: factor === 'passkey' ? `Ключ доступа в «${appName}» удалён` : `Вход в два шага в «${appName}» выключен`,
    before: ['Здравствуйте!', `В вашем аккаунте «${appName}» ${removed[factor]}.`],
    button: { label: 'Открыть профиль', url: `${appUrl}/profile` },
    after: ['Если вы этого не просили, завершите в профиле остальные входы и сразу напишите в поддержку.'],
  })
}

/** A code for somebody who is signed in and is about to do something that matters. */
export function proofCodeEmail({ to, appName, code }: { to: string; appName: string; code: string }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Код подтверждения для «${appName}»`,
    before: ['Здравствуйте!', `Ваш код: ${code}`, 'Введите его в окне, где вас попросили подтвердить, что это вы.'],
    after: [
      'Код работает 10 минут.',
      'Если вы ничего не подтверждаете, никому не сообщайте код и завершите в профиле остальные входы.',
    ],
  })
}
