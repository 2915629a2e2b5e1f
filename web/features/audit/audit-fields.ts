import { formatDateTime, formatMoney, formatNumber } from '#web/lib/format.ts'

/** Describes a change in words; the log itself stores fields and values. */

type Fields = Record<string, unknown>

const fieldLabels: Record<string, string> = {
  active: 'В продаже',
  added: 'Добавлено',
  amount: 'Сумма',
  banExpires: 'Блокировка до',
  banReason: 'Причина блокировки',
  banned: 'Заблокирован',
  cachedRate: 'Коэффициент ввода из кэша',
  canUseWithAssistant: 'Для ассистентов',
  category: 'Категория',
  changed: 'Изменено',
  charged: 'Было списано',
  contextSymbols: 'Предел вопроса',
  costCached: 'Себестоимость ввода из кэша',
  costCurrency: 'Валюта себестоимости',
  costInput: 'Себестоимость вопроса',
  costOutput: 'Себестоимость ответа',
  count: 'Количество',
  currency: 'Валюта',
  deleted: 'В корзине',
  description: 'Описание',
  discountPercent: 'Скидка, %',
  email: 'Почта',
  emailVerified: 'Почта подтверждена',
  expiresAt: 'Действует до',
  fallbackId: 'Запасная модель',
  firstPurchaseOnly: 'Только первая покупка',
  hidden: 'Скрыта',
  hint: 'Окончание кода',
  hints: 'Окончания кодов',
  id: 'Идентификатор',
  image: 'Картинка',
  imagePrice: 'Цена картинки',
  imageSkills: 'Что умеет модель картинок',
  inputRate: 'Коэффициент вопроса',
  intervalDays: 'Срок, дней',
  kind: 'Вид',
  maxOutputSymbols: 'Предел ответа',
  maxUses: 'Предел применений',
  minutePrice: 'Цена минуты',
  speakers: 'Как различает голоса',
  maxSpeakers: 'Число голосов',
  pagePrice: 'Цена страницы',
  name: 'Название',
  operation: 'Операция',
  order: 'Порядок',
  orderId: 'Заказ',
  outputRate: 'Коэффициент ответа',
  paidAt: 'Оплачено',
  position: 'Место',
  prefix: 'Начало кода',
  price: 'Цена',
  provider: 'Провайдер',
  providerModel: 'Модель у провайдера',
  published: 'Опубликован',
  receiptUrl: 'Чек',
  refundedAmount: 'Возвращено денег',
  refusedRows: 'Строк не подошло',
  resolution: 'Итог',
  role: 'Роль',
  sessions: 'Открытых входов',
  startsAt: 'Действует с',
  status: 'Состояние',
  symbols: 'Символы',
  thinks: 'Можно выбрать, сколько думать',
  thoughtRate: 'Коэффициент размышлений',
  title: 'Название',
  titles: 'Промпты',
  user: 'Пользователь',
  uses: 'Применили',
  version: 'Версия',
  vision: 'Видит картинки',
}

const fieldLabelsByKind: Record<string, Record<string, string>> = {
  user: { name: 'Имя' },
  promo: { active: 'Включён' },
}

const valueLabels: Record<string, string> = {
  admin: 'администратор',
  user: 'пользователь',
  open: 'ждёт решения',
  returned: 'возвращено',
  refused: 'отказано',
  pending: 'ждёт оплаты',
  paid: 'оплачен',
  failed: 'не прошёл',
  expired: 'просрочен',
  refunded: 'деньги возвращены',
  charged_back: 'отозван банком',
}
const labelledFields = new Set(['role', 'status'])
const moneyFields = new Set(['price', 'amount', 'refundedAmount', 'costInput', 'costOutput', 'costCached'])
const ungroupedNumbers = new Set(['operation', 'id', 'version'])
const MAX_LISTED = 20

export interface Difference {
  name: string
  label: string
  /** Null when the target was created or deleted. */
  before: string | null
  after: string | null
}

export function differences(kind: string, before: Fields | null, after: Fields | null): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields.map((name) => ({
    name,
    label: fieldLabelsByKind[kind]?.[name] ?? fieldLabels[name] ?? name,
    before: before && valueLabel(name, before[name], before),
    after: after && valueLabel(name, after[name], after),
  }))
}

function valueLabel(name: string, value: unknown, fields: Fields): string {
  if (value === null || value === undefined || value === '') return 'нет'
  if (typeof value === 'boolean') return value ? 'да' : 'нет'
  if (typeof value === 'number') return numberLabel(name, value, fields)
  if (Array.isArray(value)) return formatList(value)
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (labelledFields.has(name)) return valueLabels[text] ?? text
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatDateTime(text) : text
}

function numberLabel(name: string, value: number, { currency }: Fields): string {
  if (ungroupedNumbers.has(name)) return String(value)
  if (!moneyFields.has(name)) return formatNumber(value)
  // Sums are stored in kopecks; the currency is in the row only when it changed too.
  return typeof currency === 'string' ? formatMoney({ amount: value, currency }) : formatNumber(value / 100)
}

function formatList(items: unknown[]): string {
  const shown = items.slice(0, MAX_LISTED).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  const rest = items.length - shown.length
  if (items.length === 0) return 'нет'
  return shown.join(', ') + (rest > 0 ? ` и ещё ${formatNumber(rest)}` : '')
}
