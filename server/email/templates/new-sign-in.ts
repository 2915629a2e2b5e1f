import { isIPv6 } from 'node:net'
import { deviceOf } from '#contract/device-name.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import { wideNetworkOf } from '#server/http/client-ip.ts'
import { formatMoment } from './format.ts'
import { writeEmail } from './layout.ts'

interface NewSignIn {
  to: string
  appName: string
  appUrl: string
  at: Date
  userAgent?: string | null | undefined
  ipAddress?: string | null | undefined
}

/** To the owner of an account, after a sign-in from a browser that was not seen before. */
export function newSignInEmail({ to, appName, appUrl, at, userAgent, ipAddress }: NewSignIn): EmailMessage {
  const network = ipAddress ? `, сеть ${networkLabel(ipAddress)}` : ''
  return writeEmail({
    to,
    appName,
    subject: `Новый вход в «${appName}»`,
    before: [
      'Здравствуйте!',
      `В ваш аккаунт вошли с нового устройства: ${deviceOf(userAgent).name}${network}. Время: ${formatMoment(at)}.`,
      'Если это были вы, ничего делать не нужно.',
    ],
    button: { label: 'Посмотреть сеансы', url: `${appUrl}/profile#sessions` },
    after: [
      'Если это не вы: завершите остальные сеансы в профиле, смените пароль и проверьте, кто может читать вашу почту.',
    ],
  })
}

/** Enough to recognise one's own provider, without the exact address. */
function networkLabel(ip: string): string {
  if (isIPv6(ip)) return wideNetworkOf(ip) ?? ip
  return ip.replace(/\.\d+$/, '.*')
}
