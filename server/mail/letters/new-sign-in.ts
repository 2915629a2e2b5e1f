import { isIPv6 } from 'node:net'
import { deviceOf } from '#contract/device-name.ts'
import { wideNetworkOf } from '#server/http/client-ip.ts'
import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import { momentInWords } from './words.ts'

interface NewSignIn {
  to: string
  appName: string
  appUrl: string
  at: Date
  userAgent?: string | null | undefined
  ipAddress?: string | null | undefined
}

/** To the owner of an account, after a sign-in from a browser that was not seen before. */
export function newSignInLetter({ to, appName, appUrl, at, userAgent, ipAddress }: NewSignIn): Letter {
  const network = ipAddress ? `, сеть ${networkInWords(ipAddress)}` : ''
  return writeLetter({
    to,
    appName,
    subject: `Новый вход в «${appName}»`,
    before: [
      'Здравствуйте!',
      `В ваш аккаунт вошли с нового устройства: ${deviceOf(userAgent).name}${network}. Время: ${momentInWords(at)}.`,
      'Если это были вы, ничего делать не нужно.',
    ],
    button: { label: 'Посмотреть сеансы', url: `${appUrl}/profile#sessions` },
    after: [
      'Если это не вы: завершите остальные сеансы в профиле, смените пароль и проверьте, кто может читать вашу почту.',
    ],
  })
}

/** Enough to recognise one's own provider, without the exact address. */
function networkInWords(ip: string): string {
  if (isIPv6(ip)) return wideNetworkOf(ip) ?? ip
  return ip.replace(/\.\d+$/, '.*')
}
