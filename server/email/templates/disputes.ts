import type { EmailMessage } from '#server/email/mail.ts'
import { formatDay, formatSymbols } from './format.ts'
import { writeEmail } from './layout.ts'

interface Decided {
  to: string
  appName: string
  /** Link to the operation. */
  url: string
  chargedAt: Date
  charged: number
  /** The admin's comment. */
  answer: string | null
}

export function disputeReturnedEmail({
  to,
  appName,
  url,
  chargedAt,
  charged,
  symbols,
  answer,
}: Decided & { symbols: number }): EmailMessage {
  const part = symbols < charged ? ` из ${formatSymbols(charged)}` : ''
  return writeEmail({
    to,
    appName,
    subject: `Символы возвращены: ${formatSymbols(symbols)}`,
    before: [
      'Здравствуйте!',
      `Мы проверили списание от ${formatDay(chargedAt)}, которое вы оспорили. На баланс возвращено ${formatSymbols(symbols)}${part}. Они не сгорают.`,
      ...(answer ? [`Ответ: ${answer}`] : []),
    ],
    button: { label: 'Открыть операции', url },
    after: ['Спасибо, что написали: так мы замечаем ошибки.'],
  })
}

export function disputeRefusedEmail({ to, appName, url, chargedAt, charged, answer }: Decided): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: 'Списание проверено: ошибки нет',
    before: [
      'Здравствуйте!',
      `Мы проверили списание от ${formatDay(chargedAt)} на ${formatSymbols(charged)}, которое вы оспорили. Оно верное, и символы не возвращаются.`,
      ...(answer ? [`Почему: ${answer}`] : []),
    ],
    button: { label: 'Открыть операции', url },
    after: ['Если вы не согласны, напишите в поддержку.'],
  })
}
