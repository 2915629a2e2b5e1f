import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import { dayInWords, symbolsInWords } from './words.ts'

interface Decided {
  to: string
  appName: string
  /** Where the operation can be seen. */
  url: string
  chargedAt: Date
  charged: number
  /** What the administrator wrote. */
  answer: string | null
}

export function disputeReturnedLetter({
  to,
  appName,
  url,
  chargedAt,
  charged,
  symbols,
  answer,
}: Decided & { symbols: number }): Letter {
  const part = symbols < charged ? ` из ${symbolsInWords(charged)}` : ''
  return writeLetter({
    to,
    appName,
    subject: `Символы возвращены: ${symbolsInWords(symbols)}`,
    before: [
      'Здравствуйте!',
      `Мы проверили списание от ${dayInWords(chargedAt)}, которое вы оспорили. На баланс возвращено ${symbolsInWords(symbols)}${part}. Они не сгорают.`,
      ...(answer ? [`Ответ: ${answer}`] : []),
    ],
    button: { label: 'Открыть операции', url },
    after: ['Спасибо, что написали: так мы замечаем ошибки.'],
  })
}

export function disputeRefusedLetter({ to, appName, url, chargedAt, charged, answer }: Decided): Letter {
  return writeLetter({
    to,
    appName,
    subject: 'Списание проверено: ошибки нет',
    before: [
      'Здравствуйте!',
      `Мы проверили списание от ${dayInWords(chargedAt)} на ${symbolsInWords(charged)}, которое вы оспорили. Оно верное, и символы не возвращаются.`,
      ...(answer ? [`Почему: ${answer}`] : []),
    ],
    button: { label: 'Открыть операции', url },
    after: ['Если вы не согласны, напишите в поддержку.'],
  })
}
