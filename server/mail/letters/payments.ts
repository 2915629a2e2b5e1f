import type { Letter } from '#server/mail/mail.ts'
import { writeLetter } from './layout.ts'
import { dayInWords, sumInWords, symbolsInWords } from './words.ts'

interface Addressee {
  to: string
  appName: string
  /** The profile, where all of it can be seen and cancelled. */
  url: string
}

interface Purchase extends Addressee {
  title: string
  symbols: number
  amount: number
  currency: string
  receiptUrl: string | null
}

interface Renewing extends Addressee {
  plan: string
  price: number
  currency: string
}

const receipt = (url: string | null) => (url ? [`Чек: ${url}`] : [])
const HOW_TO_CANCEL = 'Отменить подписку можно в профиле в любой момент, в два нажатия.'

export function paidLetter(letter: Purchase & { until: Date | null }): Letter {
  const { to, appName, url, title, symbols, amount, currency, receiptUrl, until } = letter
  return writeLetter({
    to,
    appName,
    subject: `Оплата прошла: ${title}`,
    before: [
      'Здравствуйте!',
      `Спасибо за покупку! ${title}, ${sumInWords(amount, currency)}. На баланс добавлено ${symbolsInWords(symbols)}.`,
      until
        ? `Символы тарифа действуют до ${dayInWords(until)}. Тогда же подписка продлится сама.`
        : 'Символы пакета не сгорают.',
      ...receipt(receiptUrl),
    ],
    button: { label: 'Открыть профиль', url },
    after: [...(until ? [HOW_TO_CANCEL] : []), 'Если вы ничего не покупали, напишите в поддержку.'],
  })
}

export function renewedLetter(letter: Purchase & { until: Date }): Letter {
  const { to, appName, url, title, symbols, amount, currency, receiptUrl, until } = letter
  return writeLetter({
    to,
    appName,
    subject: `Подписка продлена: ${title}`,
    before: [
      'Здравствуйте!',
      `${title}: подписка продлена, списано ${sumInWords(amount, currency)}. На баланс добавлено ${symbolsInWords(symbols)}.`,
      `Символы действуют до ${dayInWords(until)}.`,
      ...receipt(receiptUrl),
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

export function renewalFailedLetter({
  to,
  appName,
  url,
  plan,
  price,
  currency,
  final,
}: Renewing & { final: boolean }): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Не удалось продлить подписку «${plan}»`,
    before: [
      'Здравствуйте!',
      `Банк не списал ${sumInWords(price, currency)} за подписку «${plan}».`,
      final
        ? 'Попыток больше не будет, подписка закончилась. Оформите её заново, когда будет удобно.'
        : 'Мы попробуем ещё раз. Проверьте, что на карте хватает денег и что она не заблокирована.',
    ],
    button: { label: final ? 'Оформить подписку' : 'Открыть профиль', url },
    after: ['Купленные пакеты и остальные символы остаются у вас.', ...(final ? [] : [HOW_TO_CANCEL])],
  })
}

export function renewalSoonLetter({ to, appName, url, plan, price, currency, at }: Renewing & { at: Date }): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Подписка «${plan}» скоро продлится`,
    before: [
      'Здравствуйте!',
      `${dayInWords(at)} подписка «${plan}» продлится сама: с карты спишется ${sumInWords(price, currency)}.`,
      'Неиспользованные символы этого периода сгорят, начислятся новые.',
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}

export function canceledLetter({ to, appName, url, plan, until }: Addressee & { plan: string; until: Date }): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Подписка «${plan}» отменена`,
    before: [
      'Здравствуйте!',
      `Подписка «${plan}» больше не продлевается: списаний не будет.`,
      `Оплаченные символы остаются у вас до ${dayInWords(until)}.`,
    ],
    button: { label: 'Открыть профиль', url },
    after: ['Вернуться можно в любой момент: оформите подписку снова в профиле.'],
  })
}

export function planChangedLetter({
  to,
  appName,
  url,
  plan,
  price,
  currency,
  newPrice,
}: Renewing & { newPrice: string }): Letter {
  return writeLetter({
    to,
    appName,
    subject: `Изменились условия тарифа «${plan}»`,
    before: [
      'Здравствуйте!',
      `Тариф «${plan}» теперь продаётся на других условиях: ${newPrice}.`,
      `Ваша подписка не меняется: вы по-прежнему платите ${sumInWords(price, currency)}, пока её не отмените.`,
    ],
    button: { label: 'Открыть профиль', url },
    after: [HOW_TO_CANCEL],
  })
}
