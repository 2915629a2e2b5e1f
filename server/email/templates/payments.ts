import type { EmailMessage } from '#server/email/mail.ts'
import { formatDay, formatSum, formatSymbols, writeEmail } from './layout.ts'

interface Addressee {
  to: string
  appName: string
  /** Link to the profile, where the subscription can be cancelled. */
  url: string
}

interface Purchase extends Addressee {
  title: string
  symbols: number
  amount: number
  currency: string
  receiptUrl: string | null
}

interface RenewingPlan extends Addressee {
  plan: string
  price: number
  currency: string
}

const receipt = (url: string | null) => (url ? [`Чек: ${url}`] : [])
const HOW_TO_CANCEL = 'Отменить подписку можно в профиле в любой момент, в два нажатия.'

export function paidEmail(message: Purchase & { until: Date | null }): EmailMessage {
  const { to, appName, url, title, symbols, amount, currency, receiptUrl, until } = message
  return writeEmail({
    to,
    appName,
    subject: `Оплата прошла: ${title}`,
    before: [
      'Здравствуйте!',
      `Спасибо за покупку! ${title}, ${formatSum(amount, currency)}. На баланс добавлено ${formatSymbols(symbols)}.`,
      until
        ? `Символы тарифа действуют до ${formatDay(until)}. Тогда же подписка продлится сама.`
        : 'Символы пакета не сгорают.',
      ...receipt(receiptUrl),
    ],
    button: { label: 'Открыть профиль', url },
    after: [...(until ? [HOW_TO_CANCEL] : []), 'Если вы ничего не покупали, напишите в поддержку.'],
  })
}

export function renewedEmail(message: Purchase & { until: Date }): EmailMessage {
  const { to, appName, url, title, symbols, amount, currency, receiptUrl, until } = message
  return writeEmail({
    to,
    appName,
    subject: `Подписка продлена: ${title}`,
    before: [
      'Здравствуйте!',
      `${title}: подписка продлена, списано ${formatSum(amount, currency)}. На баланс добавлено ${formatSymbols(symbols)}.`,
      `Символы действуют до ${formatDay(until)}.`,
      ...receipt(receiptUrl),
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

export function renewalFailedEmail({
  to,
  appName,
  url,
  plan,
  price,
  currency,
  final,
}: RenewingPlan & { final: boolean }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Не удалось продлить подписку «${plan}»`,
    before: [
      'Здравствуйте!',
      `Банк не списал ${formatSum(price, currency)} за подписку «${plan}».`,
      final
        ? 'Попыток больше не будет, подписка закончилась. Оформите её заново, когда будет удобно.'
        : 'Мы попробуем ещё раз. Проверьте, что на карте хватает денег и что она не заблокирована.',
    ],
    button: { label: final ? 'Оформить подписку' : 'Открыть профиль', url },
    after: ['Купленные пакеты и остальные символы остаются у вас.', ...(final ? [] : [HOW_TO_CANCEL])],
  })
}

export function renewalSoonEmail({
  to,
  appName,
  url,
  plan,
  price,
  currency,
  at,
}: RenewingPlan & { at: Date }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Подписка «${plan}» скоро продлится`,
    before: [
      'Здравствуйте!',
      `${formatDay(at)} подписка «${plan}» продлится сама: с карты спишется ${formatSum(price, currency)}.`,
      'Неиспользованные символы этого периода сгорят, начислятся новые.',
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

export function canceledEmail({
  to,
  appName,
  url,
  plan,
  until,
}: Addressee & { plan: string; until: Date }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Подписка «${plan}» отменена`,
    before: [
      'Здравствуйте!',
      `Подписка «${plan}» больше не продлевается: списаний не будет.`,
      `Оплаченные символы остаются у вас до ${formatDay(until)}.`,
    ],
    button: { label: 'Открыть профиль', url },
    after: ['Вернуться можно в любой момент: оформите подписку снова в профиле.'],
  })
}

export function planChangedEmail({
  to,
  appName,
  url,
  plan,
  price,
  currency,
  newPrice,
}: RenewingPlan & { newPrice: string }): EmailMessage {
  return writeEmail({
    to,
    appName,
    subject: `Изменились условия тарифа «${plan}»`,
    before: [
      'Здравствуйте!',
      `Тариф «${plan}» теперь продаётся на других условиях: ${newPrice}.`,
      `Ваша подписка не меняется: вы по-прежнему платите ${formatSum(price, currency)}, пока её не отмените.`,
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

interface DecidedDispute {
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
}: DecidedDispute & { symbols: number }): EmailMessage {
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

export function disputeRefusedEmail({ to, appName, url, chargedAt, charged, answer }: DecidedDispute): EmailMessage {
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
