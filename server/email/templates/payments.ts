import type { DeclineReason } from '#contract/payments.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import { formatDay, formatSum, formatSymbols, type LinkEmail, writeEmail } from './layout.ts'

/** Links of these emails lead to the profile, where a subscription can be cancelled. */

interface Purchase extends LinkEmail {
  title: string
  symbols: number
  amount: number
  currency: string
  receiptUrl: string | null
}

interface RenewingPlan extends LinkEmail {
  plan: string
  price: number
  currency: string
}

const receipt = (url: string | null) => (url ? [`Чек: ${url}`] : [])
const HOW_TO_CANCEL = 'Отменить подписку можно в профиле в любой момент, в два нажатия.'

interface PaidPlan {
  until: Date
  renewal: 'renews' | 'unsaved' | 'once' | 'ended'
}

/** How a paid plan goes on. */
const renewals: Record<PaidPlan['renewal'], string> = {
  renews: 'Тогда же подписка продлится сама.',
  unsaved:
    'Потом подписка закончится, сама она не продлится: способ оплаты не сохранился. Чтобы она продлевалась, сохраните способ оплаты в профиле.',
  once: 'Потом подписка закончится: она куплена на один период и сама не продлится.',
  ended: 'Потом подписка закончится, сама она не продлится.',
}

export function paidEmail(message: Purchase & { plan: PaidPlan | null }): EmailMessage {
  const { url, title, symbols, amount, currency, receiptUrl, plan } = message
  return writeEmail(message, {
    subject: `Оплата прошла: ${title}`,
    before: [
      `Спасибо за покупку! ${title}, ${formatSum(amount, currency)}. На баланс добавлено ${formatSymbols(symbols)}.`,
      plan
        ? `Символы тарифа действуют до ${formatDay(plan.until)}. ${renewals[plan.renewal]}`
        : 'Символы пакета не сгорают.',
      ...receipt(receiptUrl),
    ],
    button: { label: 'Открыть профиль', url },
    after: [
      ...(plan?.renewal === 'renews' ? [HOW_TO_CANCEL] : []),
      'Если вы ничего не покупали, напишите в поддержку.',
    ],
  })
}

export function renewedEmail(message: Purchase & PaidPlan): EmailMessage {
  const { url, title, symbols, amount, currency, receiptUrl, until, renewal } = message
  return writeEmail(message, {
    subject: `Подписка продлена: ${title}`,
    before: [
      `${title}: подписка продлена, списано ${formatSum(amount, currency)}. На баланс добавлено ${formatSymbols(symbols)}.`,
      `Символы действуют до ${formatDay(until)}.${renewal === 'renews' ? '' : ` ${renewals[renewal]}`}`,
      ...receipt(receiptUrl),
    ],
    button: { label: 'Открыть профиль', url },
    after: renewal === 'renews' ? [HOW_TO_CANCEL] : [],
  })
}

/** What the payer can do about a decline. */
const declines: Partial<Record<DeclineReason | 'no-method', string>> = {
  'no-method': 'Способ оплаты не сохранён, поэтому списывать было не с чего и банк мы не спрашивали.',
  shop: 'Отказал не банк: платёжная система не приняла наш запрос.',
  funds: 'На счёте не хватило денег.',
  limit: 'Сумма больше лимита, который задан в банке.',
  expired: 'Срок действия карты закончился.',
  details: 'Данные карты больше не подходят.',
  blocked: 'Банк не разрешает такие платежи.',
  country: 'Банк не разрешает платежи из этой страны.',
  suspicion: 'Банк счёл платёж подозрительным.',
  identity: 'Банк просит подтвердить личность.',
  revoked: 'Вы отозвали разрешение на списания в банке, поэтому мы забыли этот способ оплаты.',
  bank: 'Банк не ответил.',
  timeout: 'Платёжная система не ответила вовремя.',
}

/** The payer can do nothing about these. */
const notBank: (DeclineReason | 'no-method' | null | undefined)[] = ['shop', 'timeout']

interface FailedRenewal extends RenewingPlan {
  final: boolean
  reason?: DeclineReason | 'no-method' | null
  /** When the next attempt is made, where we make it ourselves. */
  nextAt?: Date | null
}

export function renewalFailedEmail(message: FailedRenewal): EmailMessage {
  const { url, plan, price, currency, final, reason, nextAt } = message
  const why = reason && declines[reason]
  const again = nextAt ? `Мы попробуем ещё раз ${formatDay(nextAt)}.` : 'Мы попробуем ещё раз.'
  return writeEmail(message, {
    subject: `Не удалось продлить подписку «${plan}»`,
    before: [
      `Не удалось списать ${formatSum(price, currency)} за подписку «${plan}».${why ? ` ${why}` : ''}`,
      final
        ? 'Попыток больше не будет, подписка закончилась. Оформите её заново, когда будет удобно.'
        : `${again}${notBank.includes(reason) ? '' : ' Проверьте, что на счёте хватает денег и что банк разрешает такие списания.'}`,
    ],
    button: { label: final ? 'Оформить подписку' : 'Открыть профиль', url },
    after: ['Купленные пакеты и остальные символы остаются у вас.', ...(final ? [] : [HOW_TO_CANCEL])],
  })
}

/** What is charged, as the payer knows it. */
export function chargedFrom({ kind, last4 }: { kind: string; last4: string | null }): string {
  const name = otherMethods[kind]
  if (name) return name
  return kind === 'bank_card' ? `с карты${last4 ? ` •••• ${last4}` : ''}` : 'сохранённым способом'
}

/** Where refunded money goes, as the payer knows it: the way it came. */
export function refundedTo(kind: string | null, last4: string | null): string {
  if (kind === 'bank_card' || kind === 'card') return `на карту${last4 ? ` •••• ${last4}` : ''}`
  return (kind && refundWays[kind]) || 'тем же способом, которым вы платили'
}

const refundWays: Record<string, string> = {
  sbp: 'через СБП, на тот же счёт',
  sberbank: 'через SberPay',
  tinkoff_bank: 'через T-Pay',
  yoo_money: 'в кошелёк ЮMoney',
}

const otherMethods: Record<string, string> = {
  sbp: 'через СБП',
  sberbank: 'через SberPay',
  tinkoff_bank: 'через T-Pay',
  yoo_money: 'из кошелька ЮMoney',
}

export function renewalSoonEmail(message: RenewingPlan & { at: Date; from: string }): EmailMessage {
  const { url, plan, price, currency, at, from } = message
  return writeEmail(message, {
    subject: `Подписка «${plan}» скоро продлится`,
    before: [
      `${formatDay(at)} подписка «${plan}» продлится сама: ${from} спишется ${formatSum(price, currency)}.`,
      'Неиспользованные символы этого периода сгорят, начислятся новые.',
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

/** A plan that does not renew by itself is about to end. */
export function endSoonEmail(message: RenewingPlan & PaidPlan): EmailMessage {
  const { url, plan, price, currency, until, renewal } = message
  const why = renewal === 'unsaved' ? 'способ оплаты не сохранился, поэтому ' : 'она куплена на один период, поэтому '
  return writeEmail(message, {
    subject: `Подписка «${plan}» скоро закончится`,
    before: [
      `${formatDay(until)} подписка «${plan}» закончится: ${why}сама она не продлится и деньги не спишутся.`,
      `Неиспользованные символы этого периода сгорят. Если подписка ещё нужна, оформите её снова: ${formatSum(price, currency)}.`,
    ],
    button: { label: 'Открыть профиль', url },
    after: ['Купленные пакеты остаются у вас.'],
  })
}

/** Without `until` the money was returned, and the symbols have left with it. */
export function canceledEmail(message: LinkEmail & { plan: string; until: Date | null }): EmailMessage {
  const { url, plan, until } = message
  return writeEmail(message, {
    subject: `Подписка «${plan}» отменена`,
    before: [
      `Подписка «${plan}» больше не продлевается: списаний не будет.`,
      until
        ? `Оплаченные символы остаются у вас до ${formatDay(until)}.`
        : 'Деньги за неё возвращены, поэтому её символов на балансе больше нет.',
    ],
    button: { label: 'Открыть профиль', url },
    after: ['Вернуться можно в любой момент: оформите подписку снова в профиле.'],
  })
}

export function planChangedEmail(message: RenewingPlan & { newPrice: string }): EmailMessage {
  const { url, plan, price, currency, newPrice } = message
  return writeEmail(message, {
    subject: `Изменились условия тарифа «${plan}»`,
    before: [
      `Тариф «${plan}» теперь продаётся на других условиях: ${newPrice}.`,
      `Ваша подписка не меняется: вы по-прежнему платите ${formatSum(price, currency)}, пока её не отмените.`,
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

/** With a link to the operation. */
interface DecidedDispute extends LinkEmail {
  chargedAt: Date
  charged: number
  /** The admin's comment. */
  answer: string | null
}

export function disputeReturnedEmail(message: DecidedDispute & { symbols: number }): EmailMessage {
  const { url, chargedAt, charged, symbols, answer } = message
  const part = symbols < charged ? ` из ${formatSymbols(charged)}` : ''
  return writeEmail(message, {
    subject: `Символы возвращены: ${formatSymbols(symbols)}`,
    before: [
      `Мы проверили списание от ${formatDay(chargedAt)}, которое вы оспорили. На баланс возвращено ${formatSymbols(symbols)}${part}. Они не сгорают.`,
      ...(answer ? [`Ответ: ${answer}`] : []),
    ],
    button: { label: 'Открыть операции', url },
    after: ['Спасибо, что написали: так мы замечаем ошибки.'],
  })
}

export function disputeRefusedEmail(message: DecidedDispute): EmailMessage {
  const { url, chargedAt, charged, answer } = message
  return writeEmail(message, {
    subject: 'Списание проверено: ошибки нет',
    before: [
      `Мы проверили списание от ${formatDay(chargedAt)} на ${formatSymbols(charged)}, которое вы оспорили. Оно верное, и символы не возвращаются.`,
      ...(answer ? [`Почему: ${answer}`] : []),
    ],
    button: { label: 'Открыть операции', url },
    after: ['Если вы не согласны, напишите в поддержку.'],
  })
}

interface Refund extends LinkEmail {
  title: string
  amount: number
  currency: string
  /** «через СБП, на тот же счёт» */
  way: string
  /** The symbols that left the balance; 0 when only a part of the money was returned. */
  taken: number
  isWhole: boolean
}

export function refundedEmail(message: Refund): EmailMessage {
  const { url, title, amount, currency, way, taken, isWhole } = message
  const sum = formatSum(amount, currency)
  const symbols = isWhole
    ? taken > 0
      ? `С баланса ушло ${formatSymbols(taken)} этой покупки.`
      : 'С баланса ничего не ушло: символов этой покупки на нём уже не было.'
    : 'Это часть суммы, символы остаются у вас.'
  return writeEmail(message, {
    subject: `Возврат: ${sum}`,
    before: [
      `Мы вернули ${sum} за покупку «${title}». Деньги придут ${way}; обычно это занимает до нескольких дней.`,
      symbols,
    ],
    button: { label: 'Открыть операции', url },
    after: ['Если вы не просили о возврате, напишите в поддержку.'],
  })
}

export function giftEmail(message: LinkEmail & { symbols: number; reason: string }): EmailMessage {
  const { url, symbols, reason } = message
  return writeEmail(message, {
    subject: `Подарок: ${formatSymbols(symbols)}`,
    before: [`На баланс добавлено ${formatSymbols(symbols)} в подарок. Они не сгорают.`, `За что: ${reason}`],
    button: { label: 'Открыть баланс', url },
    after: [],
  })
}
